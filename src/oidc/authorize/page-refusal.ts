import { DomainError } from '../../foundation/error/domain-error.js';
import type { ErrorReason } from '../../page/error.page.js';

/** An error without a return address: it is shown to the user (RFC 6749 §4.1.2.1, first paragraph). */
export class PageRefusal extends DomainError {
  constructor(
    readonly page: ErrorReason | 'cookies',
    readonly received: string | undefined,
    /** Whether a user is signed in in this browser, for refused sign-outs. */
    readonly stillSignedIn = false,
    /** For the log only. */
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super('InvalidArgument', `oidc.page_${page}`, 'The request cannot be processed.');
  }
}
