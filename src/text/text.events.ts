import type { NewEvent } from '../foundation/event/journal.js';
import type { MessageKind } from './message-catalogue/message-text.js';
import type { TextOwner } from './text-owner.js';

/** How events name a text. */
const TEMPLATES: Readonly<Record<MessageKind | 'login', string>> = {
  init: 'InitCode',
  passwordReset: 'PasswordReset',
  verifyEmail: 'VerifyEmail',
  verifyPhone: 'VerifyPhone',
  verifySmsOtp: 'VerifySMSOTP',
  verifyEmailOtp: 'VerifyEmailOTP',
  domainClaimed: 'DomainClaimed',
  passwordlessRegistration: 'PasswordlessRegistration',
  passwordChange: 'PasswordChange',
  inviteUser: 'InviteUser',
  login: 'Login',
};

/** Which text, in which language. */
export interface TextPlace {
  readonly template: MessageKind | 'login';
  readonly language: string;
}

/** `changed`: new texts by name; an empty one was removed. */
export function customTextSet(owner: TextOwner, place: TextPlace, changed: object, editorId: string): NewEvent {
  return event(owner, 'set', { ...payloadOf(place), texts: changed }, editorId);
}

export function customTextRemoved(owner: TextOwner, place: TextPlace, editorId: string): NewEvent {
  return event(owner, 'template.removed', payloadOf(place), editorId);
}

function event(
  { level, id }: TextOwner,
  what: string,
  payload: Readonly<Record<string, unknown>>,
  editorId: string,
): NewEvent {
  return { aggregateType: level, aggregateId: id, type: `${level}.customtext.${what}`, orgId: id, editorId, payload };
}

function payloadOf({ template, language }: TextPlace): Record<string, unknown> {
  return { template: TEMPLATES[template], language };
}
