import type { Form } from '../foundation/http/form.js';
import type { ServicePath } from '../org/instance/paths.js';
import type { FormError } from '../page/part/form-error.js';
import type { LoginPage } from '../page/render.js';
import type { AuthRequest } from '../session/auth-request/auth-request.js';
import type { SignInStep } from '../session/auth-request/next-step.js';
import type { Visit } from './visit.js';

/** A form that must be filled in again: what was typed, and what is wrong with it. */
export interface Retry<Field extends string = string> {
  readonly form: Form;
  readonly errors: readonly FormError<Field>[];
}

export type StepOutcome<Field extends string = string> =
  /**
   * Accepted: the hub decides what is still missing. `request`: with what was learned. Signing in gives the browser a
   * new cookie value; `code`: with it, the request was answered.
   */
  | { readonly kind: 'taken'; readonly request?: AuthRequest; readonly cookieValue?: string; readonly code?: string }
  | Learned
  /** The step's own page again with something changed; only for steps that can be opened by a link. */
  | { readonly kind: 'shown' }
  | { readonly kind: 'again'; readonly errors: readonly FormError<Field>[] }
  /** Another page of the same step, whose form comes back to it. */
  | { readonly kind: 'page'; readonly page: LoginPage; readonly status: number }
  /** The sign-in is over, and no application waits for its answer in this browser. */
  | { readonly kind: 'ended'; readonly page: LoginPage }
  /** The user declines: the application gets `access_denied` (RFC 6749 §4.1.2.1). */
  | { readonly kind: 'declined' };

export const taken: StepOutcome<never> = { kind: 'taken' };
/** Something was learned about the request, and nothing else has changed; the hub decides what comes next. */
export interface Learned {
  readonly kind: 'learned';
  readonly request: AuthRequest;
  /** The value of a `Set-Cookie` header with what this browser is to remember. */
  readonly setCookie?: string;
}

export function learned(request: AuthRequest): Learned {
  return { kind: 'learned', request };
}

export const shown: StepOutcome<never> = { kind: 'shown' };

export function again<Field extends string>(...errors: FormError<Field>[]): StepOutcome<Field> {
  return { kind: 'again', errors };
}

/**
 * A step of signing in: its page, and what its form does. The hub alone decides which step comes next, and handles what
 * all steps share (cookie, form token, pending request), so that no step can forget it.
 */
export interface LoginStep<Field extends string = string> {
  readonly step: SignInStep;
  /** The path to which the step's form is sent. */
  readonly path: ServicePath;
  /**
   * `link`: can be opened at any time, because pages link to it. `form`: its form may arrive at any time and contains
   * all that it needs. `due`: only when the hub has requested it, so that it cannot be opened out of turn (LOG-040).
   */
  readonly reach: 'link' | 'form' | 'due';
  /** Undefined, or what was learned, if there is nothing to show; the hub decides then. */
  page(visit: Visit, retry?: Retry<Field>): Promise<LoginPage | Learned | undefined>;
  /** @throws DomainError ResourceExhausted `attempt.too_many`, which shows the page again with that message */
  submit(visit: Visit, form: Form): Promise<StepOutcome<Field>>;
}

/** All steps. A new one is a file beside this one and a line in the list of `login.module.ts`. */
export const LOGIN_STEPS = Symbol('LOGIN_STEPS');
