import { statSync } from 'node:fs';
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';
import { type ExportDataRequest, exportData, type Gatehouse, type MigrationJob, raw } from '../client/index.js';
import type { Arguments } from './command/arguments.js';
import { type Command, type Surroundings } from './command/command.js';
import { CommandError, EXIT, usage } from './command/command-error.js';
import { CONNECTION, CONNECTION_HELP, connect } from './connection.js';
import { Draft } from './draft.js';
import { interrupted } from './failure.js';
import { follow } from './job.js';
import { DocumentEnd, leftOutLines } from './left-out.js';
import { PLACE, PLACE_HELP, readPlace, type SentPlace } from './place.js';
import { amount, ProgressLine } from './progress.js';

const HELP = `
gatehouse export [options]: exports organizations and everything that belongs to them

  --output, -o FILE     the file to write, completely or not at all; "-": standard output
  --gzip                compress the document; default if the name of the file ends in .gz
  --to PLACE            the service writes the file itself (see below)
  --org ID              an organization to export; may be repeated; default: all
  --exclude-org ID      an organization to leave out; may be repeated
  --with-passwords      include the hashes of passwords and secrets, and the client secrets of
                        identity providers
  --with-otp            include the seeds of one-time codes and the hashes of recovery codes
  --with-keys           include the public keys of applications and service users
  --with-passkeys       include passkeys and security keys, which work at another service only if it
                        has the same domain (PASSKEY_RP_ID)
${CONNECTION_HELP.slice(1)}
${PLACE_HELP}

  Exit codes: 0 success, 1 refused or failed, 2 invalid arguments, 130 interrupted
`;

export const EXPORT: Command = {
  name: 'export',
  summary: 'Export organizations and everything that belongs to them',
  help: HELP,
  options: {
    ...CONNECTION,
    output: { type: 'string', short: 'o' },
    gzip: { type: 'boolean' },
    to: { type: 'string' },
    ...PLACE,
    org: { type: 'string', multiple: true },
    'exclude-org': { type: 'string', multiple: true },
    'with-passwords': { type: 'boolean' },
    'with-otp': { type: 'boolean' },
    'with-keys': { type: 'boolean' },
    'with-passkeys': { type: 'boolean' },
  },
  run: runExport,
};

async function runExport(given: Arguments, around: Surroundings): Promise<number> {
  if (given.positionals.length > 0)
    throw usage(`Unexpected argument "${given.positionals[0]!}". Use --output to name a file.`);
  const to = given.text('to');
  const output = given.text('output');
  if (to !== undefined && output !== undefined) throw usage('Give --output or --to, not both.');
  if (to === undefined && output === undefined && around.output.isTTY === true)
    throw usage('No output given. Use --output FILE, or --output - for standard output.');
  const service = connect(given, around);
  const progress = new ProgressLine(around.errors, given.flag('quiet'));
  const request = {
    orgIds: given.texts('org'),
    excludedOrgIds: given.texts('exclude-org'),
    withPasswords: given.flag('with-passwords'),
    withOtp: given.flag('with-otp'),
    withKeys: given.flag('with-keys'),
    withPasskeys: given.flag('with-passkeys'),
    timeout: given.text('timeout') ?? '',
  };
  try {
    if (to !== undefined) await exportTo(readPlace('to', to, given, around), request, service, progress, given, around);
    else await exportHere(output, request, service, progress, given, around);
  } finally {
    progress.end();
  }
  return EXIT.done;
}

/** The member of the request that names the place. */
const OUTPUTS = { local: 'localOutput', objstore: 'objstoreOutput', s3: 's3Output' } as const;

async function exportTo(
  place: SentPlace,
  request: ExportDataRequest,
  service: Gatehouse,
  progress: ProgressLine,
  given: Arguments,
  around: Surroundings,
): Promise<void> {
  const { signal } = around;
  const begun = await exportData(service, { ...request, [OUTPUTS[place.kind]]: place.file }, { signal });
  const ended = await follow(service, begun, progress, around);
  around.output.write(
    given.flag('json')
      ? `${JSON.stringify(ended)}\n`
      : `Written: ${ended.file}, ${amount(Number(ended.bytes), 'bytes')}\n${countLines(ended)}${leftOutLines(ended.leftOut)}`,
  );
}

async function exportHere(
  output: string | undefined,
  request: ExportDataRequest,
  service: Gatehouse,
  progress: ProgressLine,
  given: Arguments,
  around: Surroundings,
): Promise<void> {
  const file = output === undefined || output === '-' ? undefined : await Draft.open(output);
  try {
    const { signal } = around;
    const answer = await raw(service, exportData, { ...request, responseOutput: true }, { signal });
    const end = await receive(
      answer,
      file?.stream() ?? around.output,
      given.flag('gzip') || (output ?? '').endsWith('.gz'),
      progress,
      around,
    );
    progress.end();
    await file?.keep();
    if (given.flag('quiet')) return;
    if (file) around.errors.write(`Written: ${output!}, ${amount(statSync(output!).size, 'bytes')}\n`);
    around.errors.write(leftOutLines(end.leftOut, end.usersWithKeys));
  } finally {
    await file?.drop();
  }
}

/** @returns the report of the document about what it leaves out */
async function receive(
  { body }: Response,
  to: Writable,
  zip: boolean,
  progress: ProgressLine,
  { signal, output }: Surroundings,
): Promise<DocumentEnd> {
  const end = new DocumentEnd();
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      end.look(chunk);
      progress.show({ what: 'Receiving', done: bytes, unit: 'bytes' });
      done(null, chunk);
    },
  });
  const steps = [
    // Node and browsers have two types for it.
    Readable.fromWeb(body as WebStream),
    counted,
    ...(zip ? [createGzip()] : []),
    to,
  ];
  try {
    await pipeline(steps, { end: to !== output });
    return end;
  } catch (error) {
    if (signal.aborted) throw interrupted();
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
      throw new CommandError('There is not enough space for the file. Nothing was kept.');
    if (code === 'EPIPE') throw new CommandError('Standard output was closed.');
    throw new CommandError(
      'The export ended before it was complete: it exceeded its timeout, or the service failed (see its log). Nothing was kept.',
    );
  }
}

/** The exported objects, a line for each kind. */
export function countLines({ objects }: MigrationJob): string {
  const width = Math.max(0, ...objects.map(({ count }) => Number(count).toLocaleString('en').length));
  return [...objects]
    .sort((one, other) => Number(other.count) - Number(one.count) || one.type.localeCompare(other.type))
    .map(({ type, count }) => `  ${Number(count).toLocaleString('en').padStart(width)}  ${type}\n`)
    .join('');
}
