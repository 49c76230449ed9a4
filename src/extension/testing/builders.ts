import { Secret } from '../../foundation/config/secret.js';
import { sha256 } from '../../foundation/crypto/digest.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import { OrgService } from '../../org/org.service.js';
import { ClientRow } from '../../project/client/client.entity.js';
import { ClientService, type NewClient } from '../../project/client/client.service.js';
import { type NewProject, ProjectService } from '../../project/project.service.js';
import { ProjectRoleService } from '../../project/project-role.service.js';
import { UserGrantService } from '../../project/user-grant/user-grant.service.js';
import { PersonalAccessTokens } from '../../token/personal-access-tokens.js';
import { MachineKeys } from '../../user/machine-keys.js';
import type { NewHuman } from '../../user/new-human.js';
import type { MemberLevel } from '../../user/permission/member.entity.js';
import { Memberships } from '../../user/permission/memberships.js';
import { PersonService } from '../../user/person.service.js';
import type { Profile } from '../../user/profile.js';
import { type NewServiceUser, ServiceUserService } from '../../user/service-user.service.js';
import { UserService } from '../../user/user.service.js';
import { UserMetadataService } from '../../user/user-metadata.service.js';
import { toLoginName } from '../../user/user-name.js';
import type { RunningService } from './running-service.js';
import type { TestKey } from './test-key.js';

/** The editor in the journal of what the builders of tests did. */
export const EDITOR = 'test';
/** The password of users that get no other. @public */
export const PASSWORD = 'Correct-Horse-7';

/** @public */
export interface TestOrg {
  readonly id: string;
  /** Its primary domain, with which login names of its users end. */
  readonly domain: string;
}

/** An application. @public */
export interface TestClient {
  /** The id of the application; `clientId` is its name in the protocol. */
  readonly id: string;
  readonly clientId: string;
  /** @internal */
  readonly authMethod: NewClient['authMethod'];
  readonly redirectUri: string;
  readonly responseType: string;
  readonly secret: string | undefined;
  /** @internal */
  readonly key: TestKey | undefined;
}

/** A user who can sign in. @public */
export interface TestPerson {
  readonly id: string;
  readonly orgId: string;
  readonly userName: string;
  readonly loginName: string;
  readonly email: string;
  readonly password: string;
}

export interface TestService {
  readonly id: string;
  readonly orgId: string;
  readonly userName: string;
  readonly secret: string;
  readonly key: TestKey;
  readonly pat: string;
}

export type ClientInput = Partial<NewClient> &
  Pick<NewClient, 'projectId'> & {
    /** A secret of the test's own choice; the service makes its own. */
    readonly secret?: string;
    /** The algorithm of the key of a client that authenticates with private_key_jwt. */
    readonly keyAlgorithm?: string;
  };

export type PersonInput = Partial<Omit<NewHuman, 'passwordHash'>> & {
  readonly orgId: string;
  readonly password?: string;
};

let count = 0;

/** A name that no other test has. */
export function uniqueName(prefix: string): string {
  count += 1;
  return `${prefix}-${count}`;
}

/** What is given of a user; the rest is made up. @public */
export interface UserInput {
  /** By default one that all such users of a world have in common. */
  readonly org?: TestOrg;
  readonly userName?: string;
  readonly email?: string;
  /** By default `PASSWORD`. */
  readonly password?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly displayName?: string;
  readonly preferredLanguage?: string;
}

/** What is given of an application; the rest is made up. @public */
export interface ApplicationInput {
  /** By default one that all such applications of a world have in common. */
  readonly org?: TestOrg;
  readonly name?: string;
  readonly redirectUri?: string;
  /** How its access tokens are made; by default `opaque`. */
  readonly accessTokenType?: 'opaque' | 'jwt';
  /** Whether its ID tokens carry the claims of the granted scopes. */
  readonly idTokenUserinfoAssertion?: boolean;
  /** The grants of extensions that it may use, by their names. */
  readonly extensionGrants?: readonly string[];
}

/** Creates objects through the services that create them in production. @public */
export class Builders {
  private readonly world: RunningService;
  private ownOrg: Promise<TestOrg> | undefined;

  /** @internal */
  constructor(world: RunningService) {
    this.world = world;
  }

