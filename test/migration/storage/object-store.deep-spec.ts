import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { LocalStore } from '../../../src/migration/storage/local-store.js';
import type { ObjectStore } from '../../../src/migration/storage/object-store.js';
import { objectExists, objectMissing } from '../../../src/migration/storage/store.errors.js';
import { brokenIn } from '../../extension/contract/broken.js';
import { BucketServer } from '../../support/bucket-server.js';
import { S3Server } from '../../support/s3-server.js';
import { GooglePlace } from './google-place.js';
import { objectStoreContract } from './object-store.contract.js';
import { S3TestPlace } from './s3-test-place.js';
import { PART, type StorePlace } from './store-cases.js';

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-contract-'));
const s3 = await S3Server.start('moves');
s3.minPartBytes = PART;
const bucket = await BucketServer.start('moves');
afterAll(async () => {
  await Promise.all([s3.close(), bucket.close()]);
  rmSync(directory, { recursive: true, force: true });
});

type AnyPlace = Pick<StorePlace<string>, 'open'>;

/** Opened for each file, as the service does: it closes its connections with the file. */
const opened = (place: AnyPlace, name?: string): ObjectStore => ({
  write: async (path, content, signal) => (await place.open(name)).write(path, content, signal),
  read: async (path, signal) => (await place.open(name)).read(path, signal),
});

describe('The directory of the service keeps the contract', () => {
  const cases = objectStoreContract({
    make: () => new LocalStore(directory),
    failing: () => new LocalStore(join('/dev/null', 'directory')),
  });
  for (const { name, run } of cases) it(name, run);
});

describe('A bucket of an S3-compatible storage keeps the contract', () => {
  const place = new S3TestPlace(s3);
  const revoked = new S3TestPlace(s3);
  revoked.secret = 'a secret that was revoked';
  const cases = objectStoreContract({
    make: () => opened(place),
    failing: () => opened(revoked),
    secrets: [s3.secretAccessKey, revoked.secret],
  });
  for (const { name, run } of cases) it(name, run);
});

describe('A bucket of Google Cloud Storage keeps the contract', () => {
  const place = new GooglePlace(bucket);
  const cases = objectStoreContract({
    make: () => opened(place),
    failing: () => opened(place, 'elsewhere'),
    secrets: [String(bucket.accountFile['private_key']), bucket.accountBase64],
  });
  for (const { name, run } of cases) it(name, run);
});

