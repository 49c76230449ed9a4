export const MAX_IMAGE_BYTES = 512 * 1_024;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * The content type by the first bytes, whatever the sender calls it; undefined for what we do not show. SVG is a document
 * that may hold scripts, so it is none of ours.
 */
export function imageFormatOf(content: Buffer): 'image/png' | 'image/jpeg' | undefined {
  if (content.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  return content.subarray(0, JPEG.length).equals(JPEG) ? 'image/jpeg' : undefined;
}
