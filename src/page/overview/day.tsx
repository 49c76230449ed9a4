import type { VNode } from 'preact';
import type { PageContext } from '../part/context.js';

interface DayProps {
  readonly context: Pick<PageContext, 'language'>;
  /** `2026-11-30`, in UTC: it stays that day wherever it is read. */
  readonly day: string;
}

export function Day({ context, day }: DayProps): VNode {
  const format = new Intl.DateTimeFormat(context.language, { dateStyle: 'medium', timeZone: 'UTC' });
  return <time dateTime={day}>{format.format(new Date(day))}</time>;
}

/** A text with a count, written as readers of the language write numbers. */
export function amount({ language }: Pick<PageContext, 'language'>, count: number): string {
  return count.toLocaleString(language);
}
