/*
 * Values of protocol buffers in JSON, as requests and documents of a migration contain them
 * (https://protobuf.dev/programming-guides/json/).
 */

/** RFC 3339 §5.6 */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** The requirement of `parseTime`. */
export const TIME_RULE = 'must be a time like 2030-01-31T12:00:00Z';

export function parseTime(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !TIME.test(value) || !isDay(value.slice(0, 10))) return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** `Date` takes the 30th of February for the 2nd of March. */
function isDay(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** The seconds of a duration such as `3600s`. */
export function parseDuration(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^(\d{1,12}(?:\.\d{1,9})?)s$/.exec(value) : null;
  return match ? Number(match[1]) : undefined;
}

/** Reads base64 in either alphabet, padded or not (RFC 4648 §4, §5). */
export function parseBase64(value: unknown): Buffer | undefined {
  if (typeof value !== 'string') return undefined;
  const [, digits = '', padding = ''] = /^([A-Za-z0-9+/_-]*)(={0,2})$/.exec(value) ?? [];
  const isWhole =
    digits.length + padding.length === value.length &&
    digits.length % 4 !== 1 &&
    (padding === '' || value.length % 4 === 0);
  return isWhole ? Buffer.from(value, 'base64') : undefined;
}
