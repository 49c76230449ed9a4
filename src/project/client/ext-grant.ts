import { type Filled, Seam } from '../../foundation/extension/seam.js';

/** A parameter of a grant. @beta */
export interface GrantParameter {
  /** Lower-case letters, digits and underscores; none that the token endpoint reads itself. */
  readonly name: string;
  /** Whether a request may leave it out. */
  readonly optional?: boolean;
  /** In characters; 4,000 by default, which is the most. */
  readonly maxLength?: number;
}

/**
 * A token request of an application that has authenticated and has the grant. Members may be added in a minor version.
 * @beta
 */
export interface GrantQuestion {
  /** The declared ones that the request has, none of them empty. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly client: {
    /** The client ID. */
    readonly id: string;
    readonly projectId: string;
    /** The organization of the project. */
    readonly orgId: string;
  };
  /** The scopes that were requested and that the application may have. */
  readonly scopes: readonly string[];
  /** The protected resources that were requested (RFC 8707). */
  readonly resources: readonly string[];
  readonly now: Date;
}

/** Who gets tokens. @beta */
export interface GrantedUser {
  /** The id of a human user. Whether the user may use the application is decided by Gatehouse. */
  readonly userId: string;
  /**
   * How the user was authenticated, in the words of RFC 8176 §2; none by default. `mfa` is needed where the login
   * policy demands it.
   */
  readonly amr?: readonly string[];
  /** When the user was authenticated; now by default, never in the future. */
  readonly authTime?: Date;
}

/** RFC 6749 §5.2. @beta */
export interface GrantRefusal {
  readonly error: 'invalid_request' | 'invalid_grant' | 'invalid_scope' | 'unauthorized_client';
  /** For the developers of the application: 200 printable ASCII characters at most, without quotes and backslashes. */
  readonly description?: string;
}

/** @beta */
export type GrantDecision = GrantedUser | GrantRefusal;

/**
 * A grant of an extension (RFC 6749 §4.5): it decides which user the parameters of a token request stand for, and
 * nothing else. Applications, their credentials, limits, tokens and their ends are Gatehouse's. If it throws, is late
 * or answers nonsense, there are no tokens: `temporarily_unavailable` (503).
 * @beta
 */
export interface ExtGrant {
  /**
   * The `grant_type`: an absolute URI (RFC 6749 §4.5) of 200 characters at most. Stored with applications, so it never
   * changes.
   */
  readonly name: string;
  /** Up to 10. No others are passed on, and none may be repeated (RFC 6749 §3.2). */
  readonly parameters: readonly GrantParameter[];
  /**
   * The parameter of which somebody could try values until one fits another one, such as the number of a badge whose
   * PIN is guessed: failures are limited for each of its values as well.
   */
  readonly guessedFor?: string;
  /** Whether applications that do not authenticate may use it; by default not. */
  readonly publicClients?: boolean;
  /**
   * Whether a refresh token is issued where `offline_access` was requested and the application may have one; by default
   * not.
   */
  readonly refreshTokens?: boolean;
  /** 50 to 10,000; by default 3,000. */
  readonly timeoutMs?: number;
  /** Which user gets tokens, or why nobody does. What may be used once must be used up when it returns. */
  decide(question: GrantQuestion, signal: AbortSignal): Promise<GrantDecision>;
}

/** @beta */
export const GRANT: Seam<ExtGrant> = new Seam<ExtGrant>('GRANT', 'many', {
  mistakes: grantMistakes,
  nameOf: ({ name }) => name,
});

/** The name of a grant of an extension; those of the product are words. */
export type ExtGrantName = `${string}:${string}`;

export const MAX_GRANT_NAME_CHARACTERS = 200;
/** How many grants of extensions one application may have. */
export const MOST_EXT_GRANTS = 10;
export const USUAL_GRANT_LIMIT_MS = 3_000;
export const MAX_PARAMETER_CHARACTERS = 4_000;

