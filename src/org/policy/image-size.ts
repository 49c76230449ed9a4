/** Larger than any logo is shown; a larger one only burdens the browsers that decode it. */
const MAX_SIDE = 4_096;
const MAX_PIXELS = 4_194_304;

/** What is wrong with the declared size of an image. */
export function sizeProblem(width: number, height: number): string | undefined {
  if (width === 0 || height === 0) return 'it has no size';
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) {
    return `it says that it has ${width} by ${height} pixels, and may have ${MAX_SIDE} in each direction and ${MAX_PIXELS} in all`;
  }
  return undefined;
}
