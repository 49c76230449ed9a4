/** What the administrative API answers to `ExplainSignIn`, as far as it is printed. */
export interface ExplainedSignIn {
  readonly canSignIn: string;
  readonly summary: string;
  readonly chain: ReadonlyArray<{
    readonly effect: string;
    readonly sentence: string;
    readonly mends: readonly ExplainedMend[];
  }>;
  readonly limits: ReadonlyArray<{ readonly sentence: string }>;
  readonly failures: ReadonlyArray<{ readonly date: string; readonly sentence: string }>;
  readonly factors: ReadonlyArray<{ readonly kind: string; readonly count: number }>;
}

/** What it answers to `ExplainToken`. */
export interface ExplainedToken {
  readonly summary: string;
  readonly links: ReadonlyArray<{
    readonly isPresent: boolean;
    readonly sentence: string;
    readonly mends: readonly ExplainedMend[];
  }>;
}

interface ExplainedMend {
  readonly operationId: string;
  readonly parameters: object;
  readonly orgId: string;
  readonly isAllowed: boolean;
  readonly permission: string;
}

const WORD: Readonly<Record<string, string>> = {
  SIGN_IN_LINK_EFFECT_ASKS: 'asks',
  SIGN_IN_LINK_EFFECT_REFUSES: 'refuses',
  SIGN_IN_LINK_EFFECT_INFORMS: 'note',
};

/** Longer parameters are whole policies: who calls the operation looks at them first. */
const MOST_CHARACTERS = 160;

export function signInReport({ summary, chain, limits, failures, factors }: ExplainedSignIn): string {
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
      failures.map(({ date, sentence }) => `  ${date.slice(0, 19).replace('T', ' ')}  ${sentence}`),
    ),
    ...section(
      'Has',
      factors.map(({ kind, count }) => `  ${count} ${kind}`),
    ),
    '',
  ].join('\n');
}

export function tokenReport({ summary, links }: ExplainedToken): string {
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
