import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import {
  broken,
  type ContractCase,
  leftOpenBy,
  require,
  requirement,
} from '../../../src/extension/testing/contract/contract.js';
import { DomainError } from '../../../src/foundation/error/domain-error.js';
import type { ObjectStore } from '../../../src/migration/storage/object-store.js';

export interface ObjectStoreContractInput {
  /** A store with space for files below `contract-…/`, which are left there. */
  readonly make: () => ObjectStore | Promise<ObjectStore>;
  /**
   * The same store while what is behind it refuses, or cannot be reached. Without it the case about that is left out.
   */
  readonly failing?: () => ObjectStore | Promise<ObjectStore>;
  /** Keys and passwords of the store, which no error may show. */
  readonly secrets?: readonly string[];
}

/** The time from an abort to the end. */
const END_MS = 10_000;
/** A file that some processes may still be sending: nothing of it may be visible. */
const PART_BYTES = 3_000_000;
const PIECE_BYTES = 65_536;
const RELEASE_MS = 5_000;
const EXISTS = 'store.object_exists';
const MISSING = 'store.object_not_found';
/** Resources that the storage and the running test keep open. */
const OF_OTHERS = /^Timeout$|Server|Immediate/;

/** Sets the files of this run apart from those that earlier runs have left. */
const RUN = randomUUID();
let files = 0;

/**
 * What each of our object stores keeps: a file comes back as it was given, whatever it is called; none is replaced;
 * until its content has ended nothing can be read under its path, and after an error or an abort there is nothing, so
 * that it can be written again; a file that is not there is `store.object_not_found`; files at the same time do not
 * mix; what ends early leaves nothing open; no error shows a key.
 *
 * It cannot prove that the store holds no more than a few pieces in memory, nor that a file outlives the machine that
 * it is on, nor that a process which is killed while it writes leaves nothing behind.
 */
export function objectStoreContract(input: ObjectStoreContractInput): readonly ContractCase[] {
  const on =
    (check: (store: ObjectStore, input: ObjectStoreContractInput) => Promise<void>) => async (): Promise<void> =>
      check(await input.make(), input);
  return [
    requirement('object store: a file comes back as it was given', on(whole)),
    requirement('object store: paths are names, in every script', on(names)),
    requirement('object store: no file is replaced', on(neverReplaced)),
    requirement('object store: of two writers of one file one succeeds', on(twoWriters)),
    requirement('object store: nothing is visible before the content has ended', on(invisible)),
    requirement('object store: after an error of the content there is nothing', on(contentFails)),
    requirement('object store: the signal ends a write, and there is nothing', on(aborted)),
    requirement('object store: a file that is not there is refused as missing', on(missing)),
    requirement('object store: files at the same time do not mix', on(atOnce)),
    requirement('object store: a read that ends early leaves nothing open', on(endsEarly)),
    ...(input.failing
      ? [requirement('object store: a failure of the storage is an error that shows no key', () => fails(input))]
      : []),
  ];
}

function newPath(name = 'file.json'): string {
  files += 1;
  return `contract-${RUN}/${files}/${name}`;
}

/** Bytes that are the same for each seed, and of which no two pieces are equal. */
function bytes(length: number, seed = 1): Buffer {
  const content = Buffer.alloc(length, `content ${seed}, `);
  for (let at = 0; at + 4 <= length; at += 4_096) content.writeUInt32BE((at * seed) >>> 0, at);
  return content;
}

async function* pieces(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) yield content.subarray(at, at + PIECE_BYTES);
}

async function write(store: ObjectStore, path: string, content: Buffer): Promise<void> {
  await store
    .write(path, pieces(content), new AbortController().signal)
    .catch((error: unknown) => broken(`write throws: ${String(error)}`, { cause: error }));
}

async function readAll(store: ObjectStore, path: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const piece of await store.read(path, new AbortController().signal)) {
    require(types.isUint8Array(piece), 'read gives pieces that are not bytes.');
    chunks.push(Uint8Array.from(piece)); // the store may use its memory again
  }
  return Buffer.concat(chunks);
}

