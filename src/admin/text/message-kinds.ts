import { wireEnum } from '../../foundation/http/wire-enum.js';
import { type MessageKind, TEMPLATE_FIELDS } from '../../text/message-catalogue/message-text.js';
import { listOf } from '../../text/template.js';
import type { Level } from '../kit/level.js';
import type { Tag } from '../kit/tags.js';

/** A kind of message as the wire knows it. */
export interface KindFacts {
  readonly kind: MessageKind;
  /** The word in paths. */
  readonly word: string;
  /** The name in operations. */
  readonly name: string;
  /** `the message that …` */
  readonly message: string;
  /** The end of the name of the operation by which an organization sets it; two forms have grown. */
  readonly setEnding: 'MessageText' | 'MessageCustomText';
}

export const KINDS: readonly KindFacts[] = [
  {
    kind: 'init',
    word: 'init',
    name: 'Init',
    message: 'the account setup e-mail',
    setEnding: 'MessageText',
  },
  {
    kind: 'passwordReset',
    word: 'passwordreset',
    name: 'PasswordReset',
    message: 'the password reset e-mail',
    setEnding: 'MessageText',
  },
  {
    kind: 'verifyEmail',
    word: 'verifyemail',
    name: 'VerifyEmail',
    message: 'the e-mail verification e-mail',
    setEnding: 'MessageText',
  },
  {
    kind: 'verifyPhone',
    word: 'verifyphone',
    name: 'VerifyPhone',
    message: 'the phone verification SMS',
    setEnding: 'MessageText',
  },
  {
    kind: 'verifySmsOtp',
    word: 'verifysmsotp',
    name: 'VerifySMSOTP',
    message: 'the one-time code SMS',
    setEnding: 'MessageText',
  },
  {
    kind: 'verifyEmailOtp',
    word: 'verifyemailotp',
    name: 'VerifyEmailOTP',
    message: 'the one-time code e-mail',
    setEnding: 'MessageText',
  },
  {
    kind: 'domainClaimed',
    word: 'domainclaimed',
    name: 'DomainClaimed',
    message: 'the domain claimed e-mail',
    setEnding: 'MessageCustomText',
  },
  {
    kind: 'passwordlessRegistration',
    word: 'passwordless_registration',
    name: 'PasswordlessRegistration',
    message: 'the passkey registration e-mail',
    setEnding: 'MessageCustomText',
  },
  {
    kind: 'passwordChange',
    word: 'password_change',
    name: 'PasswordChange',
    message: 'the password changed e-mail',
    setEnding: 'MessageCustomText',
  },
  {
    kind: 'inviteUser',
    word: 'invite_user',
    name: 'InviteUser',
    message: 'the invitation e-mail',
    setEnding: 'MessageCustomText',
  },
];

/** The kinds by the words of the paths. */
export const MESSAGE_KIND = wireEnum('MessageKind', {
  init: [0, 'init'],
  passwordreset: [1, 'passwordReset'],
  verifyemail: [2, 'verifyEmail'],
  verifyphone: [3, 'verifyPhone'],
  verifysmsotp: [4, 'verifySmsOtp'],
  verifyemailotp: [5, 'verifyEmailOtp'],
  domainclaimed: [6, 'domainClaimed'],
  passwordless_registration: [7, 'passwordlessRegistration'],
  password_change: [8, 'passwordChange'],
  invite_user: [9, 'inviteUser'],
} satisfies Record<string, readonly [number, MessageKind]>);

/** The group of operations on the texts of e-mails. */
export function mailTextsAt(level: Level): Tag {
  return level.isOrg ? 'E-mail texts of organizations' : 'E-mail texts of the instance';
}

/** The template fields of a kind, for the description of an operation. */
export function templateFieldsOf(kind: MessageKind): string {
  return `Template fields that may be used in the texts: \`${listOf(TEMPLATE_FIELDS[kind])}\`.`;
}