/** RFC 3986 §4.3: a scheme, and no fragment. */
const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]*:(?:[A-Za-z0-9._~:/?[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/;
/** What the token endpoint answers itself; a test compares. */
export const PRODUCT_GRANT_URIS: readonly string[] = [
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
];
const PARAMETER = /^[a-z][a-z0-9_]{0,39}$/;
/** The parameters of RFC 6749 §2.3.1, §3.2, RFC 7521 §4.2, RFC 8693 §2.1, RFC 8707 §2. */
const READ_BY_THE_ENDPOINT: readonly string[] = [
  'grant_type',
  'scope',
  'resource',
  'audience',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
];
const MOST_PARAMETERS = 10;
const LEAST_MS = 50;
const MOST_MS = 10_000;

/** What is wrong with a name, completing "must …"; undefined if an extension could have it. */
export function grantNameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string' || name.length > MAX_GRANT_NAME_CHARACTERS || !ABSOLUTE_URI.test(name))
    return `be an absolute URI of at most ${MAX_GRANT_NAME_CHARACTERS} characters, such as urn:example:badge`;
  return PRODUCT_GRANT_URIS.includes(name) ? "be another one: it is the product's" : undefined;
}

export function isExtGrantName(grant: string): grant is ExtGrantName {
  return grant.includes(':');
}

/** What is wrong with the grants, each in a sentence with its remedy. */
export function grantMistakes(filled: ReadonlyArray<Filled<ExtGrant>>): string[] {
  const names = filled.map(({ part }) => part.name);
  return [
    ...filled.flatMap(mistakesOf),
    ...[...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
      (name) => `Several classes are the grant ${name}. Give each its own name.`,
    ),
  ];
}

function mistakesOf({ extension, name: part, part: grant }: Filled<ExtGrant>): string[] {
  const who = `${part} of the extension ${extension}`;
  const problem = grantNameProblem(grant.name);
  return [
    ...(problem === undefined ? [] : [`The grant "${String(grant.name)}" of ${who} must ${problem}.`]),
    ...parameterMistakes(who, grant),
    ...timeMistakes(who, grant.timeoutMs),
  ];
}

function parameterMistakes(who: string, { parameters, guessedFor }: ExtGrant): string[] {
  if (!Array.isArray(parameters) || parameters.length === 0 || parameters.length > MOST_PARAMETERS)
    return [`${who} must list its parameters: 1 to ${MOST_PARAMETERS}.`];
  const given: readonly GrantParameter[] = parameters;
  const names = given.map(({ name }) => name);
  const isDeclared = guessedFor === undefined || names.includes(guessedFor);
  return [
    ...given
      .filter(({ name }) => typeof name !== 'string' || !PARAMETER.test(name))
      .map(
        ({ name }) =>
          `"${String(name)}" cannot be a parameter of ${who}. Choose up to 40 lower-case letters, digits and underscores, letter first.`,
      ),
    ...given
      .filter(({ name }) => READ_BY_THE_ENDPOINT.includes(name))
      .map(({ name }) => `"${name}" cannot be a parameter of ${who}: the token endpoint reads it. Choose another one.`),
    ...[...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
      (name) => `${who} declares the parameter ${name} several times. Remove all but one.`,
    ),
    ...given
      .filter(({ maxLength = 1 }) => !isFrom(maxLength, 1, MAX_PARAMETER_CHARACTERS))
      .map(
        ({ name }) =>
          `The parameter ${name} of ${who} has a maxLength that is not from 1 to ${MAX_PARAMETER_CHARACTERS}.`,
      ),
    ...(isDeclared ? [] : [`${who} has guessedFor "${guessedFor}", which is not among its parameters. Add it there.`]),
  ];
}

function timeMistakes(who: string, timeoutMs: number = USUAL_GRANT_LIMIT_MS): string[] {
  return isFrom(timeoutMs, LEAST_MS, MOST_MS)
    ? []
    : [`${who} has a timeoutMs that is not from ${LEAST_MS} to ${MOST_MS}.`];
}

function isFrom(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
