/** WCAG 2.2 §1.4.3: the minimum contrast of text with its background. */
export const READABLE = 4.5;
/** WCAG 2.2 §1.4.11: the minimum contrast of the border of a field. */
export const VISIBLE = 3;

/** Whether it is `#rgb` or `#rrggbb`. */
export function isColor(text: string): boolean {
  return /^#(?:[\da-f]{3}|[\da-f]{6})$/iu.test(text);
}

/** WCAG 2.2, contrast ratio: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** The one with more contrast; it is readable on any colour. */
export function blackOrWhite(on: string): string {
  return contrast('#ffffff', on) >= contrast('#000000', on) ? '#ffffff' : '#000000';
}

/** A mixture of two colours; `share` 0 is the first, 1 the second. */
export function mix(one: string, other: string, share: number): string {
  const parts = channelsOf(one).map((value, index) => Math.round(value + (channelsOf(other)[index]! - value) * share));
  return `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * The colour, or the nearest mixture with `toward` that has the contrast to all of `grounds`; if there is none,
 * `toward`.
 */
export function standingOut(color: string, grounds: readonly string[], toward: string, ratio = READABLE): string {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = share === 0 ? color : mix(color, toward, share);
    if (grounds.every((ground) => contrast(mixed, ground) >= ratio)) return mixed;
  }
  return toward;
}

/** WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function channelsOf(color: string): number[] {
  const digits =
    color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit) : (color.slice(1).match(/../g) ?? []);
  return digits.map((pair) => Number.parseInt(pair, 16));
}
