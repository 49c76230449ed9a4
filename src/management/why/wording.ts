import type { Rule } from './link.js';

/*
 * The words that all explanations share. Their sentences are read aloud to people: short, in the third person, with
 * times in UTC, and without a word that only this code knows.
 */

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** `12 May 2026` */
export function day(moment: Date): string {
  return DATE.format(moment);
}

/** `10:42 UTC on 12 May 2026` */
export function minute(moment: Date): string {
  return `${TIME.format(moment)} UTC on ${DATE.format(moment)}`;
}

/** `1 step`, `2 steps` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and c` */
export function listed(words: readonly string[], conjunction = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

/** Who made something what it is, and when, as far as the caller may know. */
export interface Change {
  readonly at: Date;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly byId: string;
  readonly byName: string;
  readonly isByService: boolean;
}

/** `since 12 May 2026 (by Ada Admin)` */
export function sinceWhen(change: Change | undefined): string {
  if (!change) return '';
  return ` since ${day(change.at)}${byWhom(change, ' (by ', ')')}`;
}

function byWhom({ byName, isByService }: Change, before: string, after: string): string {
  const name = isByService ? 'the service itself' : byName;
  return name === '' ? '' : `${before}${name}${after}`;
}

/** `(since 12 May 2026, changed by Ada Admin)`, with a space in front. */
export function history(change: Change | undefined): string {
  return change
    ? ` (since ${day(change.at)}${byWhom(change, ', changed by ', '')})`
    : ' (the default, which nobody has changed)';
}

/** A rule as it speaks in a sentence. */
export interface Voice {
  /** Undefined if the caller may not read it. */
  readonly rule: Rule | undefined;
  /** `requires a second factor` becomes a sentence about the rule: whose it is, since when, and by whom. */
  says(predicate: string): string;
}

/** A rule that the caller may not read: that it is there is all that is said of it. */
export const HIDDEN: Voice = {
  rule: undefined,
  says: (predicate) => `A rule that you may not read ${predicate}.`,
};

export function voiceOf(subject: string, rule: Rule, change: Change | undefined): Voice {
  return { rule, says: (predicate) => `${subject} ${predicate}${history(change)}.` };
}
