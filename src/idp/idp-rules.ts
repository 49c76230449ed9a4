import type { FieldViolation } from '../foundation/error/domain-error.js';
import { targetUrlProblem } from '../foundation/outbound/target-url.js';
import type { Idp } from './idp.entity.js';

export type OidcSettings = Pick<Idp, 'issuer' | 'clientId' | 'scopes' | 'displayNameMapping' | 'usernameMapping'>;
/** What an OpenID Connect provider has among its `settings`; absent is false. */
export interface OidcOptions {
  /** Whether the ID token alone says who users are, and the UserInfo endpoint is not asked. */
  readonly isIdTokenMapping?: boolean;
  /** As it was sent; PKCE is used in any case. */
  readonly usePkce?: boolean;
}
/** As they are stored: those that are true. */
export function oidcOptions({ isIdTokenMapping = false, usePkce = false }: OidcOptions): OidcOptions {
  return { ...(isIdTokenMapping ? { isIdTokenMapping } : {}), ...(usePkce ? { usePkce } : {}) };
}

export type JwtSettings = Pick<Idp, 'jwtEndpoint' | 'issuer' | 'keysEndpoint' | 'headerName'>;

/** Plain http is only for this machine, in development. */
export interface Surroundings {
  readonly production: boolean;
}

/** The default header for a JWT. */
export const DEFAULT_HEADER_NAME = 'authorization';

/** RFC 9110 §5.6.2 */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that browsers, proxies and the protocol itself set: they would not contain the JWT. */
const RESERVED_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'date',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'origin',
  'proxy-connection',
  'range',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);
/** RFC 6749 §3.3 */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

export function isHeaderName(text: string): boolean {
  const name = text.toLowerCase();
  // Names that every object has, such as __proto__, would be found even if there is no such header.
  return TOKEN.test(text) && !RESERVED_HEADERS.has(name) && !(name in {});
}

export function isScope(text: string): boolean {
  return SCOPE_TOKEN.test(text);
}

/** Everything that is wrong with an OIDC configuration except lengths. */
export function oidcViolations({ issuer, scopes }: OidcSettings, surroundings: Surroundings): FieldViolation[] {
  return [
    ...violation('issuer', oidcIssuerProblem(issuer, surroundings)),
    ...scopes.flatMap((scope, index) =>
      violation(`scopes[${index}]`, isScope(scope) ? undefined : 'must be a scope without spaces and quotes'),
    ),
  ];
}

/**
 * Everything that is wrong with a JWT configuration except lengths. The issuer may be any text: RFC 7519 §4.1.1 leaves
 * it to the signer; it is only compared, and the keys come from an endpoint of their own.
 */
export function jwtViolations(
  { jwtEndpoint, keysEndpoint, headerName }: JwtSettings,
  surroundings: Surroundings,
): FieldViolation[] {
  return [
    ...violation('jwtEndpoint', targetUrlProblem(jwtEndpoint, surroundings)),
    ...violation('keysEndpoint', targetUrlProblem(keysEndpoint, surroundings)),
    ...violation(
      'headerName',
      isHeaderName(headerName)
        ? undefined
        : 'must be the name of a header that is not used otherwise, such as authorization or x-jwt',
    ),
  ];
}

/** OpenID Connect Discovery 1.0 §3: no query or fragment, because the path of the document is appended. */
function oidcIssuerProblem(issuer: string, surroundings: Surroundings): string | undefined {
  return issuer.includes('?') ? 'must not have a query' : targetUrlProblem(issuer, surroundings);
}

function violation(field: string, description: string | undefined): FieldViolation[] {
  return description === undefined ? [] : [{ field, description }];
}
