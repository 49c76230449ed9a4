import { type ExchangeFacts, type PackedExchange, packExchange, unpackExchange } from './access-token.js';
import type { Claims } from './claims/user-claims.js';

/** A claim of ours, in every signed token that was exchanged for another one. */
export const EXCHANGED = 'exchanged_from';

/** RFC 8693 §4.1. */
export interface ActClaim {
  readonly sub: string;
  readonly iss: string;
  readonly act?: ActClaim;
}

/** The current actor, with those before nested in it; undefined if nobody acts for the user (RFC 8693 §4.1). */
export function actOf(exchange: ExchangeFacts | undefined, issuer: string): ActClaim | undefined {
  return exchange?.actors.reduceRight<ActClaim | undefined>(
    (before, { userId }) => ({ sub: userId, iss: issuer, ...(before ? { act: before } : {}) }),
    undefined,
  );
}

/** The claims of a signed token that was exchanged. */
export function exchangeClaims(exchange: ExchangeFacts, issuer: string): Claims {
  const act = actOf(exchange, issuer);
  return { ...(act ? { act } : {}), [EXCHANGED]: packExchange(exchange) };
}

/** Reads claims that `exchangeClaims` has written. */
export function exchangeIn(claims: Readonly<Record<string, unknown>>): ExchangeFacts | undefined {
  const packed = claims[EXCHANGED] as PackedExchange | undefined;
  return packed && unpackExchange(packed);
}
