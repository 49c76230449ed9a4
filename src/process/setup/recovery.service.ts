import { Injectable } from '@nestjs/common';
import type { Secret } from '../../foundation/config/secret.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import type { Instance } from '../../org/instance/instance.entity.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { SessionService } from '../../session/session.service.js';
import { PersonalAccessTokens } from '../../token/personal-access-tokens.js';
import { Memberships } from '../../user/permission/memberships.js';
import { checkPerson } from '../../user/person.service.js';
import { ServiceUserService } from '../../user/service-user.service.js';
import { UserService } from '../../user/user.service.js';
import { UserDirectory } from '../../user/user-directory.js';
import { generatedPassword } from './generated-password.js';
import { MasterKeyCheck } from './master-key-check.js';

/** A new password, which is shown once and must be changed at the next sign-in. */
export interface RecoveredAccess {
  readonly loginName: string;
  readonly password: Secret;
}

/**
 * The way back in for the operator, who has the database and the master key: for the first token of a program, and when
 * no administrator can sign in. Every step is in the journal, as a change by the system.
 */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly masterKey: MasterKeyCheck,
    private readonly users: UserService,
    private readonly directory: UserDirectory,
    private readonly serviceUsers: ServiceUserService,
    private readonly personalTokens: PersonalAccessTokens,
    private readonly memberships: Memberships,
    private readonly sessions: SessionService,
    private readonly passwords: PasswordHash,
  ) {}

  /**
   * A personal access token of the service user with this name, who is added as an owner of the instance if there is
   * none.
   * @throws DomainError FailedPrecondition `master_key.wrong`, `instance.missing`
   */
  async issueToken(userName: string, until: Date): Promise<Secret> {
    return this.changing(async (tx, instance) => {
      const known = await this.serviceUsers.findActive(userName);
      const userId = known?.id ?? (await this.addOwner(tx, instance, userName));
      return (await this.personalTokens.add(tx, userId, SYSTEM, until)).token;
    });
  }

  /**
   * A new password for a user, whose account is unlocked and whose sessions and tokens end.
   * @throws DomainError NotFound `user.not_found`; FailedPrecondition `user.not_person`, `master_key.wrong`
   */
  async resetPassword(loginName: string): Promise<RecoveredAccess> {
    const password = generatedPassword();
    const passwordHash = await this.passwords.hash(password);
    const { id } = await this.directory.getByLoginName(loginName);
    return this.changing(async (tx) => {
      const user = await this.users.get(tx, id);
      checkPerson(user);
      if (user.state === 'locked') await this.users.unlock(tx, user, SYSTEM);
      await this.users.setPassword(tx, id, passwordHash, { changeRequired: true }, SYSTEM);
      await this.sessions.endOthersOf(tx, id, '');
      return { loginName, password };
    });
  }

  /** @throws DomainError NotFound `user.not_found`; FailedPrecondition `user.not_in_state`, `master_key.wrong` */
  async unlock(loginName: string): Promise<void> {
    const { id } = await this.directory.getByLoginName(loginName);
    await this.changing(async (tx) => this.users.unlock(tx, await this.users.get(tx, id), SYSTEM));
  }

  /**
   * Creates another administrator: an owner of the instance, in the default organization.
   * @throws DomainError InvalidArgument; AlreadyExists `user.name_taken`; FailedPrecondition `master_key.wrong`
   */
  async createAdministrator(userName: string, email: string): Promise<RecoveredAccess> {
    const password = generatedPassword();
    const passwordHash = await this.passwords.hash(password);
    return this.changing(async (tx, instance) => {
      const { id: userId } = await this.users.addHuman(
        tx,
        {
          orgId: instance.defaultOrgId,
          userName,
          email,
          emailVerified: true,
          passwordHash,
          passwordChangeRequired: true,
          profile: { firstName: 'Gatehouse', lastName: 'Administrator', preferredLanguage: instance.defaultLanguage },
        },
        SYSTEM,
      );
      await this.makeOwner(tx, instance, userId);
      return { loginName: userName, password };
    });
  }

  private async addOwner(tx: Transaction, instance: Instance, userName: string): Promise<string> {
    const description = 'Created by the operator. Remove it when it is not needed.';
    const userId = await this.serviceUsers.add(
      tx,
      { orgId: instance.defaultOrgId, userName, name: userName, description },
      SYSTEM,
    );
    await this.makeOwner(tx, instance, userId);
    return userId;
  }

  private async makeOwner(tx: Transaction, { id }: Instance, userId: string): Promise<void> {
    await this.memberships.add(
      tx,
      { userId, level: 'instance', objectId: id, orgId: id, roles: ['IAM_OWNER'] },
      SYSTEM,
    );
  }

  /** Changes something, only on an instance that the master key opens. */
  private async changing<T>(work: (tx: Transaction, instance: Instance) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      const instance = await this.instances.findWithin(tx);
      if (!instance) throw instanceMissing();
      this.masterKey.check(instance);
      return work(tx, instance);
    });
  }
}

function instanceMissing(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'instance.missing',
    'The database is empty: start the service once, which creates the first administrator.',
  );
}
