import { Injectable } from '@nestjs/common';
import type { NewClient } from '../client/client.service.js';
import { ClientService } from '../client/client.service.js';
import { DOCUMENTATION_CLIENT_ID } from '../client/documentation-client.js';
import { DemoConfig, FirstStartConfig, IssuerConfig } from '../foundation/config/config.js';
import { newId } from '../foundation/crypto/id.js';
import { PasswordHash } from '../foundation/crypto/password-hash.js';
import { randomAlphanumeric } from '../foundation/crypto/random.js';
import { Secret } from '../foundation/crypto/secret.js';
import { Vault } from '../foundation/crypto/vault.js';
import { takeLock } from '../foundation/database/advisory-lock.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { SYSTEM } from '../foundation/event/journal.js';
import { IdpService } from '../idp/idp.service.js';
import { Instance } from '../instance/instance.entity.js';
import { InstanceService } from '../instance/instance.service.js';
import { KeyService } from '../key/key.service.js';
import { toDefaultDomain } from '../org/domain-name.js';
import { OrgService } from '../org/org.service.js';
import { Memberships } from '../permission/memberships.js';
import { PolicyService } from '../policy/policy.service.js';
import { ProjectService } from '../project/project.service.js';
import { PersonalAccessTokens } from '../token/personal-access-tokens.js';
import { ServiceUserService } from '../user/service-user.service.js';
import { UserService } from '../user/user.service.js';
import { toLoginName } from '../user/user-name.js';

/** What the first start made and shows once. */
export interface FirstStart {
  readonly orgId: string;
  readonly projectId: string;
  readonly adminUserId: string;
  readonly adminLoginName: string;
  readonly adminPassword: Secret;
  /** Development only. */
  readonly personalAccessToken: Secret | undefined;
}

export { DOCUMENTATION_CLIENT_ID as SWAGGER_CLIENT_ID } from '../client/documentation-client.js';

const MASTER_KEY_CHECK = 'the master key is the right one';
const FIRST_ADMIN_PASSWORD_CHARACTERS = 16;

/** The first start on an empty database: one transaction, under a lock, never again. */
@Injectable()
export class FirstStartService {
  constructor(
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly orgs: OrgService,
    private readonly policies: PolicyService,
    private readonly projects: ProjectService,
    private readonly clients: ClientService,
    private readonly users: UserService,
    private readonly serviceUsers: ServiceUserService,
    private readonly memberships: Memberships,
    private readonly personalTokens: PersonalAccessTokens,
    private readonly keys: KeyService,
    private readonly idps: IdpService,
    private readonly vault: Vault,
    private readonly passwords: PasswordHash,
    private readonly config: FirstStartConfig,
    private readonly issuer: IssuerConfig,
    private readonly demo: DemoConfig,
  ) {}

  /**
   * Sets up an empty database, or checks that the master key opens what is there. Answers what was made, or undefined
   * when there was nothing to do. `show` is called before the commit: a crash after it must not leave an administrator
   * whose password nobody has seen.
   * @throws DomainError FailedPrecondition `master_key.wrong`
   */
  async run(show: (made: FirstStart) => Promise<void>): Promise<FirstStart | undefined> {
    return this.database.transaction(async (tx) => {
      await takeLock(tx, 'firstStart');
      const [instance] = await tx.entities.find(Instance, { take: 1 });
      if (instance) {
        this.checkMasterKey(instance);
        await this.resealUnderCurrentKey(tx, instance);
        return undefined;
      }
      const made = await this.setUp(tx);
      await show(made);
      return made;
    });
  }

  private checkMasterKey(instance: Instance): void {
    try {
      this.vault.open(instance.masterKeyCheck, placeOfCheck(instance.id));
    } catch (error) {
      throw new DomainError(
        'FailedPrecondition',
        'master_key.wrong',
        'MASTER_KEY cannot decrypt this database. Give the key that it was created with (in development: DATA_DIR/master.key), ' +
          'or list that key in MASTER_KEY_PREVIOUS.',
        { cause: error },
      );
    }
  }

  /** A master key that was replaced is needed no longer, as soon as one process has started with its successor. */
  private async resealUnderCurrentKey(tx: Transaction, instance: Instance): Promise<void> {
    if (this.vault.isCurrent(instance.masterKeyCheck)) return;
    await this.keys.reseal(tx);
    await this.idps.reseal(tx);
    await this.instances.reseal(tx, this.vault.seal(MASTER_KEY_CHECK, placeOfCheck(instance.id)));
  }