async function requireFile(store: ObjectStore, path: string, content: Buffer): Promise<void> {
  const found = await readAll(store, path).catch((error: unknown) =>
    broken(`read throws for a file that was written: ${String(error)}`, { cause: error }),
  );
  require(found.equals(content), `A file of ${content.length} bytes comes back as ${found.length} others.`);
}

/** The error with which `work` rejects; undefined if it does not. */
async function errorOf(work: Promise<unknown>): Promise<Error | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (types.isNativeError(error) ? error : new Error(String(error))),
  );
}

function reasonOf(error: Error | undefined): string | undefined {
  return error instanceof DomainError ? error.reason : undefined;
}

async function requireNothing(store: ObjectStore, path: string, when: string): Promise<void> {
  const error = await errorOf(readAll(store, path));
  require(error !== undefined, `${when}, a part of the file can be read as if it were whole.`);
  if (reasonOf(error) === MISSING) return;
  broken(`${when}, read throws no ${MISSING} but ${String(error)}: something is left.`);
}

async function whole(store: ObjectStore): Promise<void> {
  for (const length of [0, 1, PIECE_BYTES, PART_BYTES]) {
    const path = newPath();
    await write(store, path, bytes(length));
    await requireFile(store, path, bytes(length));
  }
}

async function names(store: ObjectStore): Promise<void> {
  const called = [
    'all.json.gz',
    'Zürich 2026.json',
    '漢字.json',
    'a+b=c,(d)~e@f-g_h.json',
    'a/b/c/d.json',
    'ALL.JSON',
    'a..b',
  ];
  const paths = called.map((name) => newPath(name));
  for (const [index, path] of paths.entries()) await write(store, path, bytes(100, index + 1));
  for (const [index, path] of paths.entries()) await requireFile(store, path, bytes(100, index + 1));
}

async function neverReplaced(store: ObjectStore): Promise<void> {
  const path = newPath();
  await write(store, path, bytes(1_000, 1));
  const error = await errorOf(store.write(path, pieces(bytes(2_000, 2)), new AbortController().signal));
  require(error !== undefined, 'A second write of a file resolves: it replaces the file, or does nothing.');
  if (reasonOf(error) !== EXISTS) broken(`A second write of a file throws no ${EXISTS} but ${String(error)}.`);
  await requireFile(store, path, bytes(1_000, 1));
}

async function twoWriters(store: ObjectStore, { make }: ObjectStoreContractInput): Promise<void> {
  const path = newPath();
  const contents = [bytes(PART_BYTES, 1), bytes(PART_BYTES - 5, 2)];
  const stores = [store, await make()];
  const errors = await Promise.all(
    stores.map((one, index) => errorOf(one.write(path, pieces(contents[index]!), new AbortController().signal))),
  );
  const winners = contents.filter((_, index) => errors[index] === undefined);
  require(winners.length === 1, `Of two writers of one file ${winners.length} succeed.`);
  await requireFile(store, path, winners[0]!);
}

/** Content that stops in its middle until it is told how to go on. */
function held(content: Buffer): {
  readonly content: AsyncGenerator<Uint8Array>;
  readonly middle: Promise<void>;
  readonly goOn: () => void;
  readonly fail: (error: Error) => void;
} {
  const middle = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  rest.promise.catch(() => undefined);
  async function* halves(): AsyncGenerator<Uint8Array> {
    const half = Math.floor(content.length / 2);
    yield* pieces(content.subarray(0, half));
    middle.resolve();
    await rest.promise;
    yield* pieces(content.subarray(half));
  }
  return { content: halves(), middle: middle.promise, goOn: rest.resolve, fail: rest.reject };
}

