import type { Form } from '../foundation/http/form.js';
import type { ServicePath } from '../org/instance/paths.js';
import type { AccountDone, AccountFrame, AccountSectionName } from '../page/account/account-layout.js';
import type { FormError } from '../page/part/form-error.js';
import type { LoginPage } from '../page/render.js';
import type { AskableFactor } from '../session/session-factor.js';
import type { SignedInVisit } from '../visit/signed-in-visit.js';
import type { Typed } from './draft.js';

/** The frame of a section: the user, and what was typed before. */
export interface Opened {
  readonly frame: AccountFrame;
  readonly typed?: Typed | undefined;
  /** A form with errors, as it was sent. */
  readonly form?: Form | undefined;
}

export type SectionOutcome<Field extends string = string> =
  /** Another page of the section, such as a question. */
  | { readonly kind: 'page'; readonly page: LoginPage }
  /** The form again. */
  | { readonly kind: 'again'; readonly errors: readonly FormError<Field>[] }
  | { readonly kind: 'done'; readonly what: AccountDone; readonly count?: number }
  /** The set-up of a second factor has begun; the sign-in pages lead through it and return here. */
  | { readonly kind: 'setting-up'; readonly factor: AskableFactor }
  /** The sign-in pages make a key, ask for its name and return here. */
  | { readonly kind: 'adding-key'; readonly key: 'passkey' | 'u2f' }
  /** The user goes to a provider, to link an account there, and returns here. */
  | { readonly kind: 'linking'; readonly idpId: string }
  /** JSON to be saved. */
  | { readonly kind: 'file'; readonly name: string; readonly pieces: AsyncGenerator<string> }
  /** The account is closed; absent if it is removed already. */
  | { readonly kind: 'closed'; readonly dueAt: Date | undefined }
  /** This session has ended as well. */
  | { readonly kind: 'signed-out' };

/**
 * A section of the account: its page, and what its forms do. What all have in common is with the controller: the
 * session, the form token, and the proof that every change needs.
 */
export interface AccountSection<Field extends string = string> {
  readonly name: AccountSectionName;
  /** The path to which the section's forms are sent. */
  readonly path: ServicePath;
  /** The fields that return to the form after a proof. Never a password or a code. */
  readonly kept: readonly string[];
  /** Whether its policy opens it to this user. */
  isOpen(visit: SignedInVisit): Promise<boolean>;
  /** The form contains the current password, which is a proof of the first factor. */
  readonly checksPassword?: true;
  /** Whether the proof is asked for before the form is shown, so that nothing is typed twice. */
  readonly provesFirst?: true;
  /** Others lead users here whatever the organization allows: where it is closed, the overview says what to do. */
  readonly isLedTo?: true;
  page(visit: SignedInVisit, opened: Opened, errors?: readonly FormError<Field>[]): Promise<LoginPage>;
  /** Called after the proof. @throws DomainError ResourceExhausted `attempt.too_many`, which shows the form again */
  submit(visit: SignedInVisit, form: Form, frame: AccountFrame): Promise<SectionOutcome<Field>>;
}

/** All sections. A new one is a file beside this one and a line in the list of `account.module.ts`. */
export const ACCOUNT_SECTIONS = Symbol('ACCOUNT_SECTIONS');
