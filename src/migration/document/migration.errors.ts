import { DomainError, type Kind } from '../../foundation/error/domain-error.js';
import { type Faults, MAX_FAULTS } from './faults.js';

export const BROKEN_REASON = 'import.document_broken';

/** `position`: how many bytes stand before it, in the document or, outside of that, in the request. */
/** @param wrong what is wrong, after the name of what is read: `is not valid JSON at line 3, column 7 (byte 61)` */
export function documentBroken(wrong: string, what: 'document' | 'request' = 'document'): DomainError {
  return new DomainError('InvalidArgument', BROKEN_REASON, `The ${what} ${wrong}.`);
}

export function documentCut(what: 'document' | 'request', bytes: number): DomainError {
  return new DomainError(
    'InvalidArgument',
    BROKEN_REASON,
    `The ${what} is truncated: it ends after ${bytes} bytes. Write or copy it again.`,
  );
}

export function documentTooLarge(): DomainError {
  return new DomainError(
    'InvalidArgument',
    'import.document_too_large',
    'An entry of the document is nested more deeply, or is longer, than an export would write. A document of more than 64 MB must be embedded as an object, not as a string.',
  );
}

export function memberTwice(name: string): DomainError {
  return new DomainError(
    'InvalidArgument',
    'import.member_twice',
    `The document contains the duplicate member ${JSON.stringify(name.slice(0, 100))} in an object.`,
  );
}

export function documentEmpty(): DomainError {
  return new DomainError(
    'InvalidArgument',
    'import.empty',
    'The document contains no organizations. It must have the form {"orgs": […]}, as written by an export.',
  );
}

const OTHERS = {
  keycloak: {
    looksLike: 'a Keycloak realm',
    command: 'gatehouse convert keycloak REALM.json --output document.json',
  },
  auth0: { looksLike: 'an Auth0 user', command: 'gatehouse convert auth0 USERS.json --output document.json' },
} as const;

/** A document of another system must be translated first. */
export function documentOfAnother(system: keyof typeof OTHERS): DomainError {
  const { looksLike, command } = OTHERS[system];
  return new DomainError(
    'InvalidArgument',
    'import.foreign',
    `This looks like ${looksLike}. Convert it with "${command}" and import document.json.`,
  );
}

/** Refused because of the document: `violations` are the first of its errors. */
export class DocumentRefused extends DomainError {
  constructor(kind: Kind, reason: string, { listed, total }: Faults) {
    const [first] = listed;
    const more =
      total > 1 ? ` (and ${total - 1} more${total > MAX_FAULTS ? `; the first ${MAX_FAULTS} are listed` : ''})` : '';
    super(kind, reason, `${first?.field}: ${first?.description}${more}. Nothing was imported.`, { violations: listed });
    this.total = total;
  }

  readonly total: number;
}

export function documentInvalid(faults: Faults): DomainError {
  return new DocumentRefused('InvalidArgument', 'import.invalid', faults);
}

export function importConflicts(faults: Faults): DomainError {
  return new DocumentRefused('AlreadyExists', 'import.conflict', faults);
}

export function tooManyAtOnce(): DomainError {
  return new DomainError(
    'ResourceExhausted',
    'migration.busy',
    'Too many exports or imports are already running. Try again later.',
    { retryAfterSeconds: 30 },
  );
}

export function sourceAmbiguous(): DomainError {
  return new DomainError(
    'InvalidArgument',
    'import.source',
    'Send exactly one document: data_orgsv1 (or data_orgs) as an object or a JSON string, or data_orgsv1_objstore with the location of a file.',
  );
}

export function orgsUnknown(ids: readonly string[]): DomainError {
  return new DomainError(
    'NotFound',
    'export.org_not_found',
    `The organization does not exist: ${ids.slice(0, 5).join(', ')}.`,
  );
}

export function timedOut(): DomainError {
  return new DomainError(
    'DeadlineExceeded',
    'migration.timeout',
    'The timeout of the request has expired. Nothing was changed.',
  );
}

export function importDisturbed(cause?: unknown): DomainError {
  return new DomainError(
    'Aborted',
    'import.disturbed',
    'Objects that the document depends on were changed during the import. Nothing was imported; run it again.',
    { cause },
  );
}
