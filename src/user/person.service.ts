import { Injectable } from '@nestjs/common';
import type { Secret } from '../foundation/config/secret.js';
import type { Transaction } from '../foundation/database/database.js';
import { type EventMark, lastMark, SYSTEM } from '../foundation/event/journal.js';
import { Clock } from '../foundation/time/clock.js';
import { emailProblem, toStoredEmail } from '../org/email-address.js';
import { provedEmail, saidEmail, UNVERIFIED_EMAIL, type VerifiedEmail } from './address-proof.js';
import type { NewHuman } from './new-human.js';
import type { MailDetails } from './outbox/outbox-mail.entity.js';
import { phoneRule, toPhoneNumber } from './phone-number.js';
import { type Profile, profileViolations } from './profile.js';
import { isUnprovenRegistration } from './unproven-registration.js';
import type { User } from './user.entity.js';
import {
  emailNotVerified,
  emailVerifiedAlready,
  notPerson,
  phoneMissing,
  smsUnavailable,
  userInitial,
  userInvalid,
  userNotInitial,
} from './user.errors.js';
import { type AddedUser, isUnfinished, stateAfter, UserService } from './user.service.js';
import type { CodeKind } from './user-code.entity.js';
import { type CodeMail, UserMails } from './user-mails.js';
import { toNameKey } from './user-name.js';

export interface NewPerson extends Omit<NewHuman, 'state'> {
  /** Whether the user can sign in through an identity provider, so that nothing is left to set up. */
  readonly hasProvider?: boolean;
  /** Whether the user gets a link to add a passkey in place of a password. */
  readonly isPasswordless?: boolean;
  /** Whether no code is sent. */
  readonly isSilent?: boolean;
}

/** Records that a code was sent, but never the code. */
const CODE_EVENTS: Readonly<Record<CodeKind, string>> = {
  init: 'user.human.initialization.code.added',
  email: 'user.human.email.code.added',
  password_reset: 'user.human.password.code.added',
  passkey: 'user.human.passwordless.initialization.code.added',
};

/** The means to sign in again that a user gets by mail, as the login policy allows. */
export type WayBack = 'password' | 'passkey';