describe('The contract tells what is wrong with a store', () => {
  const kept = new Map<string, Buffer>();
  afterAll(() => kept.clear());
  const collect = async (content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    const stopped = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
    const iterator = content[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([iterator.next(), stopped]);
      if (next.done === true) return Buffer.concat(chunks);
      chunks.push(next.value);
    }
  };
  const keep = (path: string, file: Buffer): void => {
    if (kept.has(path)) throw objectExists(path);
    kept.set(path, file);
  };
  const good: ObjectStore = {
    write: async (path, content, signal) => keep(path, await collect(content, signal)),
    read: async (path) => {
      const file = kept.get(path);
      if (!file) throw objectMissing(path);
      return (async function* all() {
        yield file;
      })();
    },
  };
  const failing: ObjectStore = {
    write: () => Promise.reject(new Error('503')),
    read: () => Promise.reject(new Error('503')),
  };
  const keeping = (over: Partial<ObjectStore>, refusing = failing) =>
    objectStoreContract({ make: () => ({ ...good, ...over }), failing: () => refusing, secrets: ['key-4711'] });

  it('and nothing about a good one', async () => {
    expect(await brokenIn(keeping({}))).toEqual({});
  });

  it.each<[string, Partial<ObjectStore>, RegExp, RegExp]>([
    ['throws', failing, /as it was given/, /^write throws: Error: 503$/],
    [
      'keeps the beginning alone',
      { write: async (path, content, signal) => keep(path, (await collect(content, signal)).subarray(0, 70_000)) },
      /as it was given/,
      /^A file of 3000000 bytes comes back as 70000 others\.$/,
    ],
    [
      'gives texts',
      {
        read: async () =>
          (async function* texts() {
            yield 'text' as unknown as Uint8Array;
          })(),
      },
      /as it was given/,
      /^read throws for a file that was written: ContractBroken: read gives pieces that are not bytes\.$/,
    ],
    [
      'has no folders',
      {
        write: async (path, content, signal) => keep(path.split('/').at(-1)!, await collect(content, signal)),
        read: async (path, signal) => good.read(path.split('/').at(-1)!, signal),
      },
      /as it was given/,
      /^write throws: DomainError: .* already exists/,
    ],
    [
      'reads names as patterns',
      {
        write: async (path, content, signal) => keep(path.replace(/[^\w./-]/g, '_'), await collect(content, signal)),
        read: async (path, signal) => good.read(path.replace(/[^\w.-]/g, ''), signal),
      },
      /names, in every script/,
      /^read throws for a file that was written: DomainError: .* does not exist/,
    ],
    [
      'replaces files',
      { write: async (path, content, signal) => void kept.set(path, await collect(content, signal)) },
      /is replaced/,
      /^A second write of a file resolves/,
    ],
    [
      'says otherwise that a file is there',
      {
        write: (path, content, signal) =>
          good.write(path, content, signal).catch(() => Promise.reject(new Error('409 Conflict'))),
      },
      /is replaced/,
      /^A second write of a file throws no store\.object_exists but Error: 409 Conflict\.$/,
    ],
    [
      'looks before it writes, and not when it is done',
      {
        write: async (path, content, signal) => {
          if (kept.has(path)) throw objectExists(path);
          kept.set(path, await collect(content, signal));
        },
      },
      /of two writers/,
      /^Of two writers of one file 2 succeed\.$/,
    ],
    [
      'shows what has come so far',
      {
        write: async (path, content) => {
          for await (const piece of content) kept.set(path, Buffer.concat([kept.get(path) ?? Buffer.alloc(0), piece]));
        },
      },
      /nothing is visible/,
      /^While the content is still coming, a part of the file can be read as if it were whole\.$/,
    ],
    [
      'keeps what had come when the content failed',
      {
        write: async (path, content) => {
          const chunks: Uint8Array[] = [];
          try {
            for await (const piece of content) chunks.push(piece);
          } finally {
            keep(path, Buffer.concat(chunks));
          }
        },
      },
      /error of the content/,
      /^After an error of the content, a part of the file can be read as if it were whole\.$/,
    ],
    [
      'swallows the error of the content',
      { write: (path, content, signal) => good.write(path, content, signal).catch(() => undefined) },
      /error of the content/,
      /^write resolves although its content has failed/,
    ],
    [
      'does not hear the signal',
      {
        write: (path, content, signal) =>
          good.write(path, content, signal).catch(() => new Promise<never>(() => undefined)),
      },
      /the signal ends/,
      /^write goes on 10 s after its signal was aborted\.$/,
    ],
    [
      'reads a missing file as an empty one',
      { read: async (path, signal) => (kept.has(path) ? good.read(path, signal) : (async function* none() {})()) },
      /not there/,
      /^For a file that is not there, read throws no store\.object_not_found but undefined\.$/,
    ],
    [
      'mixes up files at the same time',
      (() => {
        let last = '';
        return {
          write: async (path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal) => {
            last = path; // a field of the store, in place of a variable of the call
            const file = await collect(content, signal);
            kept.set(last, file);
          },
        };
      })(),
      /do not mix/,
      /^(?:read throws for a file that was written: DomainError|A file of \d+ bytes comes back as)/,
    ],
  ])('that %s', async (_, over, only, message) => {
    const found = await brokenIn(keeping(over), only);
    expect(Object.values(found)).toEqual([expect.stringMatching(message)]);
  });

  it.each<[string, ObjectStore, RegExp]>([
    [
      'shows its key',
      { ...failing, write: () => Promise.reject(new Error('PUT with key-4711: 503')) },
      /^An error shows secret 1 of the store/,
    ],
    [
      'takes an outage for a missing file',
      { ...failing, read: (path) => Promise.reject(objectMissing(path)) },
      /^For a storage that fails, read says that there is no such file\.$/,
    ],
    [
      'takes an outage for a success',
      { ...failing, write: async () => undefined },
      /^write resolves although the storage fails\.$/,
    ],
  ])('that %s', async (_, refusing, message) => {
    const found = await brokenIn(keeping({}, refusing), /shows no key/);
    expect(Object.values(found)).toEqual([expect.stringMatching(message)]);
  });

  it('that leaves a connection open', async () => {
    const server = await S3Server.start('moves');
    const sockets: Socket[] = [];
    const found = await brokenIn(
      keeping({
        read: async (path, signal) => {
          const file = await good.read(path, signal);
          sockets.push(
            await new Promise((resolve) => {
              const socket = connect(Number(new URL(server.origin).port), '127.0.0.1', () => resolve(socket));
              socket.on('error', () => undefined);
            }),
          );
          return file;
        },
      }),
      /ends early/,
    );
    for (const socket of sockets) socket.destroy();
    await server.close();
    expect(Object.values(found)).toEqual([
      expect.stringMatching(/^5 s after the end of a read this is still open: .*TCPSocketWrap/),
    ]);
  });
});
