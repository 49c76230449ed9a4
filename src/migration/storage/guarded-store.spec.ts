import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '../../foundation/error/domain-error.js';
import { PartCalls } from '../../foundation/extension/part-calls.js';
import { PartRecord } from '../../foundation/extension/part-record.js';
import type { Logger } from '../../foundation/log/logger.js';
import { Tallies } from '../../foundation/metrics/tallies.js';
import { Clock } from '../../foundation/time/clock.js';
import { GuardedStore } from './guarded-store.js';
import { type ExtObjectStore, OBJECT_STORE, ObjectExists, ObjectMissing } from './object-store.js';

interface Line {
  readonly err: Error;
  readonly extension: string;
  readonly seam: string;
  readonly part: string;
}

const PATH = '2026/all.json';
const SILENCE_MS = 100;
const GRACE_MS = 50;

let logged: Line[];
let tallies: Tallies;
let calls: PartCalls;
beforeEach(() => {
  logged = [];
  tallies = new Tallies();
  calls = new PartCalls(
    { error: (line: Line) => logged.push(line) } as unknown as Logger,
    new PartRecord(tallies, new Clock()),
  );
});

const never = new AbortController().signal;
const hang = () => new Promise<never>(() => undefined);

function guarded(part: Partial<ExtObjectStore>): GuardedStore {
  const whole = { name: 'vault', write: hang, read: hang, ...part };
  return new GuardedStore({ extension: 'hr', name: 'Vault', part: whole }, calls, {
    silenceMs: SILENCE_MS,
    graceMs: GRACE_MS,
  });
}

async function* pieces(count = 3): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield Buffer.from(`piece ${index} `);
}

async function drain(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const piece of content) chunks.push(piece);
  return Buffer.concat(chunks).toString();
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function readAll(part: Partial<ExtObjectStore>, signal = never): Promise<string> {
  return drain(await guarded(part).read(PATH, signal));
}

/** The reason of the refusal; a failure of the extension must be in the log, named and counted, once. */
async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await errorOf(work);
  if (!(error instanceof DomainError)) throw new Error(`Not refused: ${String(error)}`);
  return error.reason;
}

function expectOneFailure(message: RegExp): void {
  expect(logged.map(({ extension, seam, part }) => ({ extension, seam, part }))).toEqual([
    { extension: 'hr', seam: 'OBJECT_STORE', part: 'Vault' },
  ]);
  expect(logged[0]!.err.message).toMatch(message);
  expect(Object.fromEntries(tallies.of('extensionFailures'))).toEqual({ 'hr/OBJECT_STORE': 1 });
}