  async organization(input: { readonly domain?: string; readonly name?: string } = {}): Promise<TestOrg> {
    return this.org(input.domain, input.name);
  }

  /** A person who can sign in, with a verified e-mail address. */
  async user({
    org,
    firstName = 'Given',
    lastName = 'Family',
    displayName,
    preferredLanguage,
    ...input
  }: UserInput = {}): Promise<TestPerson> {
    return this.person({
      ...input,
      orgId: (org ?? (await this.usualOrg())).id,
      profile: {
        firstName,
        lastName,
        ...(displayName === undefined ? {} : { displayName }),
        ...(preferredLanguage === undefined ? {} : { preferredLanguage }),
      },
    });
  }

  /**
   * A confidential web application with code and refresh, which authenticates with the Basic header, in a project of
   * its own.
   */
  async application({
    org,
    name,
    redirectUri,
    extensionGrants = [],
    ...input
  }: ApplicationInput = {}): Promise<TestClient> {
    const projectId = await this.project({ orgId: (org ?? (await this.usualOrg())).id });
    return this.client({
      projectId,
      ...input,
      extensionGrants: [...extensionGrants],
      ...(name === undefined ? {} : { name }),
      ...(redirectUri === undefined ? {} : { redirectUris: [redirectUri] }),
    });
  }

  /** The organization of users and applications for which none is given. */
  async usualOrg(): Promise<TestOrg> {
    this.ownOrg ??= this.org();
    return this.ownOrg;
  }

  /** @internal */
  async org(domain = `${uniqueName('org')}.test`, name = domain): Promise<TestOrg> {
    const org = await this.world.transaction((tx) => this.world.get(OrgService).add(tx, { name, domain }, EDITOR));
    await this.world.rows('UPDATE org_domain SET is_proved = true WHERE org_id = $1', [org.id]);
    return { id: org.id, domain };
  }

  /** @internal */
  async project(
    input: Partial<NewProject> & Pick<NewProject, 'orgId'>,
    roles: readonly string[] = [],
  ): Promise<string> {
    const projects = this.world.get(ProjectService);
    return this.world.transaction(async (tx) => {
      const project = await projects.add(tx, { name: uniqueName('project'), ...input }, EDITOR);
      for (const key of roles)
        await this.world.get(ProjectRoleService).add(tx, project.id, { key, displayName: key }, EDITOR);
      return project.id;
    });
  }

  /**
   * By default a confidential web application with code and refresh, which authenticates with the Basic header.
   * @internal
   */
  async client({ secret: ownSecret, keyAlgorithm = 'RS256', ...input }: ClientInput): Promise<TestClient> {
    const clients = this.world.get(ClientService);
    const name = uniqueName('client');
    const settings: NewClient = {
      kind: 'oidc',
      name,
      authMethod: 'client_secret_basic',
      clientType: 'web',
      redirectUris: [`https://${name}.test/cb`],
      responseTypes: ['code'],
      grantTypes: ['authorization_code', 'refresh_token'],
      ...input,
    };
    const key = settings.authMethod === 'private_key_jwt' ? await this.world.makeKey(keyAlgorithm) : undefined;
    return this.world.transaction(async (tx) => {
      const { id, clientId, secret } = await clients.register(tx, settings, EDITOR);
      if (ownSecret !== undefined) await tx.entities.update(ClientRow, { id }, { secretHash: sha256(ownSecret) });
      const kid = key && (await clients.addKey(tx, id, { publicKey: key.publicJwk }, EDITOR)).id;
      const known = ownSecret ?? secret?.reveal();
      this.world.plant(known);
      return {
        id,
        clientId,
        authMethod: settings.authMethod,
        secret: known,
        key: key && { ...key, kid: kid! },
        redirectUri: settings.redirectUris?.[0] ?? '',
        responseType: settings.responseTypes?.[0] ?? 'code',
      };
    });
  }

  /**
   * An application that introspects tokens and does not sign users in.
   * @internal
   */
  async api(input: ClientInput): Promise<TestClient> {
    return this.client({ kind: 'api', redirectUris: [], responseTypes: [], grantTypes: [], ...input });
  }

