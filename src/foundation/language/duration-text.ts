const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long to wait, in whole minutes, so that it is over when they are: `15 minutes`, `1 hour`. */
export function waitIn(language: string, seconds: number): string {
  return durationIn(language, Math.max(1, Math.ceil(seconds / 60)) * 60);
}

/** A duration in words of a language, in the largest unit without remainder: `5 minutes`. */
export function durationIn(language: string, seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length && seconds % length === 0) ?? UNITS[3];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size);
}
