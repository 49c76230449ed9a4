import type { Socket } from 'node:net';
import type { Secret } from '../foundation/config/secret.js';
import { Seam } from '../foundation/extension/seam.js';
import { type IdpIdentity, kindMistakes } from './idp-kind.js';

/** The directory, as it is configured. Members may be added in a minor version. @public */
export interface DirectoryGiven<Settings extends object = object> {
  /** The id of the provider in Gatehouse. */
  readonly providerId: string;
  /**
   * The settings as the class declares them, secrets in clear. A field that was declared after they were stored has its
   * zero value.
   */
  readonly settings: Settings;
}

/** Somebody who wants to sign in. @public */
export interface DirectoryTrial<Settings extends object = object> extends DirectoryGiven<Settings> {
  /** As it was typed, without spaces around it: 1 to 200 characters, none of them NUL. */
  readonly loginName: string;
  /** As it was typed: 1 to 200 characters, none of them NUL. */
  readonly password: Secret;
}

/**
 * The only way to reach a directory: public addresses and those of OUTBOUND_ALLOW, with the share of connections of the
 * organization that owns the provider.
 * @public
 */
export interface DirectoryNet {
  /**
   * A connection without encryption, which is cut when the call ends.
   * @throws DomainError `outbound.…`
   */
  connect(target: { readonly host: string; readonly port: number }): Promise<Socket>;
}

/**
 * The password was right, but nobody may sign in with it: it has expired, must be changed, or the account is disabled.
 * Users are asked to go to their administrator. `message`: one word for the log, such as `password_expired`.
 * @public
 */
export class DirectoryRefused extends Error {}

/**
 * A kind of identity provider that checks a name and a password, such as an LDAP directory. Gatehouse shows the page,
 * limits guesses before the directory is asked, and answers alike whatever was wrong. Both methods have 10 s. If one
 * throws or is late, nobody is signed in: the user gets a page with 502, and the attempt does not count.
 * @public
 */
export interface DirectoryKind<Settings extends object = object> {
  /**
   * `ext:{id}`, or `ext:{id}-{name}` if the extension has several; never that of an `IdpKind`. Stored with each
   * provider, so it never changes.
   */
  readonly kind: string;
  /**
   * A class of which each property has a decorator of `gatehouse/admin`: `Text`, `Texts`, `Flag` or `Count`. What is
   * `writeOnly` is a secret: sealed, and never answered.
   */
  readonly settings: new () => Settings;
  /** As `IdpKind.mark`. */
  readonly mark?: string;
  /**
   * Whether users could be found with these settings, for the test of a provider.
   * @throws Error whose message says what is wrong, in a sentence for administrators
   */
  test(given: DirectoryGiven<Settings>, net: DirectoryNet, signal: AbortSignal): Promise<void>;
  /**
   * The user with this name and password; undefined if one of them is wrong. That must take the same time whether or
   * not there is such a name.
   * @throws DirectoryRefused
   */
  check(trial: DirectoryTrial<Settings>, net: DirectoryNet, signal: AbortSignal): Promise<IdpIdentity | undefined>;
}

/** @public */
export const DIRECTORY_KIND: Seam<DirectoryKind> = new Seam<DirectoryKind>('DIRECTORY_KIND', 'many', {
  mistakes: kindMistakes,
  nameOf: ({ kind }) => kind,
  // Without its kind, users of a directory could not sign in.
  isRequired: true,
});
