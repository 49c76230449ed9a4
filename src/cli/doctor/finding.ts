/** What an examination has found, and what to do about it. */
export interface Finding {
  /** `note`: it works, but not as well as it could. */
  readonly state: 'fine' | 'note' | 'wrong';
  readonly subject: string;
  readonly finding: string;
  /** What to do; absent if there is nothing. */
  readonly remedy?: string;
}

export function fine(subject: string, finding: string): Finding {
  return { state: 'fine', subject, finding };
}

export function note(subject: string, finding: string): Finding {
  return { state: 'note', subject, finding };
}

/** @param remedy undefined where the finding says it */
export function wrong(subject: string, finding: string, remedy?: string): Finding {
  return { state: 'wrong', subject, finding, ...(remedy !== undefined && { remedy }) };
}

const SIGNS = { fine: 'ok   ', note: 'note ', wrong: 'WRONG' } as const;

/** Lines for a person. */
export function toText({ state, subject, finding, remedy }: Finding): string {
  const lines = [
    `${SIGNS[state]}  ${subject.padEnd(12)} ${finding}`,
    ...(remedy === undefined ? [] : [`       ${''.padEnd(12)} ${remedy}`]),
  ];
  return `${lines.join('\n')}\n`;
}
