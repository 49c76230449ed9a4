import { readDrawing } from '../foundation/drawing/drawing.js';
import { type Filled, Seam } from '../foundation/extension/seam.js';
import type { ExternalIdentity } from './external-identity.js';

/** The provider at which somebody signs in, as it is configured. Members may be added in a minor version. @public */
export interface IdpGiven<Settings extends object = object> {
  /** The id of the provider in Gatehouse. */
  readonly providerId: string;
  /**
   * The settings as the class declares them, secrets in clear. A field that was declared after they were stored has its
   * zero value.
   */
  readonly settings: Settings;
  readonly clientId: string;
  /** Empty if the provider has none. */
  readonly clientSecret: string;
  /** The redirect URI of this provider, and of no other one (RFC 9700 §4.4.2). */
  readonly callbackUrl: string;
}

/** A browser that is about to be sent to the provider. @public */
export interface IdpLeaving<Settings extends object = object> extends IdpGiven<Settings> {
  /** The state that the browser must bring back. */
  readonly state: string;
  readonly nonce: string;
  /** RFC 7636 §4.2, method S256. */
  readonly codeChallenge: string;
  /** `login`: the user must prove anew who they are. `select_account`: the user wants to choose another account. */
  readonly prompt: 'login' | 'select_account' | undefined;
  /** The name that the user has typed. */
  readonly loginHint: string | undefined;
  /** OIDC Core §3.1.2.1 */
  readonly maxAgeSeconds: number | undefined;
}

/**
 * A browser that has returned with a code. State, browser, single use and errors of the provider (RFC 6749 §4.1.2.1)
 * have been checked.
 * @public
 */
export interface IdpReturn<Settings extends object = object> extends IdpGiven<Settings> {
  readonly code: string;
  /** RFC 9207 §2 */
  readonly iss: string | undefined;
  readonly nonce: string;
  /** RFC 7636 §4.1 */
  readonly codeVerifier: string;
  /** What the answer had in those of `formFields` that it had. Nobody has signed it. */
  readonly form: Readonly<Record<string, string>>;
}

/** A form that takes the browser to the provider by itself, where an address would not do. @public */
export interface IdpForm {
  /** An https URL that may be called. */
  readonly action: string;
  /** 512 KiB together. */
  readonly fields: Readonly<Record<string, string>>;
}

/** How a provider answers with a message of its own in place of a code. @public */
export interface IdpMessageForm {
  /** The field that brings the state back, such as `RelayState`. */
  readonly state: string;
  /** What is read besides, such as `SAMLResponse`: one to eight names. */
  readonly fields: readonly string[];
  /** The longest form that is read, as it is sent: at most 524,288 bytes. */
  readonly maxBytes: number;
}

/**
 * A message that has come with the state of a turn: single use and the provider have been checked, and nothing in it.
 * Whose browser it is will be checked before anybody is signed in.
 * @public
 */
export interface IdpMessage<Settings extends object = object> extends IdpGiven<Settings> {
  /** That of the turn: what the message must be the answer to is derived from it. */
  readonly nonce: string;
  /** A form of another site, or the query of an address. */
  readonly by: 'form' | 'query';
  /** Those of `message.fields` that came. */
  readonly fields: Readonly<Record<string, string>>;
  /** The user must have proved who they are since then (`prompt`, `maxAgeSeconds`); undefined if any proof will do. */
  readonly provedAfter: Date | undefined;
  readonly now: Date;
}

