import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Clock } from '../../foundation/time/clock.js';
import type { Client } from '../../project/client/client.js';
import { type ExchangeFacts, parseTokenId, type SignInOfToken } from '../access-token.js';
import { AccessTokens, signInIn } from '../access-tokens.js';
import { AudienceRules } from '../audience-rules.js';
import { EXCHANGED } from '../exchange-claims.js';
import { IdTokenHints } from '../id-token-hint.js';
import type { Confirmation } from '../proof/presented-token.js';
import { accessOf } from '../removed-access.js';
import { bondsOf, type TokenBonds } from '../token-status.js';

/** The kinds of tokens that may be sent for an exchange. */
export type GivenTokenKind = 'access_token' | 'id_token';

/** A token sent for an exchange, as read. Whether it is still valid is known only when its user is read. */
export interface GivenToken {
  readonly bonds: TokenBonds;
  readonly familyId: string | undefined;
  /** The ids that end everything made of the token, besides its user and its session. */
  readonly endIds: readonly string[];
  readonly exchange: ExchangeFacts | undefined;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  /** Unix seconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly signIn: SignInOfToken | undefined;
  /** The key or certificate to which the token is bound, if it is. */
  readonly confirmation: Confirmation | undefined;
  /** RFC 8693 §4.4: the only user who may act for its user; undefined if it names none. */
  readonly mayAct: string | undefined;
}

/** Reads tokens of ours that are sent for an exchange (RFC 8693 §2.1). */
@Injectable()
export class GivenTokens {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly idTokens: IdTokenHints,
    private readonly audiences: AudienceRules,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Undefined for anything else, for what has expired, and for what is not meant for the client: it was seen in
   * passing.
   */
  async read(token: string, kind: GivenTokenKind, client: Client): Promise<GivenToken | undefined> {
    const given = kind === 'id_token' ? await this.readIdToken(token, client) : await this.readAccessToken(token);
    if (!given || given.expiresAt <= this.clock.nowSeconds()) return undefined;
    return (await this.audiences.isMeantFor(given.audience, client)) ? given : undefined;
  }

  private async readAccessToken(token: string): Promise<GivenToken | undefined> {
    const facts = await this.accessTokens.read(token);
    const bonds = facts && bondsOf(facts);
    if (!facts || !bonds) return undefined;
    const familyId = parseTokenId(facts.id)?.familyId || undefined;
    const { audience, scopes, issuedAt, expiresAt, signIn, exchange, confirmation } = facts;
    return {
      bonds,
      familyId,
      endIds: [facts.id, accessOf(facts)],
      exchange,
      audience,
      scopes,
      issuedAt,
      expiresAt,
      signIn,
      confirmation,
      mayAct: undefined,
    };
  }

  /**
   * An ID token is for one client alone (OIDC Core §2), and says of its user no more than that they signed in. It only
   * ends with its session, so that one without a session, or one that was itself exchanged, is refused. Nor does it
   * name the epoch of its client: one from before the client was added belonged to another client with the same id
   * (TEX-012).
   */
  private async readIdToken(token: string, client: Client): Promise<GivenToken | undefined> {
    const payload = await this.idTokens.payloadOf(token);
    if (!payload) return undefined;
    const { iss, sub, azp, sid, iat, exp, may_act: mayAct } = payload;
    if (iss !== this.issuer.publicUrl || azp !== client.id || EXCHANGED in payload) return undefined;
    if (typeof sub !== 'string' || typeof sid !== 'string' || typeof iat !== 'number' || typeof exp !== 'number')
      return undefined;
    if (!client.hadBeenAddedAt(iat)) return undefined;
    const access = accessOf({ userId: sub, clientId: client.id });
    return {
      bonds: {
        userId: sub,
        userEpoch: undefined,
        clientId: client.id,
        clientEpoch: client.clientEpoch,
        sessionId: sid,
        endIds: [access],
        issuedAt: iat,
        actors: undefined,
        applications: undefined,
      },
      familyId: undefined,
      endIds: [access],
      exchange: undefined,
      audience: [client.id, client.project.id],
      scopes: ['openid'],
      issuedAt: iat,
      expiresAt: exp,
      signIn: signInIn(payload),
      confirmation: undefined,
      mayAct: mayAct === undefined ? undefined : nameIn(mayAct),
    };
  }
}

/** The user whom `may_act` names; nobody if it is not readable, since a restriction is never ignored. */
function nameIn(mayAct: unknown): string {
  const sub = typeof mayAct === 'object' && mayAct !== null ? (mayAct as { sub?: unknown }).sub : undefined;
  return typeof sub === 'string' ? sub : '';
}
