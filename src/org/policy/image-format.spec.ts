import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import {
  JPEG,
  JPEG_END,
  JPEG_SCAN,
  JPEG_START,
  jpegFrame,
  jpegSegment,
  PNG_SIGNATURE,
  png,
  pngChunk,
  pngHeader,
} from '../../../test/support/images.js';
import { readImage } from './image-format.js';

const ROW = pngChunk('IDAT', deflateSync(Buffer.of(0, 0)));
const END = pngChunk('IEND');
const pngOf = (...chunks: readonly Buffer[]): Buffer => Buffer.concat([PNG_SIGNATURE, ...chunks]);
const jpegOf = (...parts: readonly Buffer[]): Buffer => Buffer.concat([JPEG_START, ...parts]);

function changed(content: Buffer, at: number, to: number): Buffer {
  const copy = Buffer.from(content);
  copy[at < 0 ? copy.length + at : at] = to;
  return copy;
}

describe('An image', () => {
  it.each<[string, Buffer, string]>([
    ['a PNG', png(), 'image/png'],
    ['a PNG of many rows', png({ width: 300, height: 200 }), 'image/png'],
    ['a PNG with a comment', png({ bytes: 2_000 }), 'image/png'],
    [
      'a PNG in pieces',
      pngOf(
        pngHeader(1, 1),
        pngChunk('IDAT', deflateSync(Buffer.of(0, 0)).subarray(0, 4)),
        pngChunk('IDAT', deflateSync(Buffer.of(0, 0)).subarray(4)),
        END,
      ),
      'image/png',
    ],
    [
      'a PNG with a palette',
      pngOf(pngHeader(3, 1, [2, 3, 0, 0, 0]), pngChunk('PLTE', Buffer.alloc(12)), ROW, END),
      'image/png',
    ],
    [
      'an interlaced PNG',
      pngOf(pngHeader(2, 2, [8, 0, 0, 0, 1]), pngChunk('IDAT', deflateSync(Buffer.of(0, 1, 0, 1, 0, 1, 1))), END),
      'image/png',
    ],
    [
      'a PNG with colours and transparency',
      pngOf(pngHeader(1, 1, [16, 6, 0, 0, 0]), pngChunk('IDAT', deflateSync(Buffer.alloc(9))), END),
      'image/png',
    ],
    ['a JPEG', JPEG, 'image/jpeg'],
    [
      'a JPEG with restarts and stuffed bytes',
      jpegOf(jpegFrame(1, 1), JPEG_SCAN, Buffer.of(0xff, 0, 0xff, 0xd0, 1, 0xff, 0xff, 0xd9)),
      'image/jpeg',
    ],
    ['a JPEG of several scans', jpegOf(jpegFrame(1, 1), JPEG_SCAN, JPEG_SCAN, JPEG_END), 'image/jpeg'],
    [
      'a JPEG whose comment holds an end',
      jpegOf(jpegSegment(0xfe, [0xff, 0xd9]), jpegFrame(1, 1), JPEG_SCAN, JPEG_END),
      'image/jpeg',
    ],
  ])('is %s', (_, content, contentType) => {
    expect(readImage(content)).toEqual({ contentType });
  });

  it.each<[string, Buffer, RegExp]>([
    ['nothing', Buffer.alloc(0), /^must be a PNG or a JPEG$/],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /^must be a PNG or a JPEG$/],
    ['a GIF', Buffer.from('GIF89a'), /^must be a PNG or a JPEG$/],
    ['the signature of a PNG alone', PNG_SIGNATURE, /no end/],
    [
      'a PNG that says it is 2^31 pixels wide and high',
      pngOf(pngHeader(2_147_483_648, 2_147_483_648), ROW, END),
      /2147483648 by 2147483648 pixels/,
    ],
    ['a PNG of 5,000 pixels that has one', pngOf(pngHeader(5_000, 5_000), ROW, END), /5000 by 5000/],
    ['a PNG of 4,000 by 2,000 pixels', pngOf(pngHeader(4_000, 2_000), ROW, END), /4194304 in all/],
    ['a PNG without a size', pngOf(pngHeader(0, 1), ROW, END), /no size/],
    ['a PNG of two pixels that has one', pngOf(pngHeader(2, 1), ROW, END), /less data/],
    [
      'a PNG of one pixel that has two',
      pngOf(pngHeader(1, 1), pngChunk('IDAT', deflateSync(Buffer.of(0, 0, 0))), END),
      /cannot be unpacked/,
    ],
    [
      'a PNG that unpacks to a gigabyte',
      pngOf(pngHeader(1, 1), pngChunk('IDAT', deflateSync(Buffer.alloc(1_000_000))), END),
      /cannot be unpacked/,
    ],
    [
      'a PNG whose data is none',
      pngOf(pngHeader(1, 1), pngChunk('IDAT', Buffer.from('data')), END),
      /cannot be unpacked/,
    ],
    [
      'a PNG with compressed data after its end',
      pngOf(
        pngHeader(1, 1),
        pngChunk('IDAT', Buffer.concat([deflateSync(Buffer.of(0, 0)), Buffer.from('<script>')])),
        END,
      ),
      /compressed data after its end/,
    ],
    [
      'a PNG with an unknown filter',
      pngOf(pngHeader(1, 1), pngChunk('IDAT', deflateSync(Buffer.of(5, 0))), END),
      /filtered/,
    ],
    ['a PNG with a broken checksum', changed(png(), PNG_SIGNATURE.length + 8, 1), /checksum of its chunk IHDR/],
    ['a PNG with a broken end', changed(png(), -1, 0), /checksum of its chunk IEND/],
    ['a PNG that a page follows', Buffer.concat([png(), Buffer.from('<html>')]), /data after its end/],
    ['a PNG that is cut off', png().subarray(0, -5), /cut off/],
    ['a PNG whose chunk is longer than the file', changed(png(), PNG_SIGNATURE.length, 0xff), /cut off/],
    ['a PNG without a header', pngOf(ROW, END), /begin with its header/],
    ['a PNG with two headers', pngOf(pngHeader(1, 1), pngHeader(1, 1), ROW, END), /two headers/],
    ['a PNG without data', pngOf(pngHeader(1, 1), END), /no data/],
    ['a PNG whose data is interrupted', pngOf(pngHeader(1, 1), ROW, pngChunk('tEXt'), ROW, END), /interrupted/],
    ['a PNG without its palette', pngOf(pngHeader(1, 1, [8, 3, 0, 0, 0]), ROW, END), /palette/],
    ['a PNG of unknown colours', pngOf(pngHeader(1, 1, [3, 0, 0, 0, 0]), ROW, END), /colours/],
    ['a PNG that is packed otherwise', pngOf(pngHeader(1, 1, [8, 0, 1, 0, 0]), ROW, END), /packed/],
    [
      'a PNG with an unknown chunk that matters',
      pngOf(pngHeader(1, 1), pngChunk('EVIL'), ROW, END),
      /unknown chunk EVIL/,
    ],
    ['a PNG with a chunk without a name', pngOf(pngHeader(1, 1), pngChunk('a<b>'), ROW, END), /without a name/],
    ['the start of a JPEG alone', Buffer.of(0xff, 0xd8, 0xff), /cut off/],
    [
      'a JPEG that text follows its start',
      Buffer.concat([Buffer.of(0xff, 0xd8, 0xff, 0xe0), Buffer.from('JFIF and whatever follows')]),
      /cut off/,
    ],
    ['a JPEG that a page follows', Buffer.concat([JPEG, Buffer.from('<html>')]), /data after its end/],
    ['two JPEGs', Buffer.concat([JPEG, JPEG]), /data after its end/],
    ['a JPEG that is cut off', JPEG.subarray(0, -2), /no end/],
    ['a JPEG of 65,535 pixels each way', jpegOf(jpegFrame(65_535, 65_535), JPEG_SCAN, JPEG_END), /65535 by 65535/],
    ['a JPEG without a size', jpegOf(jpegFrame(1, 0), JPEG_SCAN, JPEG_END), /no size/],
    ['a JPEG without a frame', jpegOf(JPEG_SCAN, JPEG_END), /scans is broken/],
    ['a JPEG without a scan', jpegOf(jpegFrame(1, 1), JPEG_END), /no data/],
    ['a JPEG with two frames', jpegOf(jpegFrame(1, 1), jpegFrame(1, 1), JPEG_SCAN, JPEG_END), /two frames/],
    [
      'a JPEG with a broken frame',
      jpegOf(jpegSegment(0xc0, [8, 0, 1, 0, 1, 3]), JPEG_SCAN, JPEG_END),
      /frame is broken/,
    ],
    [
      'a JPEG with text between its segments',
      jpegOf(Buffer.from('<html>'), jpegFrame(1, 1), JPEG_SCAN, JPEG_END),
      /between its segments/,
    ],
    ['a JPEG with a start within', jpegOf(Buffer.of(0xff, 0xd8), jpegFrame(1, 1), JPEG_SCAN, JPEG_END), /marker/],
    [
      'a JPEG with a segment of one byte',
      jpegOf(Buffer.of(0xff, 0xfe, 0, 1), jpegFrame(1, 1), JPEG_SCAN, JPEG_END),
      /cut off/,
    ],
  ])('is not %s', (_, content, problem) => {
    expect(readImage(content)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('is refused or read, for any bytes, and never throws', () => {
    let state = 7;
    const dice = (sides: number): number => (state = (state * 48_271) % 2_147_483_647) % sides;
    for (let round = 0; round < 2_000; round += 1) {
      const image = Buffer.from(round % 2 === 0 ? png({ width: 9, height: 9 }) : JPEG);
      for (let changes = dice(4); changes >= 0; changes -= 1) image[dice(image.length)] = dice(256);
      expect(Object.keys(readImage(image.subarray(0, dice(image.length + 1))))).toHaveLength(1);
    }
  });
});
