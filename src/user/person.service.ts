import { Injectable } from '@nestjs/common';
import { newId } from '../crypto/id.js';
import type { Transaction } from '../database/database.js';
import { type EventMark, SYSTEM } from '../event/journal.js';
import type { MailDetails } from '../outbox/outbox-mail.entity.js';
import { emailProblem, toStoredEmail } from './email-address.js';
import type { NewHuman } from './new-human.js';
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
import { lastMark, stateAfter, UserService } from './user.service.js';
import type { CodeKind } from './user-code.entity.js';
import { type CodeMail, UserMails } from './user-mails.js';
import { toNameKey } from './user-name.js';

export interface NewPerson extends Omit<NewHuman, 'state'> {
  /** Whether they can sign in through an identity provider: then nothing is left to set up. */
  readonly hasProvider?: boolean;
}

/** That a code was sent, and never which. */
const CODE_EVENTS: Readonly<Record<CodeKind, string>> = {
  init: 'user.human.initialization.code.added',
  email: 'user.human.email.code.added',
  password_reset: 'user.human.password.code.added',
};

/** People as managers see to them, and how they come by what they are sent. */
@Injectable()
export class PersonService {
  constructor(
    private readonly users: UserService,
    private readonly mails: UserMails,
  ) {}

  /**
   * A person made by somebody else. Without a verified e-mail address or without a password the account is `initial`, and a
   * code to set it up is sent; if nothing but the proof of the address is missing, one for that.
   * @throws DomainError InvalidArgument with every violation; AlreadyExists `user.name_taken`, `user.id_taken`
   */
  async add(tx: Transaction, { hasProvider = false, ...person }: NewPerson, editorId: string): Promise<string> {
    const id = person.id ?? newId();
    const isSetUp = hasProvider || (person.passwordHash !== undefined && person.emailVerified === true);
    await this.users.addHuman(tx, { ...person, id, state: isSetUp ? 'active' : 'initial' }, editorId);
    const addressee = { id, orgId: person.orgId, email: toStoredEmail(person.email) };
    if (!isSetUp) await this.mails.sendCode(tx, addressee, 'init');
    else if (person.emailVerified !== true) await this.mails.sendCode(tx, addressee, 'email');
    return id;
  }

