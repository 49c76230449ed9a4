import type { SourceObject } from '../source-object.js';

/** The facts about a client before it is decided what it becomes. */
export interface KnownClient {
  readonly source: SourceObject;
  readonly clientId: string;
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly isPublic: boolean;
  readonly secretHash: string | undefined;
}

export const BY_SECRET = 'client-secret';

export function authenticatorOf(source: SourceObject): string {
  return source.text('clientAuthenticatorType') || BY_SECRET;
}

export function usesSecret(source: SourceObject): boolean {
  return !source.flag('publicClient') && !source.flag('bearerOnly') && authenticatorOf(source) === BY_SECRET;
}

export function attributesOf({ source }: KnownClient): SourceObject {
  return source.object('attributes', 'Client attribute');
}

/** Keycloak writes `JWT` unless the client is set to RFC 9068, and its resource servers expect that. */
export function headerTypeOf(client: KnownClient): 'at+jwt' | 'JWT' {
  return attributesOf(client).text('access.token.header.type.rfc9068') === 'true' ? 'at+jwt' : 'JWT';
}
