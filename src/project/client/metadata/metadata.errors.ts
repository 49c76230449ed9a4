import { DomainError } from '../../../foundation/error/domain-error.js';

/** RFC 7591 §3.2.2. */
export type MetadataError = 'invalid_redirect_uri' | 'invalid_client_metadata' | 'invalid_software_statement';

/** Metadata with which an application cannot be registered; the message names the member. */
export class MetadataRefused extends DomainError {
  constructor(
    readonly error: MetadataError,
    member: string,
    problem: string,
  ) {
    super('InvalidArgument', `client.metadata_${error}`, `${member} ${problem}.`);
  }
}