/** @public */
export interface IdpHttpRequest {
  readonly url: string;
  /** Defaults to POST with a form or a body, otherwise to GET. */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** @public */
export interface IdpHttpAnswer {
  readonly status: number;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The body in the type that the caller expects, which is not checked. @throws Error if it is not JSON */
  json<T>(): T;
}

/**
 * The only way to call a provider: https (http for this machine in development), public addresses and those of
 * OUTBOUND_ALLOW, no redirects, 10 s and 1 MB, with the share of connections of the organization that owns the
 * provider.
 * @public
 */
export interface IdpHttp {
  /**
   * The answer, whatever its status except a redirect.
   * @throws DomainError `outbound.…`; if it is passed on, the user is told that the provider is unavailable, and the
   * log why
   */
  send(request: IdpHttpRequest): Promise<IdpHttpAnswer>;
}

/**
 * The user who has signed in. Flags that are absent are false: an address counts as verified only if the provider says
 * so.
 * @public
 */
export type IdpIdentity = Pick<ExternalIdentity, 'subject'> &
  Partial<ExternalIdentity> & {
    /**
     * When the user proved there who they are. With it, `prompt=login` and `max_age` are checked; without, a provider
     * that was asked for a new proof is believed to have demanded it.
     */
    readonly authenticatedAt?: Date;
  };

/**
 * The answer does not prove who the user is, such as a code that the provider does not accept. `message`: one word for
 * the log, such as `bad_verification_code`.
 * @public
 */
export class IdpAnswerRefused extends Error {}

/**
 * A kind of identity provider beside OpenID Connect and JWT, such as one with plain OAuth 2.0. It says where the
 * browser goes, and who has signed in once it has returned. State, PKCE, nonce, the binding to the browser, links
 * between accounts and the storage of secrets are Gatehouse's. It has `redeem`, or else `message` and `readMessage`.
 * Each method has 10 s. If one throws, is late or answers nonsense, nobody is signed in: the user gets a page with 502.
 * @public
 */
export interface IdpKind<Settings extends object = object> {
  /** `ext:{id}`, or `ext:{id}-{name}` if the extension has several. Stored with each provider, so it never changes. */
  readonly kind: string;
  /**
   * A class of which each property has a decorator of `gatehouse/admin`: `Text`, `Texts`, `Flag` or `Count`. What is
   * `writeOnly` is a secret: sealed, and never answered.
   */
  readonly settings: new () => Settings;
  /**
   * The mark on the buttons of its providers, beside their names: an SVG of at most 4,000 characters, which consists of
   * shapes (`g`, `path`, `rect`, `circle`, `ellipse`, `polygon`, `polyline`, `line`) in colours like `#4285f4` or in
   * `currentColor`. Anything else refuses the start.
   */
  readonly mark?: string;
  /**
   * What it reads of an answer by form (OAuth 2.0 Form Post Response Mode) besides `code`, `state`, `iss` and `error`:
   * at most four names. `redeem` gets them as they came, 2,000 bytes together.
   */
  readonly formFields?: readonly string[];
  /** The provider answers with a message in place of a code, which `readMessage` reads. */
  readonly message?: IdpMessageForm;
  /** Where the browser is sent: an https URL that may be called, or a form. */
  authorizationUrl(
    leaving: IdpLeaving<Settings>,
    http: IdpHttp,
    signal: AbortSignal,
  ): string | IdpForm | Promise<string | IdpForm>;
  /**
   * The user who has signed in; undefined if the provider has signed in nobody.
   * @throws IdpAnswerRefused if the code proves nothing
   */
  redeem?(back: IdpReturn<Settings>, http: IdpHttp, signal: AbortSignal): Promise<IdpIdentity | undefined>;
  /**
   * What a message proves; undefined if the provider has signed in nobody.
   * @throws IdpAnswerRefused if it proves nothing
   */
  readMessage?(message: IdpMessage<Settings>, http: IdpHttp, signal: AbortSignal): Promise<IdpIdentity | undefined>;
  /**
   * The ids of all groups of Gatehouse about which the provider decides by these settings. At each sign-in the user
   * joins those of them that `IdpIdentity.groups` names, and leaves the others. Whoever stores such settings must be
   * allowed to change the members of each of these groups, and to grant and remove roles in its organization.
   */
  groupsIn?(settings: Settings): readonly string[];
}

/** Of a form in either direction. */
export const MAX_MESSAGE_BYTES = 524_288;
const MAX_MESSAGE_FIELDS = 8;
const MESSAGE_FIELD = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;
const MAX_FORM_FIELDS = 4;
const FORM_FIELD = /^[a-z][a-z0-9_]{0,39}$/;
/** What Gatehouse reads itself (RFC 6749 §4.1.2, RFC 9207 §2). */
const OWN_FIELDS: readonly string[] = ['code', 'state', 'iss', 'error'];

/** @public */
export const IDP_KIND: Seam<IdpKind> = new Seam<IdpKind>('IDP_KIND', 'many', {
  mistakes: (filled) => [
    ...kindMistakes(filled),
    ...filled.filter(({ part }) => !areFormFields(part.formFields ?? [])).map(wrongFormFields),
    ...filled.flatMap(messageMistakes),
  ],
  nameOf: ({ kind }) => kind,
  // Without its kind, users of a provider could not sign in.
  isRequired: true,
});

/** What kinds of every sort have. */
type AnyKind = Pick<IdpKind, 'kind' | 'settings' | 'mark'>;

/** What is wrong with kinds of one sort, each in a sentence with its remedy. */
export function kindMistakes(filled: ReadonlyArray<Filled<AnyKind>>): string[] {
  return [
    ...filled.filter((one) => !isOwn(one)).map(wrongName),
    ...filled
      .filter(({ part }) => typeof part.settings !== 'function')
      .map(
        ({ extension, name }) =>
          `${name} of the extension ${extension} needs settings: a class of which each property has a decorator of gatehouse/admin.`,
      ),
    ...filled.flatMap(markMistakes),
    ...repeatedKinds(filled.map(({ part }) => part.kind)),
  ];
}

/** Kinds that several classes claim. */
export function repeatedKinds(kinds: readonly string[]): string[] {
  return [...new Set(kinds.filter((kind, index) => kinds.indexOf(kind) !== index))].map(
    (kind) => `Several classes are the identity provider kind ${String(kind)}. Give each its own.`,
  );
}

function isOwn({ extension, part: { kind } }: Filled<AnyKind>): boolean {
  return typeof kind === 'string' && new RegExp(`^ext:${extension}(-[a-z0-9]{1,20}){0,3}$`).test(kind);
}

function wrongName({ extension, name, part: { kind } }: Filled<AnyKind>): string {
  return (
    `${name} of the extension ${extension} has the kind "${String(kind)}". ` +
    `It must be ext:${extension}, or begin with ext:${extension}- and continue with lower-case letters and digits.`
  );
}

function markMistakes({ extension, name, part: { mark } }: Filled<AnyKind>): string[] {
  if (mark === undefined) return [];
  try {
    readDrawing(String(mark));
    return [];
  } catch (error) {
    return [
      `The mark of ${name} of the extension ${extension} ${(error as Error).message}. ` +
        'Draw it with shapes alone, in a viewBox of its own.',
    ];
  }
}

function messageMistakes({ extension, name, part }: Filled<IdpKind>): string[] {
  const { message, formFields } = part;
  const has = (name: 'message' | 'readMessage' | 'redeem'): boolean => part[name] !== undefined;
  const isWhole = has('message') !== has('redeem') && has('readMessage') !== has('redeem');
  if (!isWhole || (message && formFields))
    return [
      `${name} of the extension ${extension} must have either redeem, with formFields if it needs them, or message and readMessage.`,
    ];
  return message === undefined || isMessageForm(message)
    ? []
    : [
        `The message of ${name} of the extension ${extension} must have a state, one to ${MAX_MESSAGE_FIELDS} other fields ` +
          `with names of letters, digits, _ and -, and maxBytes of at most ${MAX_MESSAGE_BYTES}.`,
      ];
}

function isMessageForm({ state, fields, maxBytes }: IdpMessageForm): boolean {
  const names = Array.isArray(fields) ? [state, ...(fields as unknown[])] : [];
  return (
    names.length >= 2 &&
    names.length <= MAX_MESSAGE_FIELDS + 1 &&
    new Set(names).size === names.length &&
    names.every((name) => typeof name === 'string' && MESSAGE_FIELD.test(name)) &&
    Number.isInteger(maxBytes) &&
    maxBytes > 0 &&
    maxBytes <= MAX_MESSAGE_BYTES
  );
}

function areFormFields(names: readonly unknown[]): boolean {
  return (
    Array.isArray(names) &&
    names.length <= MAX_FORM_FIELDS &&
    names.every((name) => typeof name === 'string' && FORM_FIELD.test(name) && !OWN_FIELDS.includes(name))
  );
}

function wrongFormFields({ extension, name }: Filled<IdpKind>): string {
  return (
    `The formFields of ${name} of the extension ${extension} must be at most ${MAX_FORM_FIELDS} names ` +
    `of lower-case letters, digits and _, and none of ${OWN_FIELDS.join(', ')}.`
  );
}