  private async setUp(tx: Transaction): Promise<FirstStart> {
    const ids = { instance: newId(), org: newId(), project: newId() };
    await this.instances.add(
      tx,
      {
        id: ids.instance,
        name: this.config.orgName,
        defaultOrgId: ids.org,
        systemProjectId: ids.project,
        defaultLanguage: this.issuer.defaultLanguage,
        masterKeyCheck: this.vault.seal(MASTER_KEY_CHECK, placeOfCheck(ids.instance)),
      },
      SYSTEM,
    );
    const domain = toDefaultDomain(this.config.orgName, this.issuer.publicUrl);
    await this.orgs.add(tx, { id: ids.org, name: this.config.orgName, domain }, SYSTEM);
    await this.policies.addDefaults(tx, ids.instance, SYSTEM);
    await this.projects.add(tx, { id: ids.project, orgId: ids.org, name: 'Gatehouse' }, SYSTEM);
    await this.addClients(tx, ids.project);
    const admin = await this.addAdmin(tx, ids.instance, ids.org, domain);
    const personalAccessToken = this.config.development
      ? await this.addBootstrap(tx, ids.instance, ids.org)
      : undefined;
    await this.keys.addFirst(tx, ids.instance, 'RS256');
    return { orgId: ids.org, projectId: ids.project, ...admin, personalAccessToken };
  }

  private async addAdmin(
    tx: Transaction,
    instanceId: string,
    orgId: string,
    domain: string,
  ): Promise<Pick<FirstStart, 'adminUserId' | 'adminLoginName' | 'adminPassword'>> {
    const userName = this.config.adminUsername;
    const adminPassword = this.config.adminPassword ?? generatedPassword();
    const adminUserId = await this.users.addHuman(
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

  private async addBootstrap(tx: Transaction, instanceId: string, orgId: string): Promise<Secret> {
    const userId = await this.serviceUsers.add(
      tx,
      {
        orgId,
        userName: 'bootstrap',
        name: 'Bootstrap',
        description: 'For scripts in development. Remove it if it is not needed.',
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

  private async addClients(tx: Transaction, projectId: string): Promise<void> {
    const swagger = `${this.issuer.publicUrl}/docs/oauth2-redirect.html`;
    await this.addPublicClient(
      tx,
      { projectId, clientId: DOCUMENTATION_CLIENT_ID, name: 'API documentation' },
      {
        redirectUris: [swagger],
        postLogoutRedirectUris: [`${this.issuer.publicUrl}/docs`],
        grantTypes: ['authorization_code'],
      },
    );
    const demoOrigin = this.demo.origin;
    if (!this.config.development || demoOrigin === undefined) return;
    await this.addPublicClient(
      tx,
      { projectId, clientId: this.demo.clientId, name: 'Demo application' },
      {
        redirectUris: [...this.demo.redirectUris],
        postLogoutRedirectUris: [`${demoOrigin}/`],
        grantTypes: ['authorization_code', 'refresh_token'],
      },
    );
  }

  /** A client in a browser: no secret, PKCE. Its URIs may be http where the service itself is. */
  private async addPublicClient(
    tx: Transaction,
    who: Pick<NewClient, 'projectId' | 'name'> & { clientId: string },
    settings: Pick<NewClient, 'redirectUris' | 'postLogoutRedirectUris' | 'grantTypes'>,
  ): Promise<void> {
    await this.clients.register(
      tx,
      {
        ...who,
        ...settings,
        kind: 'oidc',
        authMethod: 'none',
        clientType: 'user_agent',
        responseTypes: ['code'],
        devMode: !this.issuer.isHttps || settings.redirectUris?.some((uri) => uri.startsWith('http:')) === true,
      },
      SYSTEM,
    );
  }
}

function placeOfCheck(instanceId: string): { table: string; column: string; row: string; owner: string } {
  return { table: 'instance', column: 'master_key_check', row: instanceId, owner: instanceId };
}

/** Random, and keeping every rule of the default password policy. */
function generatedPassword(): Secret {
  return new Secret(`${randomAlphanumeric(FIRST_ADMIN_PASSWORD_CHARACTERS)}-aA1`);
}
