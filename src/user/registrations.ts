import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newId } from '../foundation/crypto/id.js';
import { takeLockOn } from '../foundation/database/advisory-lock.js';
import { columnsOf } from '../foundation/database/columns.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { type Purge, purgeStatement, runPurge } from '../foundation/database/purge.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { SYSTEM } from '../foundation/event/journal.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';
import { toStoredEmail } from '../org/email-address.js';
import { AccountCodes } from './account-codes.js';
import type { NewHuman } from './new-human.js';
import type { MailDetails } from './outbox/outbox-mail.entity.js';
import { PersonService } from './person.service.js';
import { Registration } from './registration.entity.js';
import { isRegistrationWithoutPassword, isUnprovenRegistration } from './unproven-registration.js';
import { User } from './user.entity.js';
import { UserService } from './user.service.js';
import { UserMails } from './user-mails.js';
import { isOfKind, isOfOrg, toNameKey } from './user-name.js';
import { UserRules } from './user-rules.js';

export type NewRegistration = Omit<NewHuman, 'id' | 'emailVerified' | 'state'>;

/** A pending registration. Without `userId` it leads nowhere, but must look as if it did not. */
export interface PendingRegistration {
  readonly id: string;
  readonly email: string;
  readonly userId: string | undefined;
  readonly orgId: string | undefined;
}

/** Runs within the transaction with the id of the registration, and again if the transaction is retried. */
export type AlsoWithin = (tx: Transaction, registrationId: string) => Promise<void>;

const FIND = statement(
  'registration.find',
  `SELECT r.id, r.email, r.user_id AS "userId", u.org_id AS "orgId"
   FROM registration r
   LEFT JOIN user_account u ON u.id = r.user_id
   WHERE r.id = :id`,
).rows<{ id: string; email: string; userId: string | null; orgId: string | null }>();

const FIND_UNPROVEN = statement(
  'registration.unproven',
  `SELECT u.id
   FROM user_account u
   JOIN registration r ON r.user_id = u.id
   WHERE u.email_key = :emailKey AND ${isOfOrg('u', ':orgId')} AND NOT u.email_verified AND u.email = r.email
   FOR UPDATE OF u`,
).rows<{ id: string }>();

/** Users with the address: verified, or entered by the creator of the account. */
const FIND_OWNERS = statement(
  'registration.owners',
  `SELECT ${columnsOf(User, 'u', ['id', 'orgId', 'email', 'emailVerified', 'state'])}
   FROM user_account u
   WHERE u.email_key = :emailKey AND ${isOfOrg('u', ':orgId')} AND ${isOfKind('u', 'human')}
     AND (u.email_verified OR u.state = 'initial' OR u.awaits_set_up)`,
).rows<Owner>();

const FORGET = statement('registration.forget', 'DELETE FROM registration WHERE user_id = :userId');

const BLIND = purgeStatement('registration', 'id', 'user_id IS NULL AND created_at < :moment');

type Owner = Pick<User, 'id' | 'orgId' | 'email' | 'emailVerified' | 'state'>;

/** Failures that must not be shown to the visitor: the user exists already. */
const NEUTRAL: ReadonlySet<string> = new Set(['user.name_taken', 'user.address_known', 'mail.too_many']);

/**
 * Users who register. Only the owner of an address or a name learns, by mail, that it is in use; every registration
 * ends on a page that asks for the mailed code.
 */
@Injectable()
export class Registrations implements Purge {
  constructor(
    @InjectRepository(Registration) private readonly rows: Repository<Registration>,
    private readonly users: UserService,
    private readonly persons: PersonService,
    private readonly rules: UserRules,
    private readonly mails: UserMails,
    private readonly codes: AccountCodes,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError InvalidArgument, `user.rule_refused`; FailedPrecondition `user.domain_elsewhere` */
  async register(typed: NewRegistration, details: MailDetails, also: AlsoWithin): Promise<void> {
    const person = { ...typed, email: toStoredEmail(typed.email) };
    try {
      await this.database.transaction((tx) => this.open(tx, person, details, also));
    } catch (error) {
      if (!(error instanceof DomainError) || !NEUTRAL.has(error.reason)) throw error;
      const unready = await this.database.transaction((tx) => this.openBlind(tx, person, also));
      // A user who has not set the account up gets the mail for that; nothing else would help them.
      for (const { id, orgId } of unready) await this.codes.sendWayBack({ userId: id, orgId });
    }
  }

  async find(id: string): Promise<PendingRegistration | undefined> {
    const [row] = await this.database.query(FIND, { id });
    return row && { ...row, userId: row.userId ?? undefined, orgId: row.orgId ?? undefined };
  }

  async isUnproven(userId: string): Promise<boolean> {
    return isUnprovenRegistration(this.database, userId);
  }

  async isWithoutPassword(userId: string): Promise<boolean> {
    return isRegistrationWithoutPassword(this.database, userId);
  }

  /** The address is verified: from now on no registration can replace the account. */
  async close(tx: Transaction, userId: string): Promise<void> {
    await tx.query(FORGET, { userId });
  }

  /** Accounts stay; a registration without one is only of use while its page is open. */
  async purge(on: Queryable, now: Date): Promise<number> {
    return runPurge(on, BLIND, secondsAfter(now, -seconds.perDay));
  }

  private async open(tx: Transaction, person: NewRegistration, details: MailDetails, also: AlsoWithin): Promise<void> {
    const emailKey = toNameKey(person.email);
    // Asked whether or not the address is known, which the answer must not say.
    const displayName = `${person.profile.firstName} ${person.profile.lastName}`;
    const draft = { id: '', orgId: person.orgId, kind: 'human', displayName, ...person.profile } as const;
    await this.rules.checkNew(tx, { ...draft, userName: person.userName, email: person.email }, SYSTEM);
    // If two registrations have the same address, the later one wins. The lock puts them in order, or one would find
    // what the other removes.
    await takeLockOn(tx, `registration:${emailKey}`);
    for (const { id } of await tx.query(FIND_UNPROVEN, { emailKey, orgId: person.orgId }))
      await this.users.remove(tx, id, SYSTEM);
    if ((await tx.query(FIND_OWNERS, { emailKey, orgId: person.orgId })).length > 0) throw addressKnown();
    const userId = await this.persons.register(tx, person, details);
    await also(tx, await this.insert(tx, userId, person.email));
  }

  /** Returns the owner of the address, and the users who must be helped besides. */
  private async openBlind(
    tx: Transaction,
    { email, userName, orgId }: NewRegistration,
    also: AlsoWithin,
  ): Promise<Owner[]> {
    const owners = await tx.query(FIND_OWNERS, { emailKey: toNameKey(email), orgId });
    const namesake = await this.users.findByLoginName(userName);
    if (namesake && !owners.some(({ id }) => id === namesake.userId)) owners.push({ ...namesake, id: namesake.userId });
    for (const owner of owners) await this.mails.tellRegistrationTried(tx, owner);
    await also(tx, await this.insert(tx, null, email));
    return owners.filter(({ state }) => state === 'initial');
  }

  private async insert(tx: Transaction, userId: string | null, email: string): Promise<string> {
    const id = newId();
    await tx.of(this.rows).insert({ id, userId, email, createdAt: this.clock.now() });
    return id;
  }
}

/** This error never leaves the module: nobody may learn whose an address is. */
function addressKnown(): DomainError {
  return new DomainError('AlreadyExists', 'user.address_known', 'The e-mail address is already in use.');
}
