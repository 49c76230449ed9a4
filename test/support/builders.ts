import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose';
import { ClientRow } from '../../src/client/client.entity.js';
import { ClientService, type NewClient } from '../../src/client/client.service.js';
import { sha256 } from '../../src/foundation/crypto/digest.js';
import { PasswordHash } from '../../src/foundation/crypto/password-hash.js';
import { Secret } from '../../src/foundation/crypto/secret.js';
import { OrgService } from '../../src/org/org.service.js';
import type { MemberLevel } from '../../src/permission/member.entity.js';
import { Memberships } from '../../src/permission/memberships.js';
import type { RoleName } from '../../src/permission/role.js';
import { type NewProject, ProjectService } from '../../src/project/project.service.js';
import { ProjectRoleService } from '../../src/project/project-role.service.js';
import { PersonalAccessTokens } from '../../src/token/personal-access-tokens.js';
import { MachineKeys } from '../../src/user/machine-keys.js';
import type { NewHuman } from '../../src/user/new-human.js';
import { PersonService } from '../../src/user/person.service.js';
import type { Profile } from '../../src/user/profile.js';
import { type NewServiceUser, ServiceUserService } from '../../src/user/service-user.service.js';
import { UserService } from '../../src/user/user.service.js';
import { UserMetadataService } from '../../src/user/user-metadata.service.js';
import { toLoginName } from '../../src/user/user-name.js';
import { UserGrantService } from '../../src/user-grant/user-grant.service.js';
import { rsaKey } from './runner/rsa-keys.mjs';
import type { World } from './world.js';

/** Who did it, in the journal. */
export const EDITOR = 'test';
export const PASSWORD = 'Correct-Horse-7';

export interface TestOrg {
  readonly id: string;
  readonly domain: string;
}

export interface TestKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

export interface TestClient {
  /** Of the application; `clientId` is the name in the protocol. */
  readonly id: string;
  readonly clientId: string;
  readonly authMethod: NewClient['authMethod'];
  readonly redirectUri: string;
  readonly responseType: string;
  readonly secret: string | undefined;
  readonly key: TestKey | undefined;
}

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
    /** Of the key of a client that authenticates with private_key_jwt. */
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

/** Creates domain objects through the services that create them in production. */
export class Builders {
  constructor(private readonly world: World) {}

  async org(domain = `${uniqueName('org')}.test`, name = domain): Promise<TestOrg> {
    const org = await this.world.transaction((tx) => this.world.get(OrgService).add(tx, { name, domain }, EDITOR));
    return { id: org.id, domain };
  }

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

  /** By default a confidential web application with code and refresh, which authenticates with the Basic header. */
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
    const key = settings.authMethod === 'private_key_jwt' ? await makeKey(keyAlgorithm) : undefined;
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

  /** An application that introspects tokens and does not sign users in. */
  async api(input: ClientInput): Promise<TestClient> {
    return this.client({ kind: 'api', redirectUris: [], responseTypes: [], grantTypes: [], ...input });
  }

  /** A person who can sign in with `PASSWORD`, verified e-mail address included. */
  async person({ password = PASSWORD, ...input }: PersonInput): Promise<TestPerson> {
    this.world.plant(password);
    const userName = input.userName ?? uniqueName('person');
    const email = input.email ?? `${userName}@mail.test`;
    const passwordHash = password === '' ? undefined : await this.world.get(PasswordHash).hash(new Secret(password));
    const id = await this.world.transaction((tx) =>
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

  /** Gives a person another password, as an administrator does. */
  async newPassword(personId: string, password: string, { changeRequired = false } = {}): Promise<void> {
    this.world.plant(password);
    const passwordHash = await this.world.get(PasswordHash).hash(new Secret(password));
    await this.world.transaction((tx) =>
      this.world.get(UserService).setPassword(tx, personId, passwordHash, { changeRequired }, EDITOR),
    );
  }

  /** Changes a person's profile, as an administrator does. */
  async profile(personId: string, profile: Partial<Profile>, editorId = EDITOR): Promise<void> {
    await this.world.transaction(async (tx) =>
      this.world
        .get(PersonService)
        .changeProfile(tx, await this.world.get(UserService).get(tx, personId), profile, editorId),
    );
  }

  async metadata(userId: string, key: string, value: Buffer): Promise<void> {
    await this.world.transaction(async (tx) =>
      this.world
        .get(UserMetadataService)
        .set(tx, await this.world.get(UserService).get(tx, userId), [{ key, value }], EDITOR),
    );
  }

  /** With a secret, a key and a personal access token. */
  async service(
    input: Partial<NewServiceUser> & Pick<NewServiceUser, 'orgId'>,
    keyAlgorithm = 'RS256',
  ): Promise<TestService> {
    const services = this.world.get(ServiceUserService);
    const userName = input.userName ?? uniqueName('service');
    const key = await makeKey(keyAlgorithm);
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

  /** Grants a user roles of a project; returns the id of the grant. */
  async grant(userId: string, projectId: string, orgId: string, roleKeys: readonly string[]): Promise<string> {
    return this.world.transaction(async (tx) => {
      const { id } = await this.world.get(UserGrantService).add(tx, { userId, projectId, orgId, roleKeys }, EDITOR);
      return id;
    });
  }

  /** Makes a user a manager of the instance, or of an organization. */
  async member(
    userId: string,
    roles: readonly RoleName[],
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

let keys = 0;

/** A key pair; registering it assigns the `kid`. */
export async function makeKey(alg = 'RS256'): Promise<Omit<TestKey, 'kid'>> {
  const pair = alg === 'RS256' ? await rsaKey(keys++) : await generateKeyPair(alg, { extractable: true });
  return { alg, privateKey: pair.privateKey, publicJwk: await exportJWK(pair.publicKey) };
}
