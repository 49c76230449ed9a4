import type { VNode } from 'preact';
import type { PageContext } from './context.js';

/** Shows the time to the minute, or only the day. */
type Precision = 'minute' | 'day';

interface MomentProps {
  readonly context: Pick<PageContext, 'language'>;
  readonly at: Date;
  readonly to: Precision;
  /** The time zone of the reader, if they have said it. */
  readonly timeZone: string | undefined;
}

const PARTS: Readonly<Record<Precision, Intl.DateTimeFormatOptions>> = {
  minute: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'medium' },
};

/**
 * A moment in the time of the reader: of their profile, or else of the browser, which a script asks (`login.js`).
 * Without either it is in UTC, and says so.
 */
export function Moment({ context, at, to, timeZone }: MomentProps): VNode {
  const text = new Intl.DateTimeFormat(context.language, { ...PARTS[to], timeZone: timeZone ?? 'UTC' }).format(at);
  return (
    <time dateTime={at.toISOString()} data-local={timeZone === undefined ? to : undefined}>
      {timeZone === undefined ? `${text} UTC` : text}
    </time>
  );
}