async function invisible(store: ObjectStore, { make }: ObjectStoreContractInput): Promise<void> {
  const path = newPath();
  const content = bytes(PART_BYTES);
  const source = held(content);
  const writing = store.write(path, source.content, new AbortController().signal);
  await Promise.race([source.middle, writing]);
  await requireNothing(await make(), path, 'While the content is still coming');
  source.goOn();
  await writing;
  await requireFile(store, path, content);
}

async function contentFails(store: ObjectStore): Promise<void> {
  const path = newPath();
  const source = held(bytes(PART_BYTES));
  const error = errorOf(store.write(path, source.content, new AbortController().signal));
  await Promise.race([source.middle, error]);
  source.fail(new Error('The content has failed.'));
  require((await error) !== undefined, 'write resolves although its content has failed: a part passes for the whole.');
  await requireNothing(store, path, 'After an error of the content');
  await write(store, path, bytes(1_000));
  await requireFile(store, path, bytes(1_000));
}

async function aborted(store: ObjectStore): Promise<void> {
  const path = newPath();
  const source = held(bytes(PART_BYTES));
  const stop = new AbortController();
  const error = errorOf(store.write(path, source.content, stop.signal));
  await Promise.race([source.middle, error]);
  stop.abort(new Error('The contract has aborted it.'));
  // The content of an export fails in the same way.
  source.fail(new Error('The contract has aborted it.'));
  const over = new AbortController();
  const isOver = await Promise.race([
    error.then(() => true),
    sleep(END_MS, false, { signal: over.signal }).catch(() => false),
  ]);
  over.abort();
  require(isOver, `write goes on ${END_MS / 1000} s after its signal was aborted.`);
  require((await error) !== undefined, 'write resolves although its signal was aborted.');
  await requireNothing(store, path, 'After an abort');
}

async function missing(store: ObjectStore): Promise<void> {
  const error = await errorOf(readAll(store, newPath()));
  require(reasonOf(error) === MISSING, `For a file that is not there, read throws no ${MISSING} but ${String(error)}.`);
}

async function atOnce(store: ObjectStore, { make }: ObjectStoreContractInput): Promise<void> {
  const paths = [1, 2, 3, 4].map((seed) => ({ path: newPath(), content: bytes(300_000 + seed, seed) }));
  await Promise.all(paths.map(async ({ path, content }) => write(await make(), path, content)));
  await Promise.all(paths.map(async ({ path, content }) => requireFile(await make(), path, content)));
}

async function endsEarly(store: ObjectStore, { make }: ObjectStoreContractInput): Promise<void> {
  const path = newPath();
  await write(store, path, bytes(PART_BYTES));
  const readABit = async (): Promise<void> => {
    for await (const piece of await (await make()).read(path, new AbortController().signal)) {
      require(piece.length > 0, 'read gives an empty piece first.');
      break;
    }
    const stop = new AbortController();
    const reading = (async () => {
      for await (const _ of await (await make()).read(path, stop.signal))
        stop.abort(new Error('The contract has aborted it.'));
    })();
    await errorOf(reading);
  };
  const left = await leftOpenBy(readABit, OF_OTHERS, RELEASE_MS);
  require(left.length === 0, `${RELEASE_MS / 1000} s after the end of a read this is still open: ${left.join(', ')}.`);
}

async function fails({ failing, secrets = [] }: ObjectStoreContractInput): Promise<void> {
  const errors = [
    await errorOf((await failing!()).write(newPath(), pieces(bytes(1_000)), new AbortController().signal)),
    await errorOf(readAll(await failing!(), newPath())),
  ];
  require(errors[0] !== undefined, 'write resolves although the storage fails.');
  require(errors[1] !== undefined &&
    reasonOf(errors[1]) !== MISSING, 'For a storage that fails, read says that there is no such file.');
  const said = errors.map((error) => [
    String(error),
    JSON.stringify(error),
    error instanceof Error ? String(error.cause) : '',
  ]);
  for (const [index, secret] of secrets.entries())
    require(!said
      .flat()
      .join(' ')
      .includes(secret), `An error shows secret ${index + 1} of the store, and errors are logged.`);
}
