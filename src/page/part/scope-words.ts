import type { PageTexts } from '../catalogue/catalogue.js';
import type { ExtScopeWords, ExtWord } from './ext-texts.js';

type ScopeWord = keyof PageTexts['scope'];

const standard: ReadonlyMap<string, ScopeWord> = new Map([
  ['openid', 'openid'],
  ['profile', 'profile'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['address', 'address'],
  ['offline_access', 'offlineAccess'],
  ['groups', 'groups'],
]);

/**
 * The reserved scopes by what follows `urn:{word}:iam:`; those that only choose an organization or a provider give
 * nothing away.
 */
const reserved: readonly (readonly [RegExp, ScopeWord | undefined])[] = [
  [/^org:projects?:roles?(?::|$)/u, 'roles'],
  [/^org:roles:/u, undefined],
  [/^org:project:id:.*:aud$/u, 'services'],
  [/^org:(?:id|domain:primary|idp:id):/u, undefined],
  [/^user:metadata$/u, 'metadata'],
  [/^user:resourceowner$/u, 'organization'],
];

/**
 * The meanings of the requested scopes for a person, each once. Extensions explain their own scopes; one that nobody
 * knows stands for itself.
 */
export function scopeWords(scopes: readonly string[], texts: PageTexts, own?: ExtScopeWords): readonly ExtWord[] {
  const words = scopes.flatMap((scope) => wordOf(scope, texts, own) ?? []);
  return [...new Map(words.map((word) => [word.text, word])).values()];
}

function wordOf(scope: string, texts: PageTexts, own: ExtScopeWords | undefined): ExtWord | undefined {
  const plain = standard.get(scope);
  if (plain) return ours(texts.scope[plain]);
  const urn = /^urn:[^:]+:iam:(.+)$/u.exec(scope)?.[1];
  const match = urn === undefined ? undefined : reserved.find(([pattern]) => pattern.test(urn));
  if (!match) return own?.(scope) ?? ours(scope);
  return match[1] && ours(texts.scope[match[1]]);
}

function ours(text: string): ExtWord {
  return { text, language: undefined };
}
