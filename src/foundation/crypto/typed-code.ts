/** No code of ours is longer. */
const MAX_CHARACTERS = 200;

/**
 * A code that somebody has typed or pasted, without what does not matter: blanks and hyphens, letter case, and the
 * width and script of digits, which keyboards for other languages type.
 */
export function plainCode(typed: string): string {
  const signs = typed
    .slice(0, MAX_CHARACTERS)
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '');
  return signs.replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit))).toUpperCase();
}

/** The ten digits of a script follow one another in Unicode. */
function valueOf(digit: string): number {
  const place = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(place - value - 1))) value += 1;
  return value;
}