describe('A write into an object store of an extension', () => {
  it('hands on the content, piece by piece as the store asks for it', async () => {
    let made = 0;
    const content = (async function* counting() {
      for (; made < 100; ) {
        made += 1;
        yield Buffer.from('x');
      }
    })();
    let taken = 0;
    await guarded({
      write: async (path, given) => {
        expect(path).toBe(PATH);
        for await (const _ of given) {
          taken += 1;
          expect(made).toBe(taken);
        }
      },
    }).write(PATH, content, never);
    expect([made, taken, logged]).toEqual([100, 100, []]);
  });

  it.each<[string, ExtObjectStore['write'], RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no disk');
      },
      /^no disk$/,
    ],
    ['rejects with something that is no error', () => rejection('no disk'), /^no disk$/],
    ['hangs', hang, /^It goes on 50 ms after its signal was aborted\.$/],
    [
      'hears the signal when it was too slow',
      async (_, __, signal) => stopped(signal),
      /^Nothing has happened for 100 ms\.$/,
    ],
    [
      'stops reading',
      async (_, content, signal) => void (await content[Symbol.asyncIterator]().next(), await stopped(signal)),
      /^Nothing has/,
    ],
    [
      'is content with the beginning',
      async (_, content) => void (await content[Symbol.asyncIterator]().next()),
      /^write has resolved although/,
    ],
    ['reads nothing', async () => undefined, /^write has resolved although its content had not ended\.$/],
  ])('that %s fails the job, and the log names the extension', async (_, write, message) => {
    expect(await reasonOf(guarded({ write }).write(PATH, pieces(), never))).toBe('extension.object_store_failed');
    expectOneFailure(message);
  });

  it('that takes long, but goes on, is left alone', async () => {
    await guarded({
      write: async (_, content) => {
        for await (const _piece of content) await sleep(SILENCE_MS * 0.6);
      },
    }).write(PATH, pieces(4), never);
    expect(logged).toEqual([]);
  });

  it('is not blamed for content that comes slowly', async () => {
    const slow = (async function* slowly() {
      yield Buffer.from('a');
      await sleep(SILENCE_MS * 2);
      yield Buffer.from('b');
    })();
    await guarded({ write: async (_, content) => void (await drain(content)) }).write(PATH, slow, never);
    expect(logged).toEqual([]);
  });

  it.each<[string, (path: string, content: AsyncIterable<Uint8Array>) => Promise<void>, number]>([
    ['rejects with it', async (_, content) => void (await drain(content)), 0],
    [
      'has another error',
      (_, content) =>
        drain(content).then(
          () => undefined,
          () => Promise.reject(new Error('broken pipe')),
        ),
      0,
    ],
    [
      'swallows it',
      (_, content) =>
        drain(content).then(
          () => undefined,
          () => undefined,
        ),
      1,
    ],
  ])('whose content fails ends with the error of the content, when the store %s', async (_, write, lines) => {
    const failing = (async function* fails() {
      yield Buffer.from('a');
      throw new Error('the database is gone');
    })();
    expect(await errorOf(guarded({ write }).write(PATH, failing, never))).toEqual(new Error('the database is gone'));
    expect(logged).toHaveLength(lines);
  });

  it.each<[string, ExtObjectStore['write'], number]>([
    ['hears the signal', async (_, __, signal) => stopped(signal), 0],
    ['only reads the content', async (_, content) => void (await drain(content)), 0],
    ['does not hear the signal, which the log says', hang, 1],
  ])('is ended by the signal of the job, when the store %s', async (_, write, lines) => {
    const stop = new AbortController();
    const error = errorOf(guarded({ write }).write(PATH, hangsInTheMiddle(), stop.signal));
    await sleep(10);
    stop.abort(new Error('cancelled'));
    expect(await error).toEqual(new Error('cancelled'));
    expect(logged).toHaveLength(lines);
  });

  it('gives nothing of the content to a store whose call has ended', async () => {
    let later: AsyncIterator<Uint8Array> | undefined;
    let hasReturned = false;
    const content = (async function* watched() {
      try {
        for (;;) yield Buffer.from('a');
      } finally {
        hasReturned = true;
      }
    })();
    const write: ExtObjectStore['write'] = async (_, given) => {
      later = given[Symbol.asyncIterator]();
      await later.next();
      throw new Error('enough');
    };
    await errorOf(guarded({ write }).write(PATH, content, never));
    await expect(later!.next()).rejects.toThrow('This content has ended.');
    expect(hasReturned).toBe(true);
  });

  it('says that there is a file, by its whole name', async () => {
    const error = await errorOf(
      guarded({ write: (path) => Promise.reject(new ObjectExists(path)) }).write(PATH, pieces(), never),
    );
    expect(error).toMatchObject({
      reason: 'store.object_exists',
      message: expect.stringContaining(`hr:vault/${PATH} already`),
    });
    expect(logged).toEqual([]);
  });

  it('may be refused by the extension in words of its own', async () => {
    const full = new DomainError('ResourceExhausted', 'hr.vault_full', 'The vault is full.');
    expect(await errorOf(guarded({ write: () => Promise.reject(full) }).write(PATH, pieces(), never))).toBe(full);
    expect(logged).toEqual([]);
  });
});

