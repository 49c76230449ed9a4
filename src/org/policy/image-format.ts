import { jpegProblem } from './jpeg.js';
import { pngProblem } from './png.js';

export const MAX_IMAGE_BYTES = 512 * 1_024;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

export type ImageType = 'image/png' | 'image/jpeg';

/** The format of an image, or what is wrong with it: `must be a PNG or a JPEG`. */
export type ReadImage = { readonly contentType: ImageType } | { readonly problem: string };

/**
 * Checks the bytes of an image, whatever type the sender states, from the first to the last: a file that is truncated,
 * inconsistent or followed by other data is refused, because a less strict reader could take it for something else. SVG
 * is not accepted: it is a document that may contain scripts.
 */
export function readImage(content: Buffer): ReadImage {
  const contentType = contentTypeOf(content);
  if (contentType === undefined) return { problem: 'must be a PNG or a JPEG' };
  const problem = contentType === 'image/png' ? pngProblem(content.subarray(PNG.length)) : jpegProblem(content);
  return problem === undefined
    ? { contentType }
    : { problem: `must be a whole ${contentType === 'image/png' ? 'PNG' : 'JPEG'}: ${problem}` };
}

function contentTypeOf(content: Buffer): ImageType | undefined {
  if (content.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  return content.subarray(0, JPEG.length).equals(JPEG) ? 'image/jpeg' : undefined;
}
