import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../foundation/database/database.js';
import type { EncodedPassword } from '../../foundation/password/encoded-password.js';
import type { BrowserSession } from '../../session/browser-session.js';
import { SessionService } from '../../session/session.service.js';
import { AccountCodes, type CodeOwner } from '../../user/account-codes.js';
import { EmailCodes } from '../../user/factor/email-codes.js';
import { FactorService } from '../../user/factor/factor.service.js';
import { PasskeyService, type UsedKey } from '../../user/factor/passkey.service.js';
import type { Attestation } from '../../user/factor/passkey-ceremony.js';
import { RecoveryCodes } from '../../user/factor/recovery-codes.js';
import { TotpService } from '../../user/factor/totp.service.js';
import type { MailDetails } from '../../user/outbox/outbox-mail.entity.js';
import { Registrations } from '../../user/registrations.js';
import { UserService } from '../../user/user.service.js';
import type { CheckedCode } from '../../user/user-codes.js';

/** The account that a first key opens, and the session that it signs in. */
export interface KeyOwner {
  readonly userId: string;
  readonly orgId: string;
  readonly sessionId: string;
}

/**
 * The changes that people make to their own account while they sign in, with the code of a mail or in a session; each
 * in one transaction.
 */
@Injectable()
export class SignInChanges {
  constructor(
    private readonly database: Database,
    private readonly users: UserService,
    private readonly registrations: Registrations,
    private readonly codes: AccountCodes,
    private readonly sessions: SessionService,
    private readonly factors: FactorService,
    private readonly totp: TotpService,
    private readonly emailCodes: EmailCodes,
    private readonly passkeys: PasskeyService,
    private readonly recoveryCodes: RecoveryCodes,
  ) {}

  /** Declines to set up a second factor, for as long as the login policy says. */
  async skipFactor(session: BrowserSession): Promise<void> {
    await this.database.transaction((tx) => this.factors.skip(tx, session));
  }

  /** Cancels what was being set up in the session. */
  async abandonFactor(session: BrowserSession): Promise<void> {
    await this.database.transaction((tx) => this.factors.abandon(tx, session, session.id));
  }

  /** @throws DomainError AlreadyExists `factor.exists` */
  async beginApp(session: BrowserSession): Promise<void> {
    await this.database.transaction((tx) => this.totp.begin(tx, session, session.id));
  }

  /**
   * @param begins whether the mail also begins to set the factor up
   * @param details what the mail contains besides, stored in the same transaction
   * @throws DomainError ResourceExhausted `mail.too_many`; NotFound `factor.not_found`; AlreadyExists `factor.exists`
   */
  async mailCode(
    session: BrowserSession,
    begins: boolean,
    details: (tx: Transaction) => Promise<MailDetails>,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (begins) await this.emailCodes.begin(tx, session, session.id);
      await this.emailCodes.send(tx, session, session.id, await details(tx));
    });
  }

  /** Whether the session has not ended, and the set of codes is still the one that is owed. */
  async saveRecoveryCodes(session: BrowserSession, set: string, hashes: readonly EncodedPassword[]): Promise<boolean> {
    return this.database.transaction(
      async (tx) => (await this.sessions.hold(tx, session)) && this.recoveryCodes.confirm(tx, session, set, hashes),
    );
  }

  /**
   * Records a key as the second factor of the session. False if that has ended, or the account is not active.
   * @throws DomainError as `PasskeyService.spend`
   */
  async useKey(session: BrowserSession, used: UsedKey): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      // Locks the user before the key, as everything else does.
      if (!(await this.sessions.recordSecondFactor(tx, session, 'u2f'))) return false;
      await this.passkeys.spend(tx, used);
      return true;
    });
  }

  /** @throws DomainError as `PasskeyService.rename` */
  async renameKey({ userId }: BrowserSession, keyId: string, name: string): Promise<void> {
    await this.database.transaction((tx) => this.passkeys.rename(tx, userId, keyId, name));
  }

  /** Sets another password and ends the user's other sessions. Returns false if it was changed since `userEpoch`. */
  async changePassword(
    { id, userId }: BrowserSession,
    userEpoch: number,
    passwordHash: EncodedPassword,
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      // A reset of the password in the meantime wins: the old one proves nothing any more.
      if (!(await this.users.isUnchangedSince(tx, userId, userEpoch))) return false;
      await this.users.setPassword(tx, userId, passwordHash, { changeRequired: false }, userId);
      await this.sessions.endOthersOf(tx, userId, id);
      return true;
    });
  }

  /**
   * A new password with the code of a mail. Undefined if that was used already.
   * @param then what belongs into the same transaction
   */
  async resetPassword<T>(
    code: CheckedCode,
    passwordHash: EncodedPassword,
    then: (tx: Transaction) => Promise<T>,
  ): Promise<T | undefined> {
    return this.database.transaction(async (tx) => {
      const isTaken =
        code.kind === 'init'
          ? await this.codes.setUp(tx, code, passwordHash)
          : await this.codes.resetPassword(tx, code, passwordHash);
      if (!isTaken) return undefined;
      await this.registrations.close(tx, code.userId);
      // Anybody who knew the old password may have sessions; the raised epoch has ended the tokens.
      await this.sessions.endOthersOf(tx, code.userId, '');
      return then(tx);
    });
  }

  /** First use of an account. False if the code was used already. */
  async setUp(code: CheckedCode, passwordHash: EncodedPassword | undefined): Promise<boolean> {
    return this.database.transaction((tx) => this.codes.setUp(tx, code, passwordHash));
  }

  /** Marks the address as verified and uses the code up. False if it was used already. */
  async verifyEmail(code: CheckedCode): Promise<boolean> {
    return this.database.transaction((tx) => this.verifyEmailWithin(tx, code));
  }

  /** Like `verifyEmail`, within the transaction of the caller. */
  async verifyEmailWithin(tx: Transaction, code: CheckedCode): Promise<boolean> {
    if (!(await this.codes.verifyEmail(tx, code))) return false;
    await this.registrations.close(tx, code.userId);
    return true;
  }

  /**
   * Adds a passkey by the link of a mail. Undefined if its code was used already.
   * @throws DomainError as `PasskeyService.add`
   */
  async addKeyByCode(code: CheckedCode, owner: CodeOwner, checked: Attestation): Promise<string | undefined> {
    return this.database.transaction(async (tx) => {
      if (!(await this.codes.takePasskeyCode(tx, code))) return undefined;
      return this.passkeys.add(tx, { kind: 'passkey', owner }, checked);
    });
  }

  /**
   * Opens an account with a passkey.
   * @param use uses the code up and opens the account; false if that is no longer possible
   * @throws DomainError as `PasskeyService.add`
   */
  async openWithKey(
    { sessionId, ...owner }: KeyOwner,
    checked: Attestation,
    use: (tx: Transaction) => Promise<boolean>,
  ): Promise<string | undefined> {
    return this.database.transaction(async (tx) =>
      (await use(tx)) ? this.passkeys.add(tx, { kind: 'passkey', owner, sessionId }, checked) : undefined,
    );
  }
}
