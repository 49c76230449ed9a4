import { Injectable } from '@nestjs/common';
import { FirstStartConfig, IssuerConfig } from '../../foundation/config/config.js';
import { Secret } from '../../foundation/config/secret.js';
import type { Transaction } from '../../foundation/database/database.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import { PersonalAccessTokens } from '../../token/personal-access-tokens.js';
import { Memberships } from '../../user/permission/memberships.js';
import { ServiceUserService } from '../../user/service-user.service.js';
import { UserService } from '../../user/user.service.js';
import { toLoginName } from '../../user/user-name.js';
import { generatedPassword } from './generated-password.js';

/** The administrator whose password is shown once. */
export interface FirstAdmin {
  readonly adminUserId: string;
  readonly adminLoginName: string;
  readonly adminPassword: Secret;
}

/** The instance and organization that are being set up. */
export interface Setting {
  readonly instanceId: string;
  readonly orgId: string;
  /** The primary domain of the organization. */
  readonly domain: string;
}

/** The users of a new instance, who own it. */
@Injectable()
export class FirstAccounts {
  constructor(
    private readonly users: UserService,
    private readonly serviceUsers: ServiceUserService,
    private readonly personalTokens: PersonalAccessTokens,
    private readonly memberships: Memberships,
    private readonly passwords: PasswordHash,
    private readonly config: FirstStartConfig,
    private readonly issuer: IssuerConfig,
  ) {}

  async addAdmin(tx: Transaction, { instanceId, orgId, domain }: Setting): Promise<FirstAdmin> {
    const userName = this.config.adminUsername;
    const adminPassword = this.config.adminPassword ?? generatedPassword();
    const { id: adminUserId } = await this.users.addHuman(
      tx,
      {
        orgId,
        userName,
        email: this.config.adminEmail,
        emailVerified: true,
        passwordHash: await this.passwords.hash(adminPassword), // in the transaction, exceptionally: no requests are served yet
        profile: { firstName: 'Gatehouse', lastName: 'Administrator', preferredLanguage: this.issuer.defaultLanguage },
      },
      SYSTEM,
    );
    await this.makeOwner(tx, instanceId, adminUserId);
    return { adminUserId, adminLoginName: toLoginName(userName, domain), adminPassword };
  }

  /** A service user for programs. Returns its personal access token. */
  async addBootstrap(tx: Transaction, { instanceId, orgId }: Setting): Promise<Secret> {
    const userId = await this.serviceUsers.add(
      tx,
      {
        orgId,
        userName: 'bootstrap',
        name: 'Bootstrap',
        description: 'For the first programs that administer this instance. Remove it when it is not needed.',
      },
      SYSTEM,
    );
    await this.makeOwner(tx, instanceId, userId);
    return (await this.personalTokens.add(tx, userId, SYSTEM)).token;
  }

  private async makeOwner(tx: Transaction, instanceId: string, userId: string): Promise<void> {
    await this.memberships.add(
      tx,
      { userId, level: 'instance', objectId: instanceId, orgId: instanceId, roles: ['IAM_OWNER'] },
      SYSTEM,
    );
  }
}
