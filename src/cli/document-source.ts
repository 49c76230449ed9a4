import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { problemOfBeginning } from '../foundation/config/file-encoding.js';
import { CommandError } from './command/command-error.js';
import { isRequest } from './file-kind.js';

export interface ImportSettings {
  readonly timeout?: string;
  readonly onConflict?: string;
  readonly dryRun?: boolean;
  readonly sendInitMails?: boolean;
}

/** RFC 1952 §2.3.1. */
const GZIP = Buffer.from([0x1f, 0x8b]);
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** Replaces it with spaces, so that positions in the document are those in the file. */
const BLANKS = Buffer.from('   ');
/** The size of a beginning that shows what a file is. */
const LOOK_BYTES = 65_536;

/**
 * The request that embeds a document, streamed; compression is detected. If the file is a request itself, the settings
 * are added to it, and its own take precedence.
 * @throws CommandError from the stream, for anything but a document
 */
export async function* toRequest(
  file: AsyncIterable<Uint8Array>,
  settings: ImportSettings,
): AsyncGenerator<Uint8Array> {
  const members = JSON.stringify(settings).slice(1, -1);
  const { beginning, rest } = await split(await unzip(file));
  if (isRequest(beginning)) {
    yield Buffer.from(members === '' ? '{' : `{${members},`);
    yield beginning.subarray(beginning.indexOf('{') + 1);
    yield* rest;
    return;
  }
  yield Buffer.from(`{${members === '' ? '' : `${members},`}"dataOrgs":`);
  yield beginning;
  yield* rest;
  yield Buffer.from('}');
}

async function unzip(file: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const { beginning, rest } = await split(file, GZIP.length);
  const whole = joined(beginning, rest);
  return beginning.subarray(0, GZIP.length).equals(GZIP) ? unzipped(whole) : whole;
}

async function* unzipped(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  pipeline(Readable.from(file, { objectMode: false }), gunzip, () => undefined);
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw String((error as NodeJS.ErrnoException).code).startsWith('Z_')
      ? new CommandError('The file starts like a gzip file, but is not valid or is truncated.')
      : error;
  }
}

async function split(
  source: AsyncIterable<Uint8Array>,
  bytes = LOOK_BYTES,
): Promise<{ beginning: Buffer; rest: AsyncIterable<Uint8Array> }> {
  const chunks = source[Symbol.asyncIterator]();
  let beginning = Buffer.alloc(0);
  while (beginning.length < bytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    beginning = Buffer.concat([beginning, next.value]);
  }
  if (bytes === LOOK_BYTES && beginning.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK))
    BLANKS.copy(beginning);
  const problem = problemOfBeginning(beginning);
  if (problem !== undefined) throw new CommandError(`The file ${problem}.`);
  return { beginning, rest: { [Symbol.asyncIterator]: () => chunks } };
}

async function* joined(beginning: Buffer, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield beginning;
  yield* rest;
}
