import { crc32, inflateSync } from 'node:zlib';
import { sizeProblem } from './image-size.js';

/** Length, type and checksum of a chunk: PNG §5.3, in its third edition. */
const AROUND_DATA = 12;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** PNG §11.2.1: the contents of IHDR. */
interface Header {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  readonly isInterlaced: boolean;
  readonly needsPalette: boolean;
}

/** PNG §11.2.1, table 11: samples per pixel and allowed bit depths, by colour type. */
const COLOR_TYPES: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

/** PNG §8.1: the start and the steps of each pass of an interlaced image. */
const PASSES = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
] as const;

/** What is wrong with a PNG, given everything after the signature. */
export function pngProblem(content: Buffer): string | undefined {
  const chunks = readChunks(content);
  if (typeof chunks === 'string') return chunks;
  const header = readHeader(chunks[0]!);
  if (typeof header === 'string') return header;
  return orderProblem(chunks, header) ?? dataProblem(chunks, header);
}

/** The chunks, up to IEND and to the last byte. */
function readChunks(content: Buffer): Chunk[] | string {
  const chunks: Chunk[] = [];
  for (let at = 0; at < content.length; ) {
    if (content.length - at < AROUND_DATA) return 'it is cut off';
    const length = content.readUInt32BE(at);
    if (length > content.length - at - AROUND_DATA) return 'it is cut off';
    const body = content.subarray(at + 4, at + 8 + length);
    const type = body.subarray(0, 4).toString('latin1');
    if (!/^[A-Za-z]{4}$/.test(type)) return 'it holds a chunk without a name';
    if (crc32(body) !== content.readUInt32BE(at + 8 + length)) return `the checksum of its chunk ${type} is wrong`;
    chunks.push({ type, data: body.subarray(4) });
    at += AROUND_DATA + length;
    if (type === 'IEND') return at === content.length ? chunks : 'there is data after its end';
  }
  return 'it has no end';
}

function readHeader({ type, data }: Chunk): Header | string {
  if (type !== 'IHDR' || data.length !== 13) return 'it does not begin with its header';
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [depth, colorType] = [data.readUInt8(8), data.readUInt8(9)];
  const [compression, filter, interlace] = [data.readUInt8(10), data.readUInt8(11), data.readUInt8(12)];
  const color = COLOR_TYPES[colorType];
  if (!color?.depths.includes(depth)) return 'its colours are of no known type';
  if (compression !== 0 || filter !== 0 || interlace > 1) return 'it is packed in an unknown way';
  return (
    sizeProblem(width, height) ?? {
      width,
      height,
      bitsPerPixel: color.samples * depth,
      isInterlaced: interlace === 1,
      needsPalette: colorType === 3,
    }
  );
}

/** PNG §5.6: the header once, the palette before the data, the data contiguous. Other critical chunks are unknown. */
function orderProblem(chunks: readonly Chunk[], { needsPalette }: Header): string | undefined {
  const types = chunks.map(({ type }) => type);
  const [firstData, lastData] = [types.indexOf('IDAT'), types.lastIndexOf('IDAT')];
  if (firstData < 0) return 'it has no data';
  if (types.lastIndexOf('IHDR') > 0) return 'it has two headers';
  if (types.slice(firstData, lastData).some((type) => type !== 'IDAT')) return 'its data is interrupted';
  const palette = types.indexOf('PLTE');
  if (types.lastIndexOf('PLTE') !== palette || palette > firstData || (needsPalette && palette < 0))
    return 'its palette is not where it must be';
  // An upper-case first letter marks a critical chunk, which no reader may skip (PNG §5.4).
  const unknown = types.find((type) => /^[A-Z]/.test(type) && !['IHDR', 'PLTE', 'IDAT', 'IEND'].includes(type));
  if (unknown !== undefined) return `it holds the unknown chunk ${unknown}`;
  return chunks.at(-1)!.data.length > 0 ? 'its end is not empty' : undefined;
}

/**
 * The data must decompress to exactly the rows that the header declares, each with its filter byte (PNG §7.2, §9.2).
 */
function dataProblem(chunks: readonly Chunk[], header: Header): string | undefined {
  const expected = passesOf(header).reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0);
  const packed = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])));
  let unpacked: Buffer;
  try {
    const { buffer, engine } = inflateSync(packed, { maxOutputLength: expected, info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (engine.bytesWritten !== packed.length) return 'there is compressed data after its end';
    unpacked = buffer;
  } catch {
    return 'its data cannot be unpacked to the size that it says it has';
  }
  if (unpacked.length !== expected) return 'it has less data than the size that it says it has';
  let at = 0;
  for (const { rows, rowBytes } of passesOf(header)) {
    for (let row = 0; row < rows; row += 1, at += rowBytes)
      if (unpacked[at]! > 4) return 'its data is filtered in an unknown way';
  }
  return undefined;
}

function passesOf({ width, height, bitsPerPixel, isInterlaced }: Header): Array<{ rows: number; rowBytes: number }> {
  const parts = isInterlaced
    ? PASSES.map(({ x, y, dx, dy }) => ({ columns: Math.ceil((width - x) / dx), rows: Math.ceil((height - y) / dy) }))
    : [{ columns: width, rows: height }];
  return parts
    .filter(({ columns, rows }) => columns > 0 && rows > 0)
    .map(({ columns, rows }) => ({ rows, rowBytes: 1 + Math.ceil((columns * bitsPerPixel) / 8) }));
}
