const UNIT_MS = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const PART = /(\d{1,9}(?:\.\d{1,9})?)(ns|us|µs|\u03BCs|ms|s|m|h)/gu;
const WHOLE = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ns|us|µs|\u03BCs|ms|s|m|h))+$/u;
const MAX_MS = 86_400_000;
/** The time limit of requests that name none. */
export const DEFAULT_TIMEOUT_MS = 1_800_000;

export const TIMEOUT_RULE = 'must be a duration such as 90s, 30m or 1h30m, of more than nothing and at most 24h';

/** Parses a duration like `1h30m` into milliseconds; undefined if it is malformed or out of range. */
export function parseTimeout(text: string): number | undefined {
  if (text === '') return DEFAULT_TIMEOUT_MS;
  if (text.length > 100 || !WHOLE.test(text)) return undefined;
  const total = [...text.matchAll(PART)].reduce(
    (sum, [, figure, unit]) => sum + Number(figure) * UNIT_MS[unit as keyof typeof UNIT_MS],
    0,
  );
  return total > 0 && total <= MAX_MS ? total : undefined;
}
