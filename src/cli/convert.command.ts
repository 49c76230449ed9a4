import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { PeopleSettings } from '../migration/convert/people-settings.js';
import type { Report } from '../migration/convert/report.js';
import type { Arguments } from './command/arguments.js';
import { type Command, type Surroundings } from './command/command.js';
import { CommandError, EXIT, usage } from './command/command-error.js';
import { fromZitadel, ZITADEL_HELP, ZITADEL_OPTIONS } from './convert-zitadel.js';
import { Draft } from './draft.js';
import { interrupted } from './failure.js';
import { amount, ProgressLine } from './progress.js';

const HELP = `
gatehouse convert keycloak FILE|FOLDER ... [options]
gatehouse convert auth0 FILE|FOLDER ... --org-name NAME [options]
gatehouse convert zitadel --database URL [options]
  converts an export of Keycloak or Auth0, or the database of ZITADEL, into a document for
  "gatehouse import"

  --output, -o FILE     the document to write, completely or not at all; "-": standard output;
                        compressed if the name ends in .gz. It contains hashes and seeds
  --report FILE         write everything that has no counterpart, as JSON; by default, only a
                        summary is shown
  --quiet, -q           no progress and no summary

  --rename OLD=NEW      rename a user, such as "admin", which is also the usual name of an
                        instance's first administrator; may be repeated
  --user-names at-domain
                        user names are unique only in their organization: users type them
                        with its domain, such as admin@birkenhof.id.example.com
  --require-verified-email
                        users whose e-mail address was never verified must verify it before they
                        can sign in; by default, users who could sign in before can sign in here
  --imported-hash-ms N  IMPORTED_HASH_MS of the target instance, if it is not 300: the maximum
                        cost of a password check; more expensive hashes are left out

  keycloak: the files or the folder written by "kc.sh export"
  --realm NAME          a realm to convert; may be repeated; default: all but "master"
  --replace-placeholders
                        replace placeholders such as \${NAME}, \${NAME:-default} and $(env:NAME) by
                        variables of the environment; those that stay are left out and reported
  --rp-id DOMAIN        the domain of passkeys (RP ID), for realms that do not name it: the host
                        of the address of Keycloak

  auth0: user exports with one user per line, or files for Auth0's own import
  --passwords FILE      the password hashes sent by Auth0 support; may be repeated
  --org-name NAME       the name of the organization of the users
  --org-id ID           its ID; default: derived from the name
  --connection NAME=ID  maps an Auth0 connection to an identity provider; may be repeated
${ZITADEL_HELP}
  Exit codes: 0 success, 1 failed and nothing written, 2 invalid arguments, 3 the document was
  written, but something important was left out: a user, an application, a role, or the
  credentials of a user. The report marks it as important. 130 interrupted
`;

export const CONVERT: Command = {
  name: 'convert',
  summary: 'Convert data of Keycloak, Auth0 or ZITADEL into a document to import',
  help: HELP,
  options: {
    output: { type: 'string', short: 'o' },
    report: { type: 'string' },
    quiet: { type: 'boolean', short: 'q' },
    rename: { type: 'string', multiple: true },
    'user-names': { type: 'string' },
    'require-verified-email': { type: 'boolean' },
    'imported-hash-ms': { type: 'string' },
    realm: { type: 'string', multiple: true },
    'replace-placeholders': { type: 'boolean' },
    'rp-id': { type: 'string' },
    passwords: { type: 'string', multiple: true },
    'org-name': { type: 'string' },
    'org-id': { type: 'string' },
    connection: { type: 'string', multiple: true },
    ...ZITADEL_OPTIONS,
  },
  run: runConvert,
};

/** The source says it itself: a policy of the organization, and pages that asked for a code. */
const AT_CHOICE = ['user-names', 'require-verified-email'];
/** The options of each source, which the others do not take. */
const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  keycloak: ['realm', 'replace-placeholders', 'rp-id', ...AT_CHOICE],
  auth0: ['passwords', 'org-name', 'org-id', 'connection', ...AT_CHOICE],
  zitadel: [...Object.keys(ZITADEL_OPTIONS), 'rp-id'],
};

async function runConvert(given: Arguments, around: Surroundings): Promise<number> {
  const [source, ...paths] = given.positionals;
  const own = source === undefined ? undefined : OPTIONS_OF[source];
  if (source === undefined || own === undefined)
    throw usage(
      `Give the source to convert from: "keycloak", "auth0" or "zitadel"${source === undefined ? '' : `, not "${source}"`}.`,
    );
  if (source === 'zitadel') {
    if (paths.length > 0) throw usage('Nothing is read from files of zitadel: give its database with --database.');
  } else if (paths.length === 0) throw usage('Give the files of the export, or its folder.');
  for (const name of Object.values(OPTIONS_OF).flat()) {
    if (own.includes(name)) continue;
    if (given.text(name) !== undefined || given.texts(name).length > 0 || given.flag(name))
      throw usage(`--${name} is not an option of ${source}.`);
  }
  const people = peopleOf(given);
  const output = given.text('output');
  if (output === undefined && around.output.isTTY === true)
    throw usage('No output given. Use --output FILE, or --output - for standard output.');
  // Loaded on demand: they import most of the rules of the service.
  const { Report } = await import('../migration/convert/report.js');
  const report = new Report(source);
  const document =
    source === 'keycloak'
      ? await fromKeycloak(paths, people, given, around, report)
      : source === 'auth0'
        ? await fromAuth0(paths, people, given, report)
        : await fromZitadel(
            given,
            { pairsOf: (option, form) => pairsOf(given, option, form), rpId: rpIdOf(given) },
            people,
            report,
          );
  const path = given.text('report');
  const reportFile = path === undefined ? undefined : await Draft.open(path);
  try {
    await write(output, document, given, around);
    if (reportFile)
      await pipeline([Readable.from([`${JSON.stringify(report.toJson(), undefined, 2)}\n`]), reportFile.stream()]);
    await reportFile?.keep();
  } finally {
    await reportFile?.drop();
  }
  if (!given.flag('quiet')) around.errors.write(report.toText());
  return report.hasLosses ? EXIT.leftOut : EXIT.done;
}

