export const MAX_IMAGE_BYTES = 512 * 1_024;

/** Larger than any logo is shown. What browsers decode may be as large as it says, however few bytes it has. */
const MAX_SIDE = 4_096;
const MAX_PIXELS = 4_194_304;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** The first chunk of a PNG (Third Edition, clauses 5.6 and 11.2.1), with its length before its name. */
const IHDR = Buffer.from('\0\0\0\x0dIHDR', 'latin1');

/* Markers of ITU-T T.81, table B.1: the second byte, after 0xff. */
const SOF0 = 0xc0;
const SOF15 = 0xcf;
/** Tables and a reserved marker among the start-of-frame markers. */
const NO_FRAME = [0xc4, 0xc8, 0xcc];
/** Markers from the first restart to the start of a scan: none may precede the frame, and most have no length. */
const RST0 = 0xd0;
const SOS = 0xda;

export type ImageType = 'image/png' | 'image/jpeg';

/** The format of an image, or what is wrong with it: `must be a PNG or a JPEG`. */
export type ReadImage = { readonly contentType: ImageType } | { readonly problem: string };

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Tells the format of an image by its bytes, whatever type the sender states, and whether a browser can be asked to
 * decode it. SVG is not accepted: it is a document that may contain scripts.
 */
export function readImage(content: Buffer): ReadImage {
  if (content.subarray(0, PNG.length).equals(PNG)) return ofSize('image/png', pngSize(content));
  if (content.subarray(0, JPEG.length).equals(JPEG)) return ofSize('image/jpeg', jpegSize(content));
  return { problem: 'must be a PNG or a JPEG' };
}

function ofSize(contentType: ImageType, size: Size | undefined): ReadImage {
  const problem = sizeProblem(size);
  if (problem === undefined) return { contentType };
  return { problem: `must be a whole ${contentType === 'image/png' ? 'PNG' : 'JPEG'}: ${problem}` };
}

function sizeProblem(size: Size | undefined): string | undefined {
  if (!size?.width || !size.height) return 'it has no size';
  const { width, height } = size;
  if (width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS) return undefined;
  return `it says that it has ${width} by ${height} pixels, and may have ${MAX_SIDE} in each direction and ${MAX_PIXELS} in all`;
}

function pngSize(content: Buffer): Size | undefined {
  const at = PNG.length + IHDR.length;
  if (!content.subarray(PNG.length, at).equals(IHDR) || content.length < at + 8) return undefined;
  return { width: content.readUInt32BE(at), height: content.readUInt32BE(at + 4) };
}

/**
 * The size in the frame, behind the segments that may precede it. Nothing else is skipped: a decoder that skips it
 * otherwise would find another frame (ITU-T T.81 §B.2.2).
 */
function jpegSize(content: Buffer): Size | undefined {
  for (let at = 2; content.length >= at + 9; ) {
    const marker = content[at + 1]!;
    if (content[at] !== 0xff) return undefined;
    if (marker === 0xff) {
      at += 1; // ITU-T T.81 §B.1.1.2: any number of them may precede a marker
      continue;
    }
    if (isFrame(marker)) return { height: content.readUInt16BE(at + 5), width: content.readUInt16BE(at + 7) };
    const length = content.readUInt16BE(at + 2);
    if (marker < SOF0 || (marker >= RST0 && marker <= SOS) || length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

function isFrame(marker: number): boolean {
  return marker >= SOF0 && marker <= SOF15 && !NO_FRAME.includes(marker);
}
