import type { ValueOf } from '../../foundation/http/wire-enum.js';
import type { Mend, Rule } from './link.js';
import type { TOKEN_CODE } from './why.enums.js';

/** The answers that an application gets about a user. */
export const TOKENS = ['idToken', 'accessToken', 'userinfo', 'introspection'] as const;
export type TokenName = (typeof TOKENS)[number];

export const SPOKEN: Readonly<Record<TokenName, string>> = {
  idToken: 'the ID token',
  accessToken: 'the access token',
  userinfo: 'userinfo',
  introspection: 'introspection',
};

/** Why something is in a token, or is not. */
export interface TokenLink {
  readonly code: ValueOf<typeof TOKEN_CODE>;
  readonly isPresent: boolean;
  /** Empty if it is about a role. */
  readonly claim: string;
  /** Empty if it is about a claim. */
  readonly role: string;
  /** Where it is. */
  readonly tokens: readonly TokenName[];
  readonly sentence: string;
  readonly rule?: Rule | undefined;
  readonly mends: readonly Mend[];
}

export interface TokenExplanation {
  readonly summary: string;
  readonly links: readonly TokenLink[];
}

export function tokenLink(given: Pick<TokenLink, 'code' | 'isPresent' | 'sentence'> & Partial<TokenLink>): TokenLink {
  return { claim: '', role: '', tokens: [], mends: [], ...given };
}
