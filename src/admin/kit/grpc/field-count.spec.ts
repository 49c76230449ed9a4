import { fromJson, toBinary } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { hasMoreFields } from './field-count.js';
import { GOOGLE_FILES } from './google-files.js';
import { describeProtos } from './proto-descriptors.js';

const REGISTRY = describeProtos([
  ...GOOGLE_FILES,
  {
    path: 'tree.proto',
    package: 'test',
    imports: [],
    messages: [
      {
        name: 'Tree',
        fields: [
          { name: 'name', number: 1, type: { scalar: 'string' } },
          { name: 'child', number: 2, type: { message: 'test.Tree' }, many: true },
        ],
      },
    ],
  },
]);
const TREE = REGISTRY.getMessage('test.Tree')!;

const name = (text: string): number[] => [0x0a, text.length, ...Buffer.from(text)];
const child = (...content: number[]): number[] => [0x12, content.length, ...content];
const unknown = [0x50, 1];

it.each([
  ['an empty message', [], 0],
  ['texts', [...name('a'), ...name('b')], 2],
  ['nested messages and what is in them', [...child(...name('a'), ...child()), ...name('b')], 4],
  ['unknown fields', [...unknown, ...unknown, ...child(...unknown)], 4],
])('counts %s', (_, bytes, count) => {
  expect(hasMoreFields(TREE, Buffer.from(bytes), count)).toBe(false);
  if (count > 0) expect(hasMoreFields(TREE, Buffer.from(bytes), count - 1)).toBe(true);
});

it('counts the members of a Struct, which are a map', () => {
  const struct = REGISTRY.getMessage('google.protobuf.Struct')!;
  const bytes = toBinary(struct, fromJson(struct, { a: { b: 1, c: [true, null] } }));
  // Entry, key, value, struct; twice entry, key, value; list, two values.
  const count = Array.from({ length: 40 }, (_, n) => n).find((n) => !hasMoreFields(struct, bytes, n));
  expect(count).toBe(16);
});

it('leaves what cannot be read to the decoder', () => {
  expect(hasMoreFields(TREE, Buffer.from([0x0a, 0x7f, 65]), 10)).toBe(false);
  expect(hasMoreFields(TREE, Buffer.from([0x12, 0x02, 0x0a]), 10)).toBe(false);
});

it('stops at the limit, however long the message is', () => {
  const bytes = Buffer.alloc(100_000, Buffer.from([0x12, 0]));
  expect(hasMoreFields(TREE, bytes, 10_000)).toBe(true);
  expect(hasMoreFields(TREE, bytes, 49_999)).toBe(true);
  expect(hasMoreFields(TREE, bytes, 50_000)).toBe(false);
});

it('does not overflow the stack on deep nesting', () => {
  let bytes: Buffer = Buffer.alloc(0);
  for (let depth = 0; depth < 2_000; depth += 1) {
    const length: number[] = [];
    for (let rest = bytes.length; ; rest >>>= 7) {
      if (rest < 0x80) {
        length.push(rest);
        break;
      }
      length.push((rest & 0x7f) | 0x80);
    }
    bytes = Buffer.concat([Buffer.from([0x12, ...length]), bytes]);
  }
  expect(hasMoreFields(TREE, bytes, 1_999)).toBe(true);
  expect(hasMoreFields(TREE, bytes, 2_000)).toBe(false);
});
