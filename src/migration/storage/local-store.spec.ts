import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '../../foundation/error/domain-error.js';
import { LocalStore, localNameProblem } from './local-store.js';

let above: string;
let directory: string;
let store: LocalStore;
const never = new AbortController().signal;

beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'gatehouse-store-'));
  directory = join(above, 'moves');
  mkdirSync(directory);
  store = new LocalStore(directory);
});
afterEach(() => rmSync(above, { recursive: true, force: true }));

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof DomainError ? error.reason : error;
}

async function text(name: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await store.read(name, never)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function files(): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

it('keeps a file, in folders that are made for it, and gives it back', async () => {
  await store.write('2026/11/all.json', Readable.from([Buffer.from('{"orgs"'), Buffer.from(':[]}')]), never);
  expect(await text('2026/11/all.json')).toBe('{"orgs":[]}');
  expect(files()).toEqual(['all.json']);
  expect(lstatSync(join(directory, '2026/11/all.json')).mode & 0o777).toBe(0o600);
});

it('does not replace a file that is there', async () => {
  writeFileSync(join(directory, 'all.json'), 'the first');
  expect(await reasonOf(store.write('all.json', Readable.from([Buffer.from('the second')]), never))).toBe(
    'store.object_exists',
  );
  expect(readFileSync(join(directory, 'all.json'), 'utf8')).toBe('the first');
  expect(files()).toEqual(['all.json']);
});

it('keeps one of two that are written at once, whole', async () => {
  const results = await Promise.all(
    ['a', 'b'].map((letter) =>
      reasonOf(store.write('all.json', Readable.from([Buffer.from(letter.repeat(9))]), never)),
    ),
  );
  expect(results.filter((result) => result === undefined)).toHaveLength(1);
  expect(results).toContain('store.object_exists');
  expect(await text('all.json')).toMatch(/^(a{9}|b{9})$/);
});

it('removes what a process left that was killed while it wrote, and nothing else', async () => {
  const [old, young, other] = ['.100.part', '.101.part', '.note'].map((name) => join(directory, name));
  for (const path of [old!, young!, other!]) writeFileSync(path, 'half');
  for (const path of [old!, other!]) utimesSync(path, 0, 0);
  await store.write('all.json', Readable.from([Buffer.from('{}')]), never);
  expect(files().sort()).toEqual(['.101.part', '.note', 'all.json']);
});

describe('Nothing is left when', () => {
  afterEach(() => expect(files()).toEqual([]));

  it('the source fails', async () => {
    const failure = new Error('the database is gone');
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{');
      throw failure;
    }
    await expect(store.write('all.json', failing(), never)).rejects.toBe(failure);
  });

  it('it is given up, with the reason', async () => {
    const controller = new AbortController();
    async function* long(): AsyncGenerator<Uint8Array> {
      for (let count = 0; ; count += 1) {
        if (count === 10) controller.abort(new Error('canceled'));
        yield Buffer.alloc(1_000);
      }
    }
    await expect(store.write('all.json', long(), controller.signal)).rejects.toThrow('canceled');
  });

  it.each([
    ['ENOSPC', 'store.full'],
    ['EDQUOT', 'store.full'],
  ])('the disk reports %s', async (code, reason) => {
    async function* filling(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{');
      throw Object.assign(new Error('write'), { code });
    }
    expect(await reasonOf(store.write('all.json', filling(), never))).toBe(reason);
  });
});

it.each([
  '',
  '/etc/passwd',
  '../x',
  'a/../../x',
  'a//b',
  './a',
  '.hidden',
  'a/.b',
  'a\\b',
  'a\0b',
  'a\nb',
  'a?generation=1',
  'a#b',
  '%2e%2e',
  'gs://other/x',
  'x'.repeat(2_000),
])('refuses the name %j', (name) => {
  expect(localNameProblem(name)).toEqual(expect.any(String));
});

it.each(['all.json', 'all.json.gz', '2026/Märkte & Co'.replace('&', 'und'), 'a b/c@d,e=f(1)~2-3_4+5'])(
  'takes the name %j',
  (name) => {
    expect(localNameProblem(name)).toBeUndefined();
  },
);

describe('Links in the directory', () => {
  beforeEach(() => writeFileSync(join(above, 'secret'), 'secret'));

  it('to a file are not followed', async () => {
    symlinkSync(join(above, 'secret'), join(directory, 'link'));
    expect(await reasonOf(store.read('link', never))).toBe('store.not_readable');
    expect(await reasonOf(store.write('link', Readable.from([Buffer.from('x')]), never))).toBe('store.object_exists');
    expect(readFileSync(join(above, 'secret'), 'utf8')).toBe('secret');
  });

  it('to a folder elsewhere are not followed', async () => {
    symlinkSync(above, join(directory, 'out'));
    expect(await reasonOf(store.read('out/secret', never))).toBe('store.not_readable');
    expect(await reasonOf(store.write('out/new/file', Readable.from([Buffer.from('x')]), never))).toBe(
      'store.not_readable',
    );
    expect(readdirSync(above)).toEqual(['moves', 'secret']);
  });
});

it('reports missing files, and directories in place of a file', async () => {
  mkdirSync(join(directory, 'folder'));
  expect(await reasonOf(store.read('none.json', never))).toBe('store.object_not_found');
  expect(await reasonOf(store.read('folder', never))).toBe('store.not_readable');
});

it('reports that its directory is missing', async () => {
  const gone = new LocalStore(join(above, 'gone'));
  expect(await reasonOf(gone.read('all.json', never))).toBe('store.object_not_found');
  expect(await reasonOf(gone.write('all.json', Readable.from([Buffer.from('x')]), never))).toBe('store.read_only');
});
