import { type Filled, Seam } from '../extension/seam.js';

/**
 * A form of password hashes that an extension can check, for users who come from a service with a form of its own. New
 * passwords are always hashed by Gatehouse, and so is an imported one after its first sign-in.
 * @beta
 */
export interface PasswordForm {
  /**
   * Lower-case letters, digits and hyphens. Hashes of the form begin with `$ext-{id}-{name}$`, whatever their service
   * wrote: documents for an import add it. Never change it.
   */
  readonly name: string;
  /**
   * A hash that is well-formed, that no password matches, and that takes as long to check as those of users: unknown
   * login names are checked against it, so that they cannot be told from known ones. As all hashes here, without the
   * prefix.
   */
  readonly decoy: string;
  /** What is wrong with a hash that is to be stored, completing "must …"; undefined if nothing is. */
  problemOf(hash: string): string | undefined;
  /** Approximately how long a check takes on one core. One that takes longer than IMPORTED_HASH_MS is not imported. */
  millisecondsOf(hash: string): number;
  /**
   * Whether the password matches. It has 3 s, one check runs at a time, and it must not occupy the event loop: it
   * belongs into a worker thread, or into a function that runs on Node's thread pool.
   */
  verify(hash: string, password: string, signal: AbortSignal): Promise<boolean>;
}

/** @beta */
export const PASSWORD_FORM: Seam<PasswordForm> = new Seam<PasswordForm>('PASSWORD_FORM', 'many', {
  mistakes: formMistakes,
  nameOf: ({ name }) => name,
  // Without its form, users who have not signed in since their import are locked out.
  isRequired: true,
});

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const MAX_DECOY_CHARACTERS = 400;
/** The time limit of a check, and the most that a check may be expected to take. */
export const EXT_FORM_LIMIT_MS = 3_000;

function formMistakes(filled: ReadonlyArray<Filled<PasswordForm>>): string[] {
  const prefixes = filled.map((one) => extPrefixOf(one));
  const repeated = [...new Set(prefixes.filter((prefix, index) => prefixes.indexOf(prefix) !== index))];
  return [
    ...filled.flatMap((one) => mistakesOf(one)),
    ...repeated.map((prefix) => `Several password forms have the prefix ${prefix}. Give each its own name.`),
  ];
}

function mistakesOf({ extension, name: part, part: form }: Filled<PasswordForm>): string[] {
  if (typeof form.name !== 'string' || !NAME.test(form.name))
    return [`${part} of the extension ${extension} needs a name of lower-case letters, digits and hyphens.`];
  const { decoy } = form;
  if (typeof decoy !== 'string' || decoy.length > MAX_DECOY_CHARACTERS)
    return [
      `${part} of the extension ${extension} needs a decoy of at most ${MAX_DECOY_CHARACTERS} characters: a hash that no password matches.`,
    ];
  try {
    const problem = form.problemOf(decoy);
    if (problem !== undefined)
      return [`The decoy of ${part} of the extension ${extension} is not of its own form: it ${problem}.`];
    const milliseconds = form.millisecondsOf(decoy);
    if (!(milliseconds > 0 && milliseconds <= EXT_FORM_LIMIT_MS))
      return [
        `${part} of the extension ${extension} must estimate checks of its decoy at more than 0 and at most ${EXT_FORM_LIMIT_MS} ms.`,
      ];
    return [];
  } catch (error) {
    return [`${part} of the extension ${extension} cannot read its own decoy: ${(error as Error).message}`];
  }
}

/** The beginning of the form's hashes, up to the last dollar sign: their setting. */
export function extSettingOf({ extension, part }: Filled<PasswordForm>): string {
  return `$ext-${extension}-${part.name}`;
}

export function extPrefixOf(filled: Filled<PasswordForm>): string {
  return `${extSettingOf(filled)}$`;
}
