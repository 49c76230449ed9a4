import { type Filled, Seam } from '../../foundation/extension/seam.js';
import type { StepPage } from './step-page.js';

/**
 * A user who has proved who they are, on the way to an application: facts, and nothing that signs anybody in. Members
 * may be added in a minor version.
 * @public
 */
export interface Turn {
  readonly userId: string;
  readonly orgId: string;
  readonly loginName: string;
  readonly displayName: string;
  /** Undefined on the way to the account page of Gatehouse itself. */
  readonly client: { readonly id: string; readonly name: string } | undefined;
  /** The scopes that the application gets. */
  readonly scopes: readonly string[];
  /** How the user has signed in (RFC 8176). */
  readonly amr: readonly string[];
  readonly browser: TurnBrowser;
  readonly now: Date;
}

/** Where a user signs in. Members may be added in a minor version. @public */
export interface TurnBrowser {
  /** Identifies the browser: equal for all users who sign in with it, and different in every other browser. */
  readonly id: string;
  /** The address of the request, or the one that a trusted proxy reports (`TRUSTED_PROXIES`). */
  readonly address: string;
  /** As the browser sends it, which may be anything; at most 400 characters. */
  readonly userAgent: string;
}

/**
 * What a login step decides about a turn. `true`: its page is shown. `refuse`: the application is told that the user
 * may not use it (`access_denied`), and the pages of the account say that the account cannot be used. `second-factor`:
 * the user needs two factors for this sign-in, and sets one up first if there is none.
 * @public
 */
export type StepDue = boolean | 'refuse' | 'second-factor';

/** In which language the page is read. @public */
export interface StepReader {
  /** A language tag such as `de`. */
  readonly language: string;
  /**
   * A text of the extension (`texts` of its manifest) in that language, otherwise in English.
   * @throws Error for a key that the manifest does not have
   */
  text(key: string): string;
}

/** What was filled in. @public */
export interface StepForm {
  /** Undefined if it is absent or empty. */
  find(name: string): string | undefined;
}

/** @public */
export type StepResult =
  /** The step is no longer due. Whether that is so is decided by `isDue`, which is asked again. */
  | { readonly kind: 'done' }
  /** The page again, with what is wrong, and the field if it concerns one. */
  | { readonly kind: 'again'; readonly text: string; readonly field?: string };

/**
 * A step of a sign-in, between the proof of who the user is and the answer to the application: terms of use, a missing
 * phone number. It is shown at `/ui/login/ext/{id}/{name}` while it is due, and no page, form or address leads past it.
 * If it throws, is late or answers nonsense, nobody gets past it.
 * @public
 */
export interface LoginStep {
  /** Lower-case letters, digits and hyphens: the end of its path. */
  readonly name: string;
  /**
   * Whether the user must take the step now, may not go on at all, or needs two factors. Asked before every answer to
   * an application, also without a page, for each page of the account, and for managers who want to know why a user
   * cannot sign in: it should take one statement with an index. It has 1 s, and may be asked in vain.
   */
  isDue(turn: Turn, signal: AbortSignal): Promise<StepDue>;
  /** The page of the step. It has 1 s. */
  page(turn: Turn, reader: StepReader, signal: AbortSignal): Promise<StepPage>;
  /**
   * Takes the form. It has 5 s. A form may arrive twice. What was decided must be stored when it returns: nothing else
   * makes the step no longer due.
   */
  submit(turn: Turn, form: StepForm, reader: StepReader, signal: AbortSignal): Promise<StepResult>;
}

/** @public */
export const LOGIN_STEP: Seam<LoginStep> = new Seam<LoginStep>('LOGIN_STEP', 'many', {
  mistakes: stepMistakes,
  nameOf: ({ name }) => name,
  // Without it users would be let past.
  isRequired: true,
});

const NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** The step in `SignInStep`, and the end of its path: `ext/hr/terms`. */
export type ExtStepName = `ext/${string}`;

export function extStepName({ extension, part }: Filled<LoginStep>): ExtStepName {
  return `ext/${extension}/${part.name}`;
}

function stepMistakes(filled: ReadonlyArray<Filled<LoginStep>>): string[] {
  const names = filled.map((one) => extStepName(one));
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return [
    ...filled
      .filter(({ part }) => typeof part.name !== 'string' || !NAME.test(part.name))
      .map(
        ({ extension, name }) =>
          `${name} of the extension ${extension} needs a name of lower-case letters, digits and hyphens.`,
      ),
    ...repeated.map((name) => `Several login steps are shown at /ui/login/${name}. Give each its own name.`),
  ];
}
