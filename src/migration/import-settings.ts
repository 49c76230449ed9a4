import { toSnakeCase } from '../foundation/database/snake-case.js';
import { type FieldViolation, invalidFields } from '../foundation/error/domain-error.js';
import { quotedName, suggestionFor } from './document/member-name.js';
import { sourceAmbiguous } from './document/migration.errors.js';
import { type Place, readBucketPlace, readDirectoryPlace, readS3Place } from './storage/place.js';
import { parseTimeout, TIMEOUT_RULE } from './timeout.js';

/** How to import a document. */
export interface ImportSettings {
  readonly timeoutMs: number;
  /** Leave existing objects unchanged if they conflict. */
  readonly skip: boolean;
  readonly dryRun: boolean;
  /** Where the document is stored, if the request does not embed it. */
  readonly place: Place | undefined;
  /** Send mails to users who must set their account up before they can sign in. */
  readonly sendInitMails: boolean;
}

const DATA = /^data_?orgs(v1)?$/i;
const STORE = /^data_?orgs(?:v1)?_?(objstore|gcs|local|s3)$/i;

const NAMES = ['timeout', 'onConflict', 'dryRun', 'sendInitMails'];
const SPELLED: ReadonlySet<string> = new Set(NAMES.flatMap((name) => [name, toSnakeCase(name)]));

/** Whether a member of a request, other than its document, is known. */
export function isSetting(name: string): boolean {
  return SPELLED.has(name) || STORE.test(name) || DATA.test(name);
}

/** Refused, because a misspelt `dryRun` would write what was only to be tried. */
function unknownViolation(name: string): FieldViolation {
  const description =
    name === 'orgs'
      ? 'belongs in data_orgs: send {"data_orgs": {"orgs": […]}}'
      : suggestionFor(name, [...NAMES, 'data_orgs']);
  return { field: quotedName(name), description };
}

/**
 * Reads a request's members other than its document; `unknown`: names that are not known.
 * @throws DomainError InvalidArgument with every violation
 */
export function readSettings(sent: Readonly<Record<string, unknown>>, unknown: readonly string[]): ImportSettings {
  const value = (camel: string, snake: string): unknown => sent[camel] ?? sent[snake] ?? undefined;
  const violations: FieldViolation[] = unknown.map(unknownViolation);
  const timeout = value('timeout', 'timeout') ?? '';
  const timeoutMs = typeof timeout === 'string' ? parseTimeout(timeout) : undefined;
  if (timeoutMs === undefined) violations.push({ field: 'timeout', description: TIMEOUT_RULE });
  const onConflict = value('onConflict', 'on_conflict') ?? '';
  if (onConflict !== '' && onConflict !== 'skip')
    violations.push({ field: 'onConflict', description: 'must be "skip", or absent' });
  const dryRun = value('dryRun', 'dry_run') ?? false;
  if (typeof dryRun !== 'boolean') violations.push({ field: 'dryRun', description: 'must be true or false' });
  const mails = value('sendInitMails', 'send_init_mails') ?? false;
  if (typeof mails !== 'boolean') violations.push({ field: 'sendInitMails', description: 'must be true or false' });
  for (const [name, data] of Object.entries(sent)) {
    if (data !== null && DATA.test(name))
      violations.push({ field: name, description: 'must be a document: an object, or a string of JSON' });
  }
  const place = readPlace(sent, violations);
  if (violations.length > 0) throw invalidFields(violations);
  return {
    timeoutMs: timeoutMs!,
    skip: onConflict === 'skip',
    dryRun: dryRun === true,
    sendInitMails: mails === true,
    place,
  };
}

function readPlace(sent: Readonly<Record<string, unknown>>, violations: FieldViolation[]): Place | undefined {
  const named = Object.entries(sent).filter(([name, data]) => data !== null && STORE.test(name));
  const broken = named.filter(([, data]) => typeof data !== 'object' || Array.isArray(data));
  violations.push(...broken.map(([name]) => ({ field: name, description: 'must be an object' })));
  if (broken.length > 0) return undefined;
  if (named.length > 1) throw sourceAmbiguous();
  const [[name, data] = []] = named;
  if (name === undefined) return undefined;
  const kind = STORE.exec(name)![1]!.toLowerCase();
  const given = data as Readonly<Record<string, unknown>>;
  const text = (member: string): string => {
    const value = given[member] ?? '';
    if (typeof value === 'string') return value;
    violations.push({ field: `${name}.${member}`, description: 'must be a text' });
    return '';
  };
  const either = (camel: string, snake: string): string => text(snake in given ? snake : camel);
  if (kind === 'local') return readDirectoryPlace(name, { path: text('path') }, violations);
  if (kind === 's3') {
    const ssl = given['ssl'] ?? false;
    if (typeof ssl !== 'boolean') violations.push({ field: `${name}.ssl`, description: 'must be true or false' });
    return readS3Place(
      name,
      {
        bucket: text('bucket'),
        path: text('path'),
        endpoint: text('endpoint'),
        ssl: ssl === true,
        region: text('region'),
        accessKeyId: either('accessKeyId', 'access_key_id'),
        secretAccessKey: either('secretAccessKey', 'secret_access_key'),
        sessionToken: either('sessionToken', 'session_token'),
      },
      violations,
    );
  }
  return readBucketPlace(
    name,
    {
      bucket: text('bucket'),
      path: text('path'),
      serviceaccountJson: either('serviceaccountJson', 'serviceaccount_json'),
    },
    violations,
  );
}
