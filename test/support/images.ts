import { crc32, deflateSync } from 'node:zlib';

/* Images made by the specifications: PNG (Third Edition) and ITU-T T.81. */

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function pngChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

export function pngHeader(width: number, height: number, rest: readonly number[] = [8, 0, 0, 0, 0]): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return pngChunk('IHDR', Buffer.concat([size, Buffer.from(rest)]));
}

/** A grey PNG; `bytes`: as long as that, by a comment. */
export function png({
  width = 1,
  height = 1,
  bytes,
  shade = 0,
}: {
  width?: number;
  height?: number;
  bytes?: number;
  shade?: number;
} = {}): Buffer {
  const rows = Buffer.concat(
    Array.from({ length: height }, () => Buffer.concat([Buffer.of(0), Buffer.alloc(width, shade)])),
  );
  const [start, end] = [
    [PNG_SIGNATURE, pngHeader(width, height), pngChunk('IDAT', deflateSync(rows))],
    pngChunk('IEND'),
  ];
  const room = bytes === undefined ? undefined : bytes - Buffer.concat([...start, end]).length - 12;
  return Buffer.concat([...start, ...(room === undefined ? [] : [pngChunk('tEXt', Buffer.alloc(room, 'x'))]), end]);
}

export function jpegSegment(marker: number, data: readonly number[]): Buffer {
  return Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data]);
}

export function jpegFrame(width: number, height: number): Buffer {
  return jpegSegment(0xc0, [8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1, 1, 0x11, 0]);
}

/** One code, of one bit, for the value 0. */
function table(id: number): Buffer {
  return jpegSegment(0xc4, [id, 1, ...Array<number>(15).fill(0), 0]);
}

export const JPEG_SCAN = Buffer.concat([jpegSegment(0xda, [1, 1, 0, 0, 63, 0]), Buffer.of(0x3f)]);
export const JPEG_END = Buffer.of(0xff, 0xd9);
export const JPEG_START = Buffer.concat([
  Buffer.of(0xff, 0xd8),
  jpegSegment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
  jpegSegment(0xdb, [0, ...Array<number>(64).fill(1)]),
]);

/** A grey JPEG of one pixel. */
export const JPEG = Buffer.concat([JPEG_START, jpegFrame(1, 1), table(0x00), table(0x10), JPEG_SCAN, JPEG_END]);
