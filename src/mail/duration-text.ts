const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration in words of a language, in the largest unit without remainder: `5 minutes`. */
export function durationIn(language: string, seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length && seconds % length === 0) ?? UNITS[3];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size);
}
