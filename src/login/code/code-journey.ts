import type { Form } from '../../http/form.js';
import { RESEND } from '../../page/code.page.js';
import type { DoneProps } from '../../page/done.page.js';
import type { OwnPath } from '../../page/paths.js';
import type { LoginPage } from '../../page/render.js';
import type { Retry } from '../step/login-step.js';
import type { Guest } from './guest.js';

export type JourneyOutcome =
  /** The page once more, with what is wrong or with what was done. */
  | { readonly kind: 'again'; readonly errors: Retry['errors'] }
  /** Another page of the same journey. */
  | { readonly kind: 'page'; readonly page: LoginPage; readonly status?: number }
  /** Done: a sign-in that waits goes on, else a page says so. With a cookie value somebody has been signed in. */
  | { readonly kind: 'done'; readonly what: DoneProps['what']; readonly cookieValue?: string };

export function once(...errors: Retry['errors']): JourneyOutcome {
  return { kind: 'again', errors };
}

/** Says the same of a wrong code, of one that is used up, and of nobody's. */
export const WRONG_CODE = once({ field: 'code', reason: 'codeWrong' });

/**
 * What a link of a mail leads to. Unlike a step it needs no pending sign-in; if one waits in the same browser, it goes on
 * afterwards.
 */
export interface CodeJourney {
  readonly path: OwnPath;
  page(guest: Guest, retry?: Retry): Promise<LoginPage>;
  /** @throws DomainError ResourceExhausted `attempt.too_many`, which shows the page again saying so. */
  submit(guest: Guest, form: Form): Promise<JourneyOutcome>;
}

/** Whether the page is shown again because a new code was asked for. */
export function wantsNewCode(retry: Retry | undefined): boolean {
  return retry?.form.find('action') === RESEND && retry.errors.length === 0;
}

export const CODE_JOURNEYS = Symbol('CODE_JOURNEYS');
