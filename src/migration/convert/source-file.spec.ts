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

  const lines = '{"a":1}\n{"a":2}\n';
  const utf16 = Buffer.from('{"a":1}', 'utf16le');
  it.each<[string, string | Buffer, string]>([
    ['cut within gzip', gzipSync('{"a":1}'.repeat(2_000)).subarray(0, 40), 'starts like a gzip file, but is not valid'],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), 'seems to be in UTF-16LE, .*iconv -f UTF-16LE'],
    ['UTF-16 without a mark', utf16, 'seems to be in UTF-16LE'],
    ['big-endian UTF-16', Buffer.from(utf16).swap16(), 'seems to be in UTF-16BE'],
    ['UTF-16 in gzip', gzipSync(utf16), 'seems to be in UTF-16LE'],
    ['Latin-1', Buffer.from('[\n{"a":"Zo\xeb"}]', 'latin1'), 'is not UTF-8 at line 2, .*Windows-1252 or Latin-1'],
    ['cut within a character', Buffer.from('["Zo\xc3', 'latin1'), 'is truncated'],
    ['a zip file', Buffer.from('PK\u0003\u0004x'), 'is compressed with zip'],
    ['cut', '[{"a":1},\n', 'is not valid JSON at line 2, where it ends too early'],
    ['without a comma', '[\n{"a":1,\n "b":2 "c":3}]', 'is not valid JSON at line 3, column 10'],
    ['with a bracket too many', '[{"a":1}]\n]', 'at line 2, column 1: something follows the first value'],
    ['two lists', '[{"a":1}]\n[{"a":2}]', 'at line 2, column 1: something follows the first value'],
    ['a merge', '[\n<<<<<<< HEAD\n{"a":1}]', 'at line 2, column 1: there are the marks of a merge'],
    ['a merge of lines', `${lines}=======\n${lines}`, 'at line 3, column 1: there are the marks of a merge'],
    ['a wrong line', `${lines}{"a":x}\n`, 'is not valid JSON at line 3, column 6'],
    ['a list of no objects', '[{"a":1},null]', 'contains something other than objects: null'],
    ['empty', ' \n', 'is empty'],
    ['YAML', 'realm: birkenhof\nusers: []\n', 'is YAML'],
    ['CSV', 'user_id,email\nauth0|1,a@b.test\n', 'is a CSV file: export the users as JSON'],
    ['CSV in quotes', '"Id","Email"\n"1","a@b.test"\n', 'is a CSV file'],
  ])('is refused in one sentence with the place when it is %s', async (name, content, told) => {
    const path = file(name, content);
    await expect(all(objectsOf(path))).rejects.toThrow(new RegExp(`^${path} .*${told}`));
  });

  it('that is far longer than what is read at a time is refused with its line as well', async () => {
    const path = file('long', `[\n${`{"a":"${'x'.repeat(1_000)}"},\n`.repeat(1_000)}{"a" 1}]`);
    await expect(all(objectsOf(path))).rejects.toThrow('at line 1002, column 7');
  });

  it('may be a single object over several lines', async () => {
    expect(await all(objectsOf(file('one', JSON.stringify({ a: { b: 1 } }, undefined, 2))))).toEqual([{ a: { b: 1 } }]);
  });

  it('may be a folder, of which JSON is read in the order of names', async () => {
    file('b.txt', '');
    expect((await filesAt([folder])).map((path) => path.slice(folder.length + 1)).slice(0, 2)).toEqual([
      'a.json',
      'compressed.json',
    ]);
  });
});
