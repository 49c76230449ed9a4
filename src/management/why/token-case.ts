import type { Client } from '../../project/client/client.js';
import type { FoundClient } from '../../project/client/client-directory.js';
import type { RoleQuestion } from '../../token/claims/scope.js';
import type { TokenPreview } from '../../token/token-previews.js';
import type { Case } from './case.js';
import { TOKENS, type TokenName } from './token-link.js';

/** Whose tokens are explained, to whom, and what would be in them. */
export interface TokenCase extends Pick<Case, 'sight' | 'rules' | 'user' | 'name'> {
  readonly client: Client;
  readonly found: FoundClient;
  readonly preview: TokenPreview;
  /** The scopes that the application would request. */
  readonly asked: readonly string[];
  readonly question: RoleQuestion | undefined;
}

/** The answers that have the claim, among those that the application gets. */
export function tokensWith({ preview }: Pick<TokenCase, 'preview'>, claim: string): TokenName[] {
  return TOKENS.filter((token) => Object.hasOwn(preview[token] ?? {}, claim));
}
