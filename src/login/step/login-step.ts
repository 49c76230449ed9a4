import type { SignInStep } from '../../auth-request/next-step.js';
import type { Form } from '../../http/form.js';
import type { FormError } from '../../page/part/form-error.js';
import type { OwnPath } from '../../page/paths.js';
import type { LoginPage } from '../../page/render.js';
import type { Visit } from '../visit.js';

/** A form that has to be filled in again: what was typed, and what is wrong with it. */
export interface Retry<Field extends string = string> {
  readonly form: Form;
  readonly errors: readonly FormError<Field>[];
}

export type StepOutcome<Field extends string = string> =
  /** On to the hub, which looks again at what is missing. Signing in gives the browser a new cookie value. */
  | { readonly kind: 'taken'; readonly cookieValue?: string }
  /** The step's own page once more, where something has changed; only for those that can be turned to. */
  | { readonly kind: 'shown' }
  | { readonly kind: 'again'; readonly errors: readonly FormError<Field>[] }
  /** The person does not want to go on: the application gets `access_denied` (RFC 6749 §4.1.2.1). */
  | { readonly kind: 'declined' };

export const taken: StepOutcome<never> = { kind: 'taken' };
export const shown: StepOutcome<never> = { kind: 'shown' };

export function again<Field extends string>(...errors: FormError<Field>[]): StepOutcome<Field> {
  return { kind: 'again', errors };
}

/**
 * One step of signing in: its page, and what its form does. The hub alone decides which one comes next, and what all
 * steps share (cookie, token of the form, pending request) is behind it, so that no step can forget it.
 */
export interface LoginStep<Field extends string = string> {
  readonly step: SignInStep;
  /** Where its form goes. */
  readonly path: OwnPath;
  /**
   * `link`: may be turned to at any time, for pages link to it. `form`: its form alone may come at any time; it carries
   * all that it needs. `due`: only when the hub has asked for it, so that it cannot be opened out of turn (LOG-040).
   */
  readonly reach: 'link' | 'form' | 'due';
  /** Undefined when there is nothing to show, which leaves it to the hub. */
  page(visit: Visit, retry?: Retry<Field>): Promise<LoginPage | undefined>;
  /** @throws DomainError ResourceExhausted `attempt.too_many`, which shows the page again saying so. */
  submit(visit: Visit, form: Form): Promise<StepOutcome<Field>>;
}

/** Every step there is. A new one is a file beside this one and a line in the list of `login.module.ts`. */
export const LOGIN_STEPS = Symbol('LOGIN_STEPS');
