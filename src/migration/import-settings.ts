import { invalidFields, type FieldViolation } from '../error/domain-error.js';
import { parseTimeout, TIMEOUT_RULE } from './duration.js';
import { storeMissing } from './migration.errors.js';

/** How a document is to be imported. */
export interface ImportSettings {
  readonly timeoutMs: number;
  /** What conflicts is left as it is. */
  readonly skip: boolean;
  readonly dryRun: boolean;
}

const STORES = /^(dataOrgs|data_orgs)(v1|V1)?_?(Objstore|objstore|Local|local|S3|s3|Gcs|gcs)$/;

/** From what a request holds beside its document. @throws DomainError InvalidArgument with every violation */
export function readSettings(sent: Readonly<Record<string, unknown>>): ImportSettings {
  const value = (camel: string, snake: string): unknown => sent[camel] ?? sent[snake] ?? undefined;
  const violations: FieldViolation[] = [];
  const timeout = value('timeout', 'timeout') ?? '';
  const timeoutMs = typeof timeout === 'string' ? parseTimeout(timeout) : undefined;
  if (timeoutMs === undefined) violations.push({ field: 'timeout', description: TIMEOUT_RULE });
  const onConflict = value('onConflict', 'on_conflict') ?? '';
  if (onConflict !== '' && onConflict !== 'skip') violations.push({ field: 'onConflict', description: 'must be "skip", or absent' });
  const dryRun = value('dryRun', 'dry_run') ?? false;
  if (typeof dryRun !== 'boolean') violations.push({ field: 'dryRun', description: 'must be true or false' });
  const mails = value('sendInitMails', 'send_init_mails') ?? false;
  if (mails !== false) violations.push({ field: 'sendInitMails', description: 'is not offered yet: send it as false, or leave it out' });
  for (const [name, data] of Object.entries(sent)) {
    if (data !== null && /^data_?orgs(v1)?$/i.test(name)) violations.push({ field: name, description: 'must be a document: an object, or a string of JSON' });
    else if (data !== null && STORES.test(name)) throw storeMissing();
  }
  if (violations.length > 0) throw invalidFields(violations);
  return { timeoutMs: timeoutMs!, skip: onConflict === 'skip', dryRun: dryRun === true };
}
