import { Injectable } from '@nestjs/common';
import { FirstStartConfig, IssuerConfig } from '../../foundation/config/config.js';
import type { Secret } from '../../foundation/config/secret.js';
import { newId } from '../../foundation/crypto/id.js';
import { takeLock } from '../../foundation/database/advisory-lock.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import { toDefaultDomain } from '../../org/domain-name.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { OrgService } from '../../org/org.service.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { ProjectService } from '../../project/project.service.js';
import { KeyService } from '../../token/key/key.service.js';
import { FirstAccounts, type FirstAdmin } from './first-accounts.js';
import { FirstClients } from './first-clients.js';
import { MasterKeyCheck } from './master-key-check.js';

/** The results of the first start, which are shown once. */
export interface FirstStart extends FirstAdmin {
  readonly orgId: string;
  readonly projectId: string;
  /** Made in development, and in production with FIRST_TOKEN_PATH. */
  readonly personalAccessToken: Secret | undefined;
}

/** The first start on an empty database: one transaction, under a lock, never again. */
@Injectable()
export class FirstStartService {
  constructor(
    private readonly database: Database,
    private readonly masterKey: MasterKeyCheck,
    private readonly instances: InstanceService,
    private readonly orgs: OrgService,
    private readonly policies: PolicyService,
    private readonly projects: ProjectService,
    private readonly keys: KeyService,
    private readonly clients: FirstClients,
    private readonly accounts: FirstAccounts,
    private readonly config: FirstStartConfig,
    private readonly issuer: IssuerConfig,
  ) {}

  /**
   * Sets up an empty database, or checks that the master key opens what is there and updates the built-in applications.
   * Returns what was made, or undefined for an instance that exists. `show` is called before the commit: a crash after
   * it must not leave an administrator whose password was never shown.
   * @throws DomainError FailedPrecondition `master_key.wrong`
   */
  async run(show: (made: FirstStart) => Promise<void>): Promise<FirstStart | undefined> {
    return this.database.transaction(async (tx) => {
      await takeLock(tx, 'firstStart');
      const instance = await this.instances.findWithin(tx);
      if (instance) {
        this.masterKey.check(instance);
        await this.masterKey.resealUnderCurrentKey(tx, instance);
        await this.clients.keepCurrent(tx, instance.systemProjectId);
        return undefined;
      }
      const made = await this.setUp(tx);
      await show(made);
      return made;
    });
  }

  private async setUp(tx: Transaction): Promise<FirstStart> {
    const { orgName } = this.config;
    const [instanceId, orgId, projectId] = [newId(), newId(), newId()];
    await this.instances.add(
      tx,
      {
        id: instanceId,
        name: orgName,
        defaultOrgId: orgId,
        systemProjectId: projectId,
        defaultLanguage: this.issuer.defaultLanguage,
        masterKeyCheck: this.masterKey.seal(instanceId),
      },
      SYSTEM,
    );
    const domain = toDefaultDomain(orgName, this.issuer.publicUrl);
    await this.orgs.add(tx, { id: orgId, name: orgName, domain }, SYSTEM);
    await this.policies.addDefaults(tx, instanceId, SYSTEM);
    await this.projects.add(tx, { id: projectId, orgId, name: 'Gatehouse' }, SYSTEM);
    await this.clients.add(tx, projectId);
    const setting = { instanceId, orgId, domain };
    const admin = await this.accounts.addAdmin(tx, setting);
    const { development, tokenPath } = this.config;
    const isWanted = development || tokenPath !== undefined;
    const personalAccessToken = isWanted ? await this.accounts.addBootstrap(tx, setting) : undefined;
    await this.keys.addFirst(tx, instanceId, 'RS256');
    return { orgId, projectId, ...admin, personalAccessToken };
  }
}
