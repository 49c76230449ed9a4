import type { Form } from '../../foundation/http/form.js';
import type { ServicePath } from '../../org/instance/paths.js';
import { LINKED, RESEND } from '../../page/code.page.js';
import type { DoneProps } from '../../page/done.page.js';
import type { LoginPage } from '../../page/render.js';
import type { AuthRequest } from '../../session/auth-request/auth-request.js';
import type { Retry } from '../login-step.js';
import type { Guest } from './guest.js';

export type JourneyOutcome =
  /** The same page again, with errors or with what was done. */
  | { readonly kind: 'again'; readonly errors: Retry['errors'] }
  /** Another page of the same journey. */
  | { readonly kind: 'page'; readonly page: LoginPage; readonly status?: number }
  /**
   * Done: a pending sign-in continues, otherwise a page says so. A cookie value means that the user has been signed in.
   */
  | {
      readonly kind: 'done';
      readonly what: DoneProps['what'];
      readonly otherWays?: DoneProps['otherWays'];
      readonly request?: AuthRequest | undefined;
      readonly cookieValue?: string;
    };

export function once(...errors: Retry['errors']): JourneyOutcome {
  return { kind: 'again', errors };
}

/** Alike for a wrong code, a used code, and a code that does not exist. */
export const WRONG_CODE = once({ field: 'code', reason: 'codeWrong' });

/**
 * Where a link in a mail leads. Unlike a step it needs no pending sign-in; if there is one in the same browser, it
 * continues afterwards.
 */
export interface CodeJourney {
  readonly path: ServicePath;
  page(guest: Guest, retry?: Retry): Promise<LoginPage>;
  /** @throws DomainError ResourceExhausted `attempt.too_many`, which shows the page again with that message */
  submit(guest: Guest, form: Form): Promise<JourneyOutcome>;
}

/** Whether the page is shown again because a new code was requested. */
export function wantsNewCode(retry: Retry | undefined): boolean {
  return retry?.form.find('action') === RESEND && retry.errors.length === 0;
}

/** Whether the code came with the link of the mail; the form of the page says so afterwards. */
export function isCodeLinked({ link }: Guest, retry: Retry | undefined): boolean {
  return retry ? retry.form.find(LINKED) === 'true' : link.code !== undefined;
}

export const CODE_JOURNEYS = Symbol('CODE_JOURNEYS');
