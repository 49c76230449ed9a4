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
  copy[at] = to;
  return copy;
}

describe('An image', () => {
  it.each<[string, Buffer, string]>([
    ['a PNG', png(), 'image/png'],
    ['a PNG of many rows', png({ width: 300, height: 200 }), 'image/png'],
    ['a PNG with a comment', png({ bytes: 2_000 }), 'image/png'],
    ['a JPEG', JPEG, 'image/jpeg'],
    [
      'a JPEG with any number of bytes 0xff before a marker',
      jpegOf(Buffer.of(0xff, 0xff, 0xff), jpegFrame(1, 1), JPEG_SCAN, JPEG_END),
      'image/jpeg',
    ],
    ['a progressive JPEG', jpegOf(changed(jpegFrame(1, 1), 1, 0xc2), JPEG_SCAN, JPEG_END), 'image/jpeg'],
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
    ['the signature of a PNG alone', PNG_SIGNATURE, /no size/],
    [
      'a PNG that says it is 2^31 pixels wide and high',
      pngOf(pngHeader(2_147_483_648, 2_147_483_648), ROW, END),
      /2147483648 by 2147483648 pixels/,
    ],
    ['a PNG of 5,000 pixels that has one', pngOf(pngHeader(5_000, 5_000), ROW, END), /5000 by 5000/],
    ['a PNG of 4,000 by 2,000 pixels', pngOf(pngHeader(4_000, 2_000), ROW, END), /4194304 in all/],
    ['a PNG without a size', pngOf(pngHeader(0, 1), ROW, END), /no size/],
    ['a PNG whose header is not the first', pngOf(ROW, pngHeader(1, 1), END), /no size/],
    ['a PNG whose header is of another length', pngOf(pngHeader(1, 1, [8, 0, 0, 0, 0, 0]), ROW, END), /no size/],
    ['a PNG that is cut off in its header', png().subarray(0, 20), /no size/],
    ['the start of a JPEG alone', Buffer.of(0xff, 0xd8, 0xff), /no size/],
    [
      'a JPEG that text follows its start',
      Buffer.concat([Buffer.of(0xff, 0xd8, 0xff, 0xe0), Buffer.from('JFIF and whatever follows')]),
      /no size/,
    ],
    ['a JPEG of 65,535 pixels each way', jpegOf(jpegFrame(65_535, 65_535), JPEG_SCAN, JPEG_END), /65535 by 65535/],
    ['a JPEG without a size', jpegOf(jpegFrame(1, 0), JPEG_SCAN, JPEG_END), /no size/],
    ['a JPEG without a frame', jpegOf(JPEG_SCAN, JPEG_END), /no size/],
    ['a JPEG that is cut off in its frame', jpegOf(jpegFrame(1, 1).subarray(0, 6)), /no size/],
    ['a JPEG with text between its segments', jpegOf(Buffer.from('<html>'), jpegFrame(1, 1)), /no size/],
    ...[0x00, 0x01, 0xbf, 0xd0, 0xd7, 0xd8, 0xd9].map((marker): [string, Buffer, RegExp] => [
      `a JPEG with the marker ${marker.toString(16)}, which has no length, before its frame`,
      jpegOf(Buffer.of(0xff, marker), jpegFrame(65_535, 65_535), jpegFrame(1, 1)),
      /no size/,
    ]),
    ['a JPEG with a segment of one byte', jpegOf(Buffer.of(0xff, 0xfe, 0, 1), jpegFrame(1, 1)), /no size/],
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
