import { DomainError, type Kind } from '../error/domain-error.js';
import { type Faults, MAX_FAULTS } from './document/faults.js';

export const BROKEN_REASON = 'import.document_broken';

/** `position`: how many bytes stand before it, in the document or, outside of that, in the request. */
export function documentBroken(position: number, what: 'document' | 'request' = 'document'): DomainError {
  return new DomainError(
    'InvalidArgument',
    BROKEN_REASON,
    `The ${what} is not JSON: look at byte ${position}, counted from 0.`,
  );
}

export function documentCut(what: 'document' | 'request', bytes: number): DomainError {
  return new DomainError(
    'InvalidArgument',
    BROKEN_REASON,
    `The ${what} ends too early, after ${bytes} bytes. Write or copy it again.`,
  );
}

export function documentTooLarge(): DomainError {
  return new DomainError(
    'InvalidArgument',
    'import.document_too_large',
    'An entry of the document is nested deeper, or longer, than any that an export writes. A document of more than 64 MB must be embedded as an object, not as a string.',
  );
}

export function memberTwice(name: string): DomainError {
  return new DomainError(
    'InvalidArgument',
    'import.member_twice',
    `The document has the member ${JSON.stringify(name.slice(0, 100))} twice in one object.`,
  );
}

export function documentEmpty(): DomainError {
  return new DomainError(
    'InvalidArgument',
    'import.empty',
    'The document holds no organization. It must be {"orgs": […]}, as an export writes it.',
  );
}

const OTHERS = {
  keycloak: {
    looksLike: 'a realm of Keycloak',
    command: 'gatehouse convert keycloak REALM.json --output document.json',
  },
  auth0: { looksLike: 'a user of Auth0', command: 'gatehouse convert auth0 USERS.json --output document.json' },
} as const;

/** A document of another system must be translated first. */
export function documentOfAnother(system: keyof typeof OTHERS): DomainError {
  const { looksLike, command } = OTHERS[system];
  return new DomainError(
    'InvalidArgument',
    'import.foreign',
    `This looks like ${looksLike}. Translate it with "${command}", and import document.json.`,
  );
}

/** Refused for what stands in the document: `violations` are the first of so many faults. */
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
    'This service exports and imports as much as it can at once. Try again later.',
    { retryAfterSeconds: 30 },
  );
}

export function sourceAmbiguous(): DomainError {
  return new DomainError(
    'InvalidArgument',
    'import.source',
    'Send exactly one document: data_orgsv1 (or data_orgs), as an object or as a string of JSON, or data_orgsv1_objstore with the place of a file.',
  );
}

export function orgsUnknown(ids: readonly string[]): DomainError {
  return new DomainError('NotFound', 'export.org_not_found', `There is no organization ${ids.slice(0, 5).join(', ')}.`);
}

export function timedOut(): DomainError {
  return new DomainError(
    'DeadlineExceeded',
    'migration.timeout',
    'The time that the request allows is over. Nothing was changed.',
  );
}

export function importDisturbed(cause?: unknown): DomainError {
  return new DomainError(
    'Aborted',
    'import.disturbed',
    'Something that the document needs was changed meanwhile. Nothing was imported; run it again.',
    { cause },
  );
}