function peopleOf(given: Arguments): PeopleSettings {
  const names = given.text('user-names');
  if (names !== undefined && names !== 'at-domain')
    throw usage(`--user-names is "${names}". Give at-domain, or leave it out.`);
  return {
    renames: pairsOf(given, 'rename', 'OLD=NEW, such as admin=birkenhof-admin'),
    namesAtDomain: names === 'at-domain',
    mustProveEmail: given.flag('require-verified-email'),
    importedHashMs: hashMillisecondsOf(given.text('imported-hash-ms')),
  };
}

function rpIdOf(given: Arguments): string | undefined {
  const rpId = given.text('rp-id');
  if (rpId !== undefined && !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(rpId))
    throw usage(`--rp-id is "${rpId}". Give a domain, such as id.example.com.`);
  return rpId;
}

/** The limits are those of the setting of the service. */
function hashMillisecondsOf(text = '300'): number {
  const milliseconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (milliseconds >= 50 && milliseconds <= 5_000) return milliseconds;
  throw usage(`--imported-hash-ms is "${text}". Give a number from 50 to 5000.`);
}

/** The pairs of an option that is given as `NAME=VALUE`. */
function pairsOf(given: Arguments, option: string, form: string): ReadonlyMap<string, string> {
  return new Map(
    given.texts(option).map((pair) => {
      const cut = pair.indexOf('=');
      if (cut <= 0 || cut === pair.length - 1) throw usage(`--${option} is "${pair}". Give ${form}.`);
      return [pair.slice(0, cut), pair.slice(cut + 1)] as const;
    }),
  );
}

async function fromKeycloak(
  paths: readonly string[],
  people: PeopleSettings,
  given: Arguments,
  { settings }: Surroundings,
  report: Report,
): Promise<AsyncGenerator<string>> {
  const { convertKeycloak } = await import('../migration/convert/keycloak/keycloak.js');
  const variables = given.flag('replace-placeholders') ? settings.variables : undefined;
  return convertKeycloak({ paths, realms: given.texts('realm'), variables, people, rpId: rpIdOf(given) }, report);
}

async function fromAuth0(
  users: readonly string[],
  people: PeopleSettings,
  given: Arguments,
  report: Report,
): Promise<AsyncGenerator<string>> {
  const orgName = given.text('org-name') ?? '';
  if (orgName.trim() === '')
    throw usage('Give --org-name: an Auth0 export does not name the organization of its users.');
  const orgId =
    given.text('org-id') ??
    `auth0-${orgName
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')}`;
  const { ORG_IN_PATH } = await import('../org/in-path.js');
  const problem = ORG_IN_PATH.problem(orgId);
  if (problem !== undefined) throw usage(`--org-id ${problem}.`);
  const connections = pairsOf(given, 'connection', 'NAME=ID, such as google-oauth2=301955599023472641');
  const { convertAuth0 } = await import('../migration/convert/auth0/auth0.js');
  return convertAuth0({ users, passwords: given.texts('passwords'), orgId, orgName, connections, people }, report);
}

async function write(
  output: string | undefined,
  document: AsyncGenerator<string>,
  given: Arguments,
  around: Surroundings,
): Promise<void> {
  const file = output === undefined || output === '-' ? undefined : await Draft.open(output);
  const progress = new ProgressLine(around.errors, given.flag('quiet'));
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const text of document) {
      const piece = Buffer.from(text);
      bytes += piece.length;
      progress.show({ what: 'Converting', done: bytes, unit: 'bytes' });
      yield piece;
    }
  }
  try {
    const zip = output?.endsWith('.gz') === true ? [createGzip()] : [];
    await pipeline([Readable.from(counted()), ...zip, file?.stream() ?? around.output], {
      end: file !== undefined,
      signal: around.signal,
    });
    await file?.keep();
    progress.end();
    if (file && !given.flag('quiet')) around.errors.write(`Written: ${output!}, ${amount(bytes, 'bytes')}\n`);
  } catch (error) {
    throw around.signal.aborted ? interrupted() : failure(error);
  } finally {
    progress.end();
    await file?.drop();
  }
}

/** Turns errors of files into messages; defects of the conversion itself are passed on. */
function failure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CommandError || error instanceof TypeError) return error;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === undefined) return new CommandError(error.message);
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
    return new CommandError('There is not enough space for the file. Nothing was kept.');
  return code === 'EPIPE'
    ? new CommandError('Standard output was closed.')
    : new CommandError(`${path ?? 'The export'} cannot be read (${code}).`);
}
