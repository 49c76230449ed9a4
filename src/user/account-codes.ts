import { Injectable } from '@nestjs/common';
import { columnsOf } from '../foundation/database/columns.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { DomainError } from '../foundation/error/domain-error.js';
import type { EncodedPassword } from '../foundation/password/encoded-password.js';
import { Clock } from '../foundation/time/clock.js';
import { nameScopeOf } from '../org/name-scope.js';
import { provedEmail } from './address-proof.js';
import type { MailDetails } from './outbox/outbox-mail.entity.js';
import { PersonService, type WayBack } from './person.service.js';
import type { UserState } from './user.entity.js';
import { User } from './user.entity.js';
import { stateAfter, UserService } from './user.service.js';
import type { CodeKind } from './user-code.entity.js';
import { type CheckedCode, UserCodes } from './user-codes.js';
import { UserMails } from './user-mails.js';

/** A user of an active organization, with what is needed to check a code. */
export interface CodeOwner {
  readonly userId: string;
  readonly orgId: string;
  readonly state: UserState;
  readonly hasPassword: boolean;
  readonly userName: string;
  readonly nameScope: string;
  readonly orgDomain: string | null;
}

const FIND = statement(
  'account_code.owner',
  `SELECT u.id AS "userId",
     ${columnsOf(User, 'u', ['orgId', 'state', 'userName'])},
     u.password_hash IS NOT NULL AS "hasPassword",
     ${nameScopeOf('u')} AS "nameScope",
     d.domain AS "orgDomain"
   FROM user_account u
   JOIN org o ON o.id = u.org_id AND o.state = 'active'
   LEFT JOIN org_domain d ON d.org_id = u.org_id AND d.is_primary
   WHERE u.id = :userId AND u.kind = 'human' AND (:orgId = '' OR u.org_id = :orgId)`,
).rows<CodeOwner>();

/** No page reveals whether a mail was sent. */
const QUIET: ReadonlySet<string> = new Set(['mail.too_many', 'user.not_found']);

/**
 * What users do with mailed codes while not signed in. Typing the code proves that they read the mailbox, and so that
 * the address is theirs.
 */
@Injectable()
export class AccountCodes {
  constructor(
    private readonly codes: UserCodes,
    private readonly users: UserService,
    private readonly persons: PersonService,
    private readonly mails: UserMails,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The user of a link; undefined also if they do not belong to the organization that the link names. */
  async findOwner(userId: string, orgId = ''): Promise<CodeOwner | undefined> {
    const [owner] = await this.database.query(FIND, { userId, orgId });
    return owner;
  }

  /**
   * Checks a code; counts as an attempt. A code that does not exist, is of another kind, has expired or was tried too
   * often counts as wrong.
   */
  async check(userId: string, kind: CodeKind, typed: string): Promise<CheckedCode | undefined> {
    return this.codes.check(userId, kind, typed);
  }

  /**
   * Sets an account up: verifies the address and stores the chosen password, if there is one. Without one, the account
   * must have one already, or get a passkey in the same transaction. False if the code was used already, or the account
   * is no longer to be set up.
   */
  async setUp(
    tx: Transaction,
    code: CheckedCode,
    passwordHash: EncodedPassword | undefined,
    { getsPasskey = false }: { readonly getsPasskey?: boolean } = {},
  ): Promise<boolean> {
    const { userId } = code;
    if (!(await this.codes.spend(tx, code))) return false;
    const user = await this.users.get(tx, userId);
    const hasWayIn = getsPasskey || passwordHash !== undefined || user.passwordHash !== null;
    if (user.state !== 'initial' || !hasWayIn) return false;
    const state = getsPasskey ? 'active' : stateAfter({ ...user, emailVerified: true });
    await this.users.change(
      tx,
      userId,
      { ...provedEmail(this.clock.now()), state },
      'user.human.initialization.check.succeeded',
      userId,
    );
    if (passwordHash !== undefined)
      await this.users.setPassword(tx, userId, passwordHash, { changeRequired: false }, userId);
    await this.mails.dropCodes(tx, userId, ['init', 'email']);
    return true;
  }

  /** Returns false if the code was used already. */
  async verifyEmail(tx: Transaction, code: CheckedCode): Promise<boolean> {
    const { userId } = code;
    if (!(await this.codes.spend(tx, code))) return false;
    const user = await this.users.get(tx, userId);
    const state = stateAfter({ ...user, emailVerified: true });
    await this.users.change(
      tx,
      userId,
      { ...provedEmail(this.clock.now()), state },
      'user.human.email.verified',
      userId,
    );
    return true;
  }

  /** False if the code was used already, or the account is not open. */
  async takePasskeyCode(tx: Transaction, code: CheckedCode): Promise<boolean> {
    if (!(await this.codes.spend(tx, code))) return false;
    return (await this.users.get(tx, code.userId)).state === 'active';
  }

  /**
   * Sets the password and verifies the address, to which the code was sent. The caller must end the sessions. Returns
   * false if the code was used already, or the account is locked or inactive.
   */
  async resetPassword(tx: Transaction, code: CheckedCode, passwordHash: EncodedPassword): Promise<boolean> {
    if (!(await this.codes.spend(tx, code))) return false;
    const user = await this.users.get(tx, code.userId);
    if (user.state !== 'active') return false;
    if (!user.emailVerified || user.emailProof !== 'owner') {
      const proved = provedEmail(this.clock.now());
      await this.users.change(tx, code.userId, proved, 'user.human.email.verified', code.userId);
      await this.mails.dropCodes(tx, code.userId, ['email']);
    }
    await this.users.setPassword(tx, code.userId, passwordHash, { changeRequired: false }, code.userId);
    return true;
  }

  /**
   * Sends a user what they need to sign in again (`PersonService.sendWayBack`), or nothing; the answer does not reveal
   * which.
   */
  async sendWayBack(
    { userId, orgId }: Pick<CodeOwner, 'userId' | 'orgId'>,
    details: MailDetails = {},
    by: WayBack = 'password',
  ): Promise<void> {
    await this.quietly((tx) => this.persons.sendWayBack(tx, { userId, orgId }, details, by));
  }

  /** Sends a new code to set the account up, unless that is done. */
  async resendInit(owner: CodeOwner, details: MailDetails): Promise<void> {
    if (owner.state === 'initial') await this.sendWayBack(owner, details);
  }

  /** Sends a new code to verify the address, unless that is done. */
  async resendEmailCode({ userId, orgId }: Pick<CodeOwner, 'userId' | 'orgId'>, details: MailDetails): Promise<void> {
    await this.quietly(async (tx) => {
      const user = await this.users.getOf(tx, orgId, userId);
      if (user.kind !== 'human' || user.state !== 'active' || user.emailVerified || user.email === '') return;
      await this.mails.sendCode(tx, user, 'email', { details, isCausedByStrangers: true });
      await this.users.change(tx, userId, {}, 'user.human.email.code.added', userId);
    });
  }

  /** Like `resendEmailCode`, if the user has no valid code: the first mail may not have come from us. */
  async ensureEmailCode(owner: Pick<CodeOwner, 'userId' | 'orgId'>, details: MailDetails): Promise<void> {
    if (!(await this.codes.hasLiving(owner.userId, 'email'))) await this.resendEmailCode(owner, details);
  }

  private async quietly(work: (tx: Transaction) => Promise<void>): Promise<void> {
    try {
      await this.database.transaction(work);
    } catch (error) {
      if (!(error instanceof DomainError) || !QUIET.has(error.reason)) throw error;
    }
  }
}
