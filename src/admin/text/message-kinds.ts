import { type MessageKind, TEMPLATE_FIELDS } from '../../text/message-text.js';
import { listOf } from '../../text/template.js';
import { wireEnum } from '../wire/wire-enum.js';

/** A kind of message as the wire knows it. */
export interface KindFacts {
  readonly kind: MessageKind;
  /** In paths. */
  readonly word: string;
  /** In the names of operations. */
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
    message: 'the message that lets a new user set up their account',
    setEnding: 'MessageText',
  },
  {
    kind: 'passwordReset',
    word: 'passwordreset',
    name: 'PasswordReset',
    message: 'the message that lets somebody choose a new password',
    setEnding: 'MessageText',
  },
  {
    kind: 'verifyEmail',
    word: 'verifyemail',
    name: 'VerifyEmail',
    message: 'the message that verifies an e-mail address',
    setEnding: 'MessageText',
  },
  {
    kind: 'verifyPhone',
    word: 'verifyphone',
    name: 'VerifyPhone',
    message: 'the short message that verifies a phone number',
    setEnding: 'MessageText',
  },
  {
    kind: 'verifySmsOtp',
    word: 'verifysmsotp',
    name: 'VerifySMSOTP',
    message: 'the short message with a one-time code',
    setEnding: 'MessageText',
  },
  {
    kind: 'verifyEmailOtp',
    word: 'verifyemailotp',
    name: 'VerifyEmailOTP',
    message: 'the e-mail with a one-time code',
    setEnding: 'MessageText',
  },
  {
    kind: 'domainClaimed',
    word: 'domainclaimed',
    name: 'DomainClaimed',
    message: 'the message that tells of a login name changed with its domain',
    setEnding: 'MessageCustomText',
  },
  {
    kind: 'passwordlessRegistration',
    word: 'passwordless_registration',
    name: 'PasswordlessRegistration',
    message: 'the message that lets somebody add a passkey',
    setEnding: 'MessageCustomText',
  },
  {
    kind: 'passwordChange',
    word: 'password_change',
    name: 'PasswordChange',
    message: 'the message that tells of a changed password',
    setEnding: 'MessageCustomText',
  },
  {
    kind: 'inviteUser',
    word: 'invite_user',
    name: 'InviteUser',
    message: 'the message that invites somebody',
    setEnding: 'MessageCustomText',
  },
];

/** By the words of the paths. */
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

/** For the description of an operation. */
export function templateFieldsOf(kind: MessageKind): string {
  return `Template fields that the texts may use: \`${listOf(TEMPLATE_FIELDS[kind])}\`.`;
}
