import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { filesAt, objectsOf, valuesIn } from './source-file.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
}

describe('A file of another service', () => {
  it('is read entry by entry: a list that is asked for as well keeps none of its own', async () => {
    const path = file('a.json', JSON.stringify({ realm: 'x', users: [{ n: 1 }, { n: 2 }], groups: [{ n: 3 }] }));
    const found = await all(valuesIn(path, ['$.*', '$.users.*']));
    expect(found).toEqual([
      { place: ['realm'], value: 'x' },
      { place: ['users', 0], value: { n: 1 } },
      { place: ['users', 1], value: { n: 2 } },
      { place: ['users'], value: [] },
      { place: ['groups'], value: [{ n: 3 }] },
    ]);
  });

  it.each([
    ['plain', (text: string) => Buffer.from(text)],
    ['compressed', (text: string) => gzipSync(text)],
  ])('with an object on each line, or a list of them, is the same when it is %s', async (name, pack) => {
    const objects = [{ text: 'line\u2028and\u2029line' }, { text: 'Ü🚲' }];
    const lines = file(`${name}.ndjson`, pack(`\ufeff${objects.map((each) => JSON.stringify(each)).join('\r\n')}\n\n`));
    const list = file(`${name}.json`, pack(`\ufeff ${JSON.stringify(objects, undefined, 2)}`));
    expect(await all(objectsOf(lines))).toEqual(objects);
    expect(await all(objectsOf(list))).toEqual(objects);
  });

  it.each([
    ['cut within gzip', gzipSync('{"a":1}'.repeat(2_000)).subarray(0, 40)],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['cut', Buffer.from('[{"a":1},')],
  ])('is refused when it is %s', async (name, content) => {
    await expect(all(valuesIn(file(name, content), ['$.*']))).rejects.toThrow(
      `${join(folder, name)} is not valid JSON`,
    );
  });

  it('may be a folder, of which JSON is read in the order of names', async () => {
    file('b.txt', '');
    expect((await filesAt([folder])).map((path) => path.slice(folder.length + 1)).slice(0, 2)).toEqual([
      'a.json',
      'compressed.json',
    ]);
  });
});
