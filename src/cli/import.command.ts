import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { type Begun, type Gatehouse, importData, listMigrationJobs, type MigrationJob } from '../client/index.js';
import type { Arguments } from './command/arguments.js';
import { type Command, type Surroundings } from './command/command.js';
import { CommandError, EXIT, usage } from './command/command-error.js';
import { CONNECTION, CONNECTION_HELP, connect } from './connection.js';
import { type ImportSettings, toRequest } from './document-source.js';
import { countLines } from './export.command.js';
import { faultLines, follow } from './job.js';
import { PLACE, PLACE_HELP, readPlace } from './place.js';
import { ProgressLine } from './progress.js';

const HELP = `
gatehouse import [options] [FILE]: imports organizations and everything that belongs to them,
all or nothing

  FILE                  the document, as written by gatehouse export; "-" or none: standard input;
                        may be compressed with gzip
  --from PLACE          the service reads the file itself (see below)
  --dry-run             do everything except writing
  --on-conflict skip    leave conflicting objects unchanged and report them; by default, a conflict
                        refuses the whole document
  --send-init-mails     afterwards, send a code to users who must set up their account to sign in
${CONNECTION_HELP.slice(1)}
${PLACE_HELP}

  If interrupted, it cancels the import and reports the result.
  Exit codes: 0 success, 1 refused or failed and nothing written, 2 invalid arguments, 3 success,
  but something was left out, 130 interrupted and nothing written
`;

export const IMPORT: Command = {
  name: 'import',
  summary: 'Import organizations and everything that belongs to them, all or nothing',
  help: HELP,
  options: {
    ...CONNECTION,
    from: { type: 'string' },
    ...PLACE,
    'dry-run': { type: 'boolean' },
    'on-conflict': { type: 'string' },
    'send-init-mails': { type: 'boolean' },
  },
  run: runImport,
};

async function runImport(given: Arguments, around: Surroundings): Promise<number> {
  const [path, another] = given.positionals;
  const from = given.text('from');
  if (another !== undefined) throw usage('Give one file.');
  if (from !== undefined && path !== undefined) throw usage('Give a file or --from, not both.');
  if (from === undefined && path === undefined && around.input.isTTY === true)
    throw usage('No document given. Give a file or --from.');
  const onConflict = given.text('on-conflict');
  if (onConflict !== undefined && onConflict !== 'skip')
    throw usage(`--on-conflict is "${onConflict}". Give skip, or leave it out.`);
  const timeout = given.text('timeout');
  const settings: ImportSettings = {
    ...(timeout === undefined ? {} : { timeout }),
    ...(onConflict === undefined ? {} : { onConflict }),
    ...(given.flag('dry-run') ? { dryRun: true } : {}),
    ...(given.flag('send-init-mails') ? { sendInitMails: true } : {}),
  };
  const service = connect(given, around);
  const progress = new ProgressLine(around.errors, given.flag('quiet'));
  try {
    const begun =
      from === undefined
        ? await send(path, settings, service, progress, around)
        : await name(from, settings, service, given, around);
    return report(await follow(service, begun, progress, around), given, around);
  } finally {
    progress.end();
  }
}

/** The member of the request that names the place. */
const SOURCES = { local: 'dataOrgsLocal', objstore: 'dataOrgsv1Objstore', s3: 'dataOrgsS3' } as const;

async function name(
  from: string,
  settings: ImportSettings,
  service: Gatehouse,
  given: Arguments,
  around: Surroundings,
): Promise<Begun> {
  const { kind, file } = readPlace('from', from, given, around);
  const { signal } = around;
  const data = { [SOURCES[kind]]: file };
  return importData(service, { ...settings, ...data }, { signal });
}

async function send(
  path: string | undefined,
  settings: ImportSettings,
  service: Gatehouse,
  progress: ProgressLine,
  { input, signal }: Surroundings,
): Promise<Begun> {
  const source = path === undefined || path === '-' ? { stream: input, bytes: undefined } : openFile(path);
  // Whether the token may import, before a large document is sent in vain.
  await listMigrationJobs(service, { query: { limit: 1 } }, { signal });
  let bytes = 0;
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source.stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      progress.show({ what: 'Sending', done: bytes, total: source.bytes, unit: 'bytes' });
      yield chunk;
    }
  }
  const sending = new AbortController();
  const stop = (): void => sending.abort();
  signal.addEventListener('abort', stop, { once: true });
  // Once the document is sent it becomes a job, named in the response: an interruption must then cancel the job.
  async function* whole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* body;
    signal.removeEventListener('abort', stop);
  }
  // Node and browsers have two types for it.
  const body = Readable.toWeb(Readable.from(whole(toRequest(watched(), settings)))) as ReadableStream;
  return importData(service, {}, { body, headers: { Prefer: 'respond-async' }, signal: sending.signal });
}

function openFile(path: string): { stream: Readable; bytes: number | undefined } {
  try {
    const found = statSync(path);
    if (found.isDirectory()) throw new CommandError(`${path} is a folder.`);
    return {
      stream: createReadStream(path, { highWaterMark: 262_144 }),
      bytes: found.isFile() ? found.size : undefined,
    };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
}

function report(job: MigrationJob, given: Arguments, { output, errors }: Surroundings): number {
  const isDry = given.flag('dry-run');
  if (given.flag('json')) output.write(`${JSON.stringify(job)}\n`);
  else if (job.objects.length === 0) output.write('Everything already exists: nothing to import.\n');
  else output.write(`${isDry ? 'Would import (nothing was written):' : 'Imported:'}\n${countLines(job)}`);
  if (job.errorTotal === 0) return EXIT.done;
  errors.write(
    `Left out or changed, and why:\n${faultLines(job)
      .map((line) => `  ${line}\n`)
      .join('')}`,
  );
  return EXIT.leftOut;
}