  /**
   * A person who can sign in with `PASSWORD`, verified e-mail address included.
   * @internal
   */
  async person({ password = PASSWORD, ...input }: PersonInput): Promise<TestPerson> {
    this.world.plant(password);
    const userName = input.userName ?? uniqueName('person');
    const email = input.email ?? `${userName}@mail.test`;
    const passwordHash = password === '' ? undefined : await this.world.get(PasswordHash).hash(new Secret(password));
    const { id } = await this.world.transaction((tx) =>
      this.world.get(UserService).addHuman(
        tx,
        {
          emailVerified: true,
          ...input,
          userName,
          email,
          profile: { firstName: 'Given', lastName: 'Family', ...input.profile },
          ...(passwordHash === undefined ? {} : { passwordHash }),
        },
        EDITOR,
      ),
    );
    return {
      id,
      orgId: input.orgId,
      userName,
      email,
      password,
      loginName: toLoginName(userName, await this.domainOf(input.orgId)),
    };
  }

  /**
   * Gives a person another password, as an administrator does.
   * @internal
   */
  async newPassword(personId: string, password: string, { changeRequired = false } = {}): Promise<void> {
    this.world.plant(password);
    const passwordHash = await this.world.get(PasswordHash).hash(new Secret(password));
    await this.world.transaction((tx) =>
      this.world.get(UserService).setPassword(tx, personId, passwordHash, { changeRequired }, EDITOR),
    );
  }

  /**
   * Changes a person's profile, as an administrator does.
   * @internal
   */
  async profile(personId: string, profile: Partial<Profile>, editorId = EDITOR): Promise<void> {
    await this.world.transaction(async (tx) =>
      this.world
        .get(PersonService)
        .changeProfile(tx, await this.world.get(UserService).get(tx, personId), profile, editorId),
    );
  }

  /** @internal */
  async metadata(userId: string, key: string, value: Buffer): Promise<void> {
    await this.world.transaction(async (tx) =>
      this.world
        .get(UserMetadataService)
        .set(tx, await this.world.get(UserService).get(tx, userId), [{ key, value }], EDITOR),
    );
  }

  /**
   * With a secret, a key and a personal access token.
   * @internal
   */
  async service(
    input: Partial<NewServiceUser> & Pick<NewServiceUser, 'orgId'>,
    keyAlgorithm = 'RS256',
  ): Promise<TestService> {
    const services = this.world.get(ServiceUserService);
    const userName = input.userName ?? uniqueName('service');
    const key = await this.world.makeKey(keyAlgorithm);
    return this.world.transaction(async (tx) => {
      const id = await services.add(tx, { name: userName, ...input, userName }, EDITOR);
      const secret = (await services.generateSecret(tx, id, EDITOR)).reveal();
      const kid = await this.world.get(MachineKeys).add(tx, id, key.publicJwk, EDITOR);
      const pat = (await this.world.get(PersonalAccessTokens).add(tx, id, EDITOR)).token.reveal();
      this.world.plant(secret);
      this.world.plant(pat);
      return { id, orgId: input.orgId, userName, secret, key: { ...key, kid }, pat };
    });
  }

  /**
   * Grants a user roles of a project; returns the id of the grant.
   * @internal
   */
  async grant(userId: string, projectId: string, orgId: string, roleKeys: readonly string[]): Promise<string> {
    return this.world.transaction(async (tx) => {
      const grant = { holder: { userId }, projectId, orgId, roleKeys };
      const { id } = await this.world.get(UserGrantService).add(tx, grant, EDITOR);
      return id;
    });
  }

  /**
   * Makes a user a manager of the instance, or of an organization.
   * @internal
   */
  async member(
    userId: string,
    roles: readonly string[],
    of: { level: MemberLevel; objectId: string; orgId: string },
  ): Promise<void> {
    await this.world.transaction((tx) => this.world.get(Memberships).add(tx, { userId, roles, ...of }, EDITOR));
  }

  private async domainOf(orgId: string): Promise<string> {
    const [row] = await this.world.rows<{ domain: string }>(
      'SELECT domain FROM org_domain WHERE org_id = $1 AND is_primary',
      [orgId],
    );
    return row?.domain ?? '';
  }
}
