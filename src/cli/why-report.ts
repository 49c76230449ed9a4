import type { ExplainedMend, ExplainSignInResult, ExplainTokenResult } from '../client/index.js';

const WORD: Readonly<Record<string, string>> = {
  SIGN_IN_LINK_EFFECT_ASKS: 'asks',
  SIGN_IN_LINK_EFFECT_REFUSES: 'refuses',
  SIGN_IN_LINK_EFFECT_INFORMS: 'note',
};

/** Longer parameters are whole policies: who calls the operation looks at them first. */
const MOST_CHARACTERS = 160;

export function signInReport({ summary, chain, limits, failures, factors }: ExplainSignInResult): string {
  const links = chain.flatMap(({ effect, sentence, mends }) => [
    `  ${(WORD[effect] ?? '').padEnd(9)}${sentence}`,
    ...mends.map(mendLine),
  ]);
  return [
    summary,
    ...section('', links),
    ...section(
      'Attempts',
      limits.map(({ sentence }) => `  ${sentence}`),
    ),
    ...section(
      'Failed sign-ins',
      failures.map(({ date, sentence }) => `  ${(date ?? '').slice(0, 19).replace('T', ' ')}  ${sentence}`),
    ),
    ...section(
      'Has',
      factors.map(({ kind, count }) => `  ${count} ${kind}`),
    ),
    '',
  ].join('\n');
}

export function tokenReport({ summary, links }: ExplainTokenResult): string {
  const lines = links.flatMap(({ isPresent, sentence, mends }) => [
    `  ${(isPresent ? 'there' : 'missing').padEnd(9)}${sentence}`,
    ...mends.map(mendLine),
  ]);
  return [summary, ...section('', lines), ''].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return ['', ...(title === '' ? [] : [title]), ...lines];
}

function mendLine({ operationId, parameters, orgId, isAllowed, permission }: ExplainedMend): string {
  const text = JSON.stringify(parameters);
  const shown = text.length > MOST_CHARACTERS ? '{…}' : text;
  const place = orgId === '' ? '' : ` in organization ${orgId}`;
  return `           -> ${operationId} ${shown}${place}${isAllowed ? '' : ` (needs ${permission})`}`;
}