  /**
   * A person who makes their own account, with a password, and proves their e-mail address by the code that is sent there.
   * @throws DomainError InvalidArgument; AlreadyExists `user.name_taken`; ResourceExhausted `mail.too_many`
   */
  async register(
    tx: Transaction,
    person: Omit<NewHuman, 'id' | 'emailVerified' | 'state'>,
    details: MailDetails = {},
  ): Promise<string> {
    const id = await this.users.addHuman(tx, { ...person, emailVerified: false, state: 'active' }, SYSTEM);
    await this.mails.sendCode(tx, { id, orgId: person.orgId, email: toStoredEmail(person.email) }, 'email', {
      details,
      isCausedByStrangers: true,
    });
    return id;
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

  /**
   * The same address once more verifies it at most, or has it proven by a person whom an import has let in without that. Codes that
   * went to the old address are worth nothing from then on.
   * @throws DomainError InvalidArgument; FailedPrecondition `user.not_person`
   */
  async changeEmail(
    tx: Transaction,
    user: User,
    typed: string,
    isVerified: boolean,
    editorId: string,
  ): Promise<EventMark> {
    checkPerson(user);
    const problem = emailProblem(typed);
    if (problem !== undefined) throw userInvalid([{ field: 'email', description: problem }]);
    const email = toStoredEmail(typed);
    const isSame = user.email === email;
    const emailVerified = isVerified || (isSame && user.emailVerified);
    const isToBeProven = user.emailMayStayUnverified && !emailVerified;
    if (isSame && user.emailVerified === emailVerified && !isToBeProven) return lastMark(user);
    const state = stateAfter({ ...user, emailVerified });
    const values = { email, emailKey: toNameKey(email), emailVerified, emailMayStayUnverified: false, state };
    const event = isSame && emailVerified ? 'user.human.email.verified' : 'user.human.email.changed';
    const mark = await this.users.change(tx, user.id, values, event, editorId, { email, emailVerified });
    if (isSame) {
      if (emailVerified) await this.mails.dropCodes(tx, user.id, state === 'initial' ? ['email'] : ['init', 'email']);
      return mark;
    }
    await this.mails.dropCodes(tx, user.id, ['init', 'email', 'password_reset']);
    const addressee = { ...user, email };
    if (state === 'initial') await this.mails.sendCode(tx, addressee, 'init');
    else if (!emailVerified) await this.mails.sendCode(tx, addressee, 'email');
    return mark;
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
    const phoneVerified = isVerified || (user.phone === phone && user.phoneVerified);
    return this.users.changeTo(tx, user, { phone, phoneVerified }, 'user.human.phone.changed', editorId);
  }

  /** @throws DomainError NotFound `user.phone_missing`; FailedPrecondition `user.not_person` */
  async removePhone(tx: Transaction, user: User, editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (user.phone === '') throw phoneMissing();
    return this.users.change(tx, user.id, { phone: '', phoneVerified: false }, 'user.human.phone.removed', editorId);
  }

  /** A new code to set the account up, to another address if one is given. @throws DomainError FailedPrecondition `user.not_initial` */
  async resendInitialization(tx: Transaction, user: User, email: string, editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (user.state !== 'initial') throw userNotInitial();
    // To another address it goes with the change.
    if (email === '' || toStoredEmail(email) === user.email) return this.send(tx, user, 'init', editorId);
    await this.changeEmail(tx, user, email, false, editorId);
    return this.users.change(tx, user.id, {}, CODE_EVENTS.init, editorId);
  }

  /**
   * As an initialization, in words of invitation to an application; the code of either replaces that of the other.
   * @throws DomainError FailedPrecondition `user.not_initial`; ResourceExhausted `mail.too_many`
   */
  async invite(tx: Transaction, user: User, applicationName: string, editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (user.state !== 'initial') throw userNotInitial();
    await this.mails.sendInvitation(tx, user, applicationName);
    return this.users.change(tx, user.id, {}, CODE_EVENTS.init, editorId);
  }

  /** @throws DomainError FailedPrecondition `user.initial`, `user.email_verified` */
  async resendEmailVerification(
    tx: Transaction,
    user: User,
    editorId: string,
    mail: CodeMail = {},
  ): Promise<EventMark> {
    checkPerson(user);
    if (user.state === 'initial') throw userInitial();
    if (user.emailVerified) throw emailVerifiedAlready();
    return this.send(tx, user, 'email', editorId, mail);
  }

  /**
   * A code to choose a new password; the old one goes on until then.
   * @throws DomainError FailedPrecondition `user.initial`, `user.email_not_verified`, `user.sms_unavailable`
   */
  async requestPasswordReset(tx: Transaction, user: User, by: 'email' | 'sms', editorId: string): Promise<EventMark> {
    checkPerson(user);
    if (by === 'sms') throw smsUnavailable();
    if (user.state === 'initial') throw userInitial();
    if (!user.emailVerified) throw emailNotVerified();
    return this.send(tx, user, 'password_reset', editorId);
  }

  /**
   * For whoever says on a page to have forgotten the password, or to have got no mail. The person is sent what they need to
   * sign in again; somebody whose account is shut, or whose address need not be theirs, is sent nothing. An account that was
   * registered and never proven is its mailbox's to take: the password may be that of somebody who registered with the address of
   * another. Pages say the same in every case, `mail.too_many` included.
   * @throws DomainError NotFound `user.not_found`; ResourceExhausted `mail.too_many`
   */
  async sendWayBack(
    tx: Transaction,
    { userId, orgId }: { readonly userId: string; readonly orgId: string },
    details: MailDetails = {},
  ): Promise<void> {
    const user = await this.users.getOf(tx, orgId, userId);
    const mail = { details, isCausedByStrangers: true };
    if (user.kind !== 'human') return;
    if (user.state === 'initial') await this.send(tx, user, 'init', SYSTEM, mail);
    else if (user.state === 'active' && (user.emailVerified || (await isUnprovenRegistration(tx, userId))))
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
    return this.users.change(tx, user.id, {}, CODE_EVENTS[kind], editorId);
  }
}

/** @throws DomainError FailedPrecondition `user.not_person` */
export function checkPerson({ kind }: Pick<User, 'kind'>): void {
  if (kind !== 'human') throw notPerson();
}