describe('A read from an object store of an extension', () => {
  it('gives the pieces as they are asked for', async () => {
    expect(await readAll({ read: async () => pieces() })).toBe('piece 0 piece 1 piece 2 ');
    expect(logged).toEqual([]);
  });

  const answering =
    (answer: unknown): ExtObjectStore['read'] =>
    async () =>
      answer as AsyncIterable<Uint8Array>;
  it.each<[string, ExtObjectStore['read'], RegExp]>([
    ['throws', () => Promise.reject(new Error('no disk')), /^no disk$/],
    ['hangs', hang, /^It goes on 50 ms after its signal was aborted\.$/],
    ['answers nothing', answering(undefined), /^read has answered something that cannot be iterated\.$/],
    ['answers a list', answering([Buffer.from('a')]), /^read has answered something that cannot be iterated\.$/],
    ['gives texts', answering(texts()), /^read gives pieces that are not bytes\.$/],
    ['fails in the middle', answering(failsInTheMiddle()), /^no disk$/],
    ['hangs in the middle', answering(hangsInTheMiddle()), /^Nothing has happened for 100 ms\.$/],
    ['answers an iterator of nonsense', answering({ [Symbol.asyncIterator]: () => 7 }), /cannot be iterated/],
  ])('that %s fails the job, and the log names the extension', async (_, read, message) => {
    expect(await reasonOf(readAll({ read }))).toBe('extension.object_store_failed');
    expectOneFailure(message);
  });

  it('says that there is no file, by its whole name', async () => {
    const error = await errorOf(readAll({ read: (path) => Promise.reject(new ObjectMissing(path)) }));
    expect(error).toMatchObject({
      reason: 'store.object_not_found',
      message: expect.stringContaining(`hr:vault/${PATH} does`),
    });
    expect(logged).toEqual([]);
  });

  it('is given back when the reader ends early, also by a store that hangs then', async () => {
    let returned = 0;
    const stubborn: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: Buffer.from('a') }),
        return: () => {
          returned += 1;
          return hang();
        },
      }),
    };
    for await (const _ of await guarded({ read: async () => stubborn }).read(PATH, never)) break;
    expect(returned).toBe(1);
  });

  it('is ended by the signal of the job', async () => {
    const stop = new AbortController();
    const reading = errorOf(readAll({ read: answering(hangsInTheMiddle()) }, stop.signal));
    await sleep(10);
    stop.abort(new Error('cancelled'));
    expect(await reading).toEqual(new Error('cancelled'));
    expect(logged).toEqual([]);
  });
});

describe('Object stores of extensions', () => {
  const filled = (name: unknown, extension = 'hr', over: object = {}) => ({
    extension,
    name: 'Vault',
    part: { name, write: hang, read: hang, ...over } as ExtObjectStore,
  });

  it('are checked at the start, all mistakes at once', () => {
    expect(
      OBJECT_STORE.mistakes([
        filled('vault'),
        filled('vault'),
        filled('Vault/x'),
        filled(undefined),
        filled('box', 'hr', { read: undefined }),
        filled('box', 'dir'),
      ]),
    ).toEqual([
      'Vault of the extension hr needs a name of lower-case letters, digits and hyphens.',
      'Vault of the extension hr needs a name of lower-case letters, digits and hyphens.',
      'Vault of the extension hr must have write and read, as an object store has.',
      'Several object stores have the name hr:vault. Give each its own.',
      'Vault cannot be an object store of an extension with the id dir: files in the directory of the service are called so. Choose another id.',
    ]);
    expect(OBJECT_STORE.mistakes([filled('vault'), filled('vault', 'acme')])).toEqual([]);
  });
});

/** A promise that rejects with whatever is given: no error, as careless code does. */
function rejection(reason: unknown): Promise<never> {
  return new Promise((_, reject) => (reject as (given: unknown) => void)(reason));
}

async function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
}

async function* texts(): AsyncGenerator<unknown> {
  yield 'text';
}

async function* failsInTheMiddle(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  throw new Error('no disk');
}

async function* hangsInTheMiddle(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  await hang();
}
