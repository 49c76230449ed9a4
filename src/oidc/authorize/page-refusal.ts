import { DomainError } from '../../error/domain-error.js';
import type { ErrorReason } from '../../page/error.page.js';

/** An error that has no return address: it is shown to the person (RFC 6749 §4.1.2.1, first paragraph). */
export class PageRefusal extends DomainError {
  constructor(
    readonly page: ErrorReason | 'cookies',
    readonly received: string | undefined,
    /** Of a sign-out: whether somebody is signed in in the browser that asks. */
    readonly stillSignedIn = false,
  ) {
    super('InvalidArgument', `oidc.page_${page}`, 'The request cannot be processed.');
  }
}