/** Manages users, and sends them their codes. */
@Injectable()
export class PersonService {
  constructor(
    private readonly users: UserService,
    private readonly mails: UserMails,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a user on behalf of another. Without a verified e-mail address or without a password the account is
   * `initial`, and a code to set it up is sent; if only the address is unverified, a code for that is sent.
   * @throws DomainError InvalidArgument with every violation; AlreadyExists `user.name_taken`, `user.id_taken`
   */
  async add(
    tx: Transaction,
    { hasProvider = false, isPasswordless = false, isSilent = false, ...person }: NewPerson,
    editorId: string,
  ): Promise<AddedUser> {
    const hasWayIn = isPasswordless || person.passwordHash !== undefined;
    const isSetUp = hasProvider || (hasWayIn && person.emailVerified === true);
    const added = await this.users.addHuman(tx, { ...person, state: isSetUp ? 'active' : 'initial' }, editorId);
    if (isSilent) return added;
    const addressee = { id: added.id, orgId: person.orgId, email: toStoredEmail(person.email) };
    // An id that was given may have belonged to a user who was removed, and who received mails.
    const mail = { isFirst: person.id === undefined };
    if (!isSetUp) await this.mails.sendCode(tx, addressee, 'init', mail);
    else if (person.emailVerified !== true) await this.mails.sendCode(tx, addressee, 'email', mail);
    return added;
  }

  /**
   * Creates a user who registers with a password, and sends a code to verify the e-mail address.
   * @throws DomainError InvalidArgument; AlreadyExists `user.name_taken`; ResourceExhausted `mail.too_many`
   */
  async register(
    tx: Transaction,
    person: Omit<NewHuman, 'id' | 'emailVerified' | 'emailToBeProved' | 'state'>,
    details: MailDetails = {},
  ): Promise<string> {
    const { id } = await this.users.addHuman(
      tx,
      { ...person, emailVerified: false, emailToBeProved: true, state: 'active' },
      SYSTEM,
    );
    await this.mails.sendCode(tx, { id, orgId: person.orgId, email: toStoredEmail(person.email) }, 'email', {
      details,
      isCausedByStrangers: true,
      isFirst: true,
    });
    return id;
  }

  /**
   * A user who can sign in at a provider needs no code to set the account up, as in `add`. Undefined if the account
   * does not wait for that.
   */
  async openWithProvider(tx: Transaction, user: User, editorId: string): Promise<EventMark | undefined> {
    if (user.state !== 'initial') return undefined;
    await this.mails.dropCodes(tx, user.id, ['init']);
    if (!user.emailVerified) await this.mails.sendCode(tx, user, 'email');
    return this.users.change(tx, user, { state: 'active' }, 'user.human.initialization.check.succeeded', editorId);
  }

  /** @throws DomainError InvalidArgument; FailedPrecondition `user.not_person` */
  async changeProfile(tx: Transaction, user: User, profile: Partial<Profile>, editorId: string): Promise<EventMark> {
    checkPerson(user);
    const violations = profileViolations(profile, '');
    if (violations.length > 0) throw userInvalid(violations);
    const { firstName = user.firstName, lastName = user.lastName } = profile;
    const displayName = profile.displayName === '' ? `${firstName} ${lastName}` : profile.displayName;
    return this.users.changeTo(
      tx,
      user,
      { ...profile, ...(displayName === undefined ? {} : { displayName }) },
      'user.human.profile.changed',
      editorId,
    );
  }

  /** @throws DomainError InvalidArgument */
  checkEmail(typed: string): void {
    const problem = emailProblem(typed);
    if (problem !== undefined) throw userInvalid([{ field: 'email', description: problem }]);
  }

  /**
   * Setting the same address again can only verify it, or require its verification from a user whom an import allowed
   * in without. Codes sent to the old address become invalid. `isSilent`: none is sent to the new one.
   * @throws DomainError InvalidArgument; FailedPrecondition `user.not_person`
   */
  async changeEmail(
    tx: Transaction,
    user: User,
    typed: string,
    isVerified: boolean,
    editorId: string,
    { isSilent = false } = {},
  ): Promise<EventMark> {
    checkPerson(user);
    this.checkEmail(typed);
    return this.setEmail(tx, user, typed, isVerified ? 'said' : undefined, editorId, isSilent);
  }

  /** The user has typed a code that was sent to the address, which becomes theirs. */
  async takeEmail(tx: Transaction, user: User, typed: string): Promise<EventMark> {
    return this.setEmail(tx, user, typed, 'owner', user.id);
  }

  private async setEmail(
    tx: Transaction,
    user: User,
    typed: string,
    proof: 'owner' | 'said' | undefined,
    editorId: string,
    isSilent = false,
  ): Promise<EventMark> {
    const email = toStoredEmail(typed);
    const isSame = user.email === email;
    const verified = this.verifiedAfter(user, isSame, proof);
    const { emailVerified } = verified;
    const isToBeProven = user.emailMayStayUnverified && !emailVerified;
    const isAsBefore = user.emailVerified === emailVerified && user.emailProof === verified.emailProof;
    if (isSame && isAsBefore && !isToBeProven) return lastMark(user);
    const state = stateAfter({ ...user, emailVerified });
    const values = { email, emailKey: toNameKey(email), ...verified, emailMayStayUnverified: false, state };
    const event = isSame && emailVerified ? 'user.human.email.verified' : 'user.human.email.changed';
    const mark = await this.users.change(tx, user, values, event, editorId, { email, emailVerified });
    if (isSame) {
      if (emailVerified) await this.mails.dropCodes(tx, user.id, state === 'initial' ? ['email'] : ['init', 'email']);
      return mark;
    }
    await this.mails.dropCodes(tx, user.id, ['init', 'email', 'password_reset', 'passkey']);
    if (isSilent) return mark;
    const addressee = { ...user, email };
    if (state === 'initial') await this.mails.sendCode(tx, addressee, 'init');
    // A code would be of no use before the account is open again and set up.
    else if (!emailVerified && !user.awaitsSetUp) await this.mails.sendCode(tx, addressee, 'email');
    return mark;
  }

  /** The best proof of an address stays, with its time. */
  private verifiedAfter(user: User, isSame: boolean, proof: 'owner' | 'said' | undefined): VerifiedEmail {
    const { emailVerified, emailProof, emailVerifiedAt } = user;
    if (isSame && emailVerified && (proof !== 'owner' || emailProof === 'owner'))
      return { emailVerified, emailProof, emailVerifiedAt };
    if (proof === undefined) return UNVERIFIED_EMAIL;
    return proof === 'owner' ? provedEmail(this.clock.now()) : saidEmail(this.clock.now());
  }

  /** @throws DomainError InvalidArgument; FailedPrecondition `user.not_person` */
  async changePhone(
    tx: Transaction,
    user: User,
    typed: string,
    isVerified: boolean,
    editorId: string,
  ): Promise<EventMark> {
    checkPerson(user);
    const phone = toPhoneNumber(typed);
    if (phone === undefined) throw userInvalid([{ field: 'phone', description: phoneRule }]);
    const isAsBefore = user.phone === phone && user.phoneVerified;
    const verified = isVerified && !isAsBefore ? this.clock.now() : null;
    const phoneVerifiedAt = isAsBefore ? user.phoneVerifiedAt : verified;
    return this.users.changeTo(
      tx,
      user,
      { phone, phoneVerified: isVerified || isAsBefore, phoneVerifiedAt },
      'user.human.phone.changed',
      editorId,
    );
  }

  /** @throws DomainError NotFound `user.phone_missing`; FailedPrecondition `user.not_person` */
  async removePhone(tx: Transaction, user: User, editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (user.phone === '') throw phoneMissing();
    return this.users.change(
      tx,
      user,
      { phone: '', phoneVerified: false, phoneVerifiedAt: null },
      'user.human.phone.removed',
      editorId,
    );
  }

  /**
   * Sends a new code to set the account up, to another address if one is given.
   * @throws DomainError FailedPrecondition `user.not_initial`
   */
  async resendInitialization(tx: Transaction, user: User, email: string, editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (user.state !== 'initial') throw userNotInitial();
    // The change of the address sends the code itself.
    if (email === '' || toStoredEmail(email) === user.email) return this.send(tx, user, 'init', editorId);
    await this.changeEmail(tx, user, email, false, editorId);
    return this.users.change(tx, user, {}, CODE_EVENTS.init, editorId);
  }

  /**
   * Like an initialization, worded as an invitation to an application; either code replaces the other.
   * @throws DomainError FailedPrecondition `user.not_initial`; ResourceExhausted `mail.too_many`
   */
  async invite(tx: Transaction, user: User, applicationName: string, editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (user.state !== 'initial') throw userNotInitial();
    await this.mails.sendInvitation(tx, user, applicationName);
    return this.users.change(tx, user, {}, CODE_EVENTS.init, editorId);
  }

  /**
   * Sends a new code for the address: that of the account, where it is still to be set up.
   * @throws DomainError FailedPrecondition `user.initial`, `user.email_verified`; ResourceExhausted `mail.too_many`
   */
  async resendEmailCode(tx: Transaction, user: User, editorId: string): Promise<EventMark> {
    return user.state === 'initial'
      ? this.resendInitialization(tx, user, '', editorId)
      : this.resendEmailVerification(tx, user, editorId);
  }

  /** @throws DomainError FailedPrecondition `user.initial`, `user.email_verified` */
  async resendEmailVerification(
    tx: Transaction,
    user: User,
    editorId: string,
    mail: CodeMail = {},
  ): Promise<EventMark> {
    checkPerson(user);
    if (isUnfinished(user)) throw userInitial();
    if (user.emailVerified) throw emailVerifiedAlready();
    return this.send(tx, user, 'email', editorId, mail);
  }

  /**
   * Sends a code to choose a new password; the old one remains valid until then.
   * @throws DomainError FailedPrecondition `user.initial`, `user.email_not_verified`, `user.sms_unavailable`
   */
  async requestPasswordReset(tx: Transaction, user: User, by: 'email' | 'sms', editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (by === 'sms') throw smsUnavailable();
    if (isUnfinished(user)) throw userInitial();
    if (!user.emailVerified) throw emailNotVerified();
    return this.send(tx, user, 'password_reset', editorId);
  }

  /**
   * Sends a link to add a passkey.
   * @throws DomainError FailedPrecondition `user.initial`, `user.email_not_verified`; ResourceExhausted `mail.too_many`
   */
  async sendPasskeyLink(tx: Transaction, user: User, editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (isUnfinished(user)) throw userInitial();
    if (!user.emailVerified) throw emailNotVerified();
    return this.send(tx, user, 'passkey', editorId);
  }

  /**
   * Makes such a link for a manager, who passes it on.
   * @throws DomainError FailedPrecondition `user.initial`
   */
  async makePasskeyCode(tx: Transaction, user: User, editorId: string): Promise<{ code: Secret; mark: EventMark }> {
    checkPerson(user);
    if (isUnfinished(user)) throw userInitial();
    const { secret: code } = await this.mails.issueUnsent(tx, user.id, 'passkey');
    return { code, mark: await this.users.change(tx, user, {}, CODE_EVENTS.passkey, editorId) };
  }

  /**
   * Sends a mail for visitors who claim on a page to have forgotten the password or received no mail. The user is sent
   * what they need to sign in again; a user whose account is closed, or whose address may not be their own, is sent
   * nothing. An account that was registered but never verified belongs to its mailbox: its password may be that of a
   * person who registered with another person's address. Pages answer the same in every case, including
   * `mail.too_many`.
   * @throws DomainError NotFound `user.not_found`; ResourceExhausted `mail.too_many`
   */
  async sendWayBack(
    tx: Transaction,
    { userId, orgId }: { readonly userId: string; readonly orgId: string },
    details: MailDetails = {},
    by: WayBack = 'password',
  ): Promise<void> {
    const user = await this.users.getOf(tx, orgId, userId);
    const mail = { details, isCausedByStrangers: true };
    if (user.kind !== 'human') return;
    if (user.state === 'initial') await this.send(tx, user, 'init', SYSTEM, mail);
    else if (by === 'passkey') {
      if (user.state === 'active' && user.emailVerified) await this.send(tx, user, 'passkey', SYSTEM, mail);
    } else if (user.state === 'active' && (user.emailVerified || (await isUnprovenRegistration(tx, userId))))
      await this.send(tx, user, 'password_reset', SYSTEM, mail);
  }

  private async send(
    tx: Transaction,
    user: User,
    kind: CodeKind,
    editorId: string,
    mail: CodeMail = {},
  ): Promise<EventMark> {
    await this.mails.sendCode(tx, user, kind, mail);
    return this.users.change(tx, user, {}, CODE_EVENTS[kind], editorId);
  }
}

/** @throws DomainError FailedPrecondition `user.not_person` */
export function checkPerson({ kind }: Pick<User, 'kind'>): void {
  if (kind !== 'human') throw notPerson();
}
