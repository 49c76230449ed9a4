import { InstanceService } from '../../src/org/instance/instance.service.js';
import type { UserState } from '../../src/user/user.entity.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, PASSWORD, type TestClient, type TestOrg, type TestPerson, type TestService } from './builders.js';
import type { World } from './world.js';

/** Special characters in every place where an encoding could go wrong. */
export const WEB1_SECRET = 's3cr+t %:é/';

/** The cast of the tests that attack: clients, people and service users, each made when first asked for. */
export class Fixtures {
  private readonly made = new Map<string, Promise<unknown>>();

  constructor(private readonly world: World) {}

  /** Organization A, which owns project P. */
  get orgA(): Promise<TestOrg> {
    return this.once('orgA', () => this.world.add.org('orga.test'));
  }

  get orgB(): Promise<TestOrg> {
    return this.once('orgB', () => this.world.add.org('orgb.test'));
  }

  get projectP(): Promise<string> {
    return this.once('projectP', async () =>
      this.world.add.project({ orgId: (await this.orgA).id }, ['reader', 'writer']),
    );
  }

  /** Of organization B. */
  get projectQ(): Promise<string> {
    return this.once('projectQ', async () => this.world.add.project({ orgId: (await this.orgB).id }, ['reader']));
  }

  get web1(): Promise<TestClient> {
    return this.once('web1', async () =>
      this.world.add.client({
        projectId: await this.projectP,
        name: 'web1',
        clientId: 'web1',
        secret: WEB1_SECRET,
        redirectUris: ['https://rp1.test/cb', 'https://rp1.test/cb?x=1'],
        postLogoutRedirectUris: ['https://rp1.test/bye'],
      }),
    );
  }

  /** Of the system project: whoever signs in administers by it with all rights, and changes the own account. */
  get console(): Promise<TestClient> {
    return this.consoleWith('console', 'opaque');
  }

  /** The same, with JWT access tokens. */
  get jwtConsole(): Promise<TestClient> {
    return this.consoleWith('jwtConsole', 'jwt');
  }

  private async consoleWith(clientId: string, accessTokenType: 'opaque' | 'jwt'): Promise<TestClient> {
    return this.once(clientId, async () =>
      this.world.add.client({
        projectId: (await this.world.get(InstanceService).get()).systemProjectId,
        name: clientId,
        clientId,
        accessTokenType,
        redirectUris: [`https://${clientId}.test/cb`],
      }),
    );
  }

  /** Sibling of web1. */
  get web2(): Promise<TestClient> {
    return this.once('web2', async () =>
      this.world.add.client({
        projectId: await this.projectP,
        name: 'web2',
        clientId: 'web2',
        redirectUris: ['https://rp2.test/cb'],
        postLogoutRedirectUris: ['https://rp2.test/bye'],
      }),
    );
  }

  /** Of organization B. */
  get web3(): Promise<TestClient> {
    return this.once('web3', async () =>
      this.world.add.client({
        projectId: await this.projectQ,
        name: 'web3',
        clientId: 'web3',
        redirectUris: ['https://rp3.test/cb'],
        postLogoutRedirectUris: ['https://rp3.test/bye'],
      }),
    );
  }

  /** As web1, with JWT access tokens. */
  get web4(): Promise<TestClient> {
    return this.once('web4', async () =>
      this.world.add.client({
        projectId: await this.projectP,
        name: 'web4',
        clientId: 'web4',
        accessTokenType: 'jwt',
        redirectUris: ['https://rp4.test/cb'],
        postLogoutRedirectUris: ['https://rp4.test/bye'],
      }),
    );
  }

  /** Authenticates in the body. */
  get post1(): Promise<TestClient> {
    return this.once('post1', async () =>
      this.world.add.client({
        projectId: await this.projectP,
        name: 'post1',
        clientId: 'post1',
        authMethod: 'client_secret_post',
        redirectUris: ['https://post1.test/cb'],
      }),
    );
  }

  /** Authenticates with a key. */
  get jwt1(): Promise<TestClient> {
    return this.once('jwt1', async () =>
      this.world.add.client({
        projectId: await this.projectP,
        name: 'jwt1',
        clientId: 'jwt1',
        authMethod: 'private_key_jwt',
        redirectUris: ['https://jwt1.test/cb'],
      }),
    );
  }

  get imp1(): Promise<TestClient> {
    return this.once('imp1', async () =>
      this.world.add.client({
        projectId: await this.projectP,
        name: 'imp1',
        clientId: 'imp1',
        authMethod: 'none',
        clientType: 'user_agent',
        redirectUris: ['https://spa.test/cb'],
        postLogoutRedirectUris: ['https://spa.test/bye'],
        responseTypes: ['id_token token', 'id_token'],
        grantTypes: ['implicit'],
      }),
    );
  }

  get nat1(): Promise<TestClient> {
    return this.once('nat1', async () =>
      this.world.add.client({
        projectId: await this.projectP,
        name: 'nat1',
        clientId: 'nat1',
        authMethod: 'none',
        clientType: 'native',
        redirectUris: ['http://127.0.0.1/cb', 'http://[::1]/cb', 'com.example.app:/cb'],
      }),
    );
  }

  /** Of project P. */
  get api1(): Promise<TestClient> {
    return this.once('api1', async () =>
      this.world.add.api({ projectId: await this.projectP, name: 'api1', clientId: 'api1' }),
    );
  }

  /** Of organization B. */
  get api2(): Promise<TestClient> {
    return this.once('api2', async () =>
      this.world.add.api({ projectId: await this.projectQ, name: 'api2', clientId: 'api2' }),
    );
  }

  get svc1(): Promise<TestService> {
    return this.once('svc1', async () => this.world.add.service({ orgId: (await this.orgA).id, userName: 'svc1' }));
  }

  get svc2(): Promise<TestService> {
    return this.once('svc2', async () => this.world.add.service({ orgId: (await this.orgB).id, userName: 'svc2' }));
  }

  /** Has every claim of OIDC Core §5.1. */
  get alice(): Promise<TestPerson> {
    return this.once('alice', async () =>
      this.world.add.person({
        orgId: (await this.orgA).id,
        userName: 'alice',
        email: 'alice@mail.test',
        phone: '+41791234567',
        phoneVerified: true,
        profile: {
          firstName: 'Alice',
          lastName: 'Liddell',
          middleName: 'Pleasance',
          nickName: 'Ally',
          displayName: 'Alice Liddell',
          preferredLanguage: 'en',
          gender: 'female',
          profileUrl: 'https://alice.test/',
          pictureUrl: 'https://alice.test/me.png',
          website: 'https://alice.test/blog',
          birthdate: '1852-05-04',
          zoneinfo: 'Europe/London',
          address: {
            formatted: 'Deanery Garden\nOxford',
            streetAddress: 'Deanery Garden',
            locality: 'Oxford',
            region: 'Oxfordshire',
            postalCode: 'OX1 1DP',
            country: 'UK',
          },
        },
      }),
    );
  }

  get bob(): Promise<TestPerson> {
    return this.once('bob', async () => this.world.add.person({ orgId: (await this.orgA).id, userName: 'bob' }));
  }

  /** Of organization B. */
  get carol(): Promise<TestPerson> {
    return this.once('carol', async () => this.world.add.person({ orgId: (await this.orgB).id, userName: 'carol' }));
  }

  /** Deactivated. */
  get dave(): Promise<TestPerson> {
    return this.once('dave', () => this.personIn('dave', 'inactive'));
  }

  get erin(): Promise<TestPerson> {
    return this.once('erin', () => this.personIn('erin', 'locked'));
  }

  /** No password, e-mail address unverified. */
  get uma(): Promise<TestPerson> {
    return this.once('uma', async () =>
      this.world.add.person({ orgId: (await this.orgA).id, userName: 'uma', emailVerified: false, password: '' }),
    );
  }

  private async personIn(userName: string, state: UserState): Promise<TestPerson> {
    const person = await this.world.add.person({ orgId: (await this.orgA).id, userName, password: PASSWORD });
    await this.world.transaction((tx) => this.world.get(UserService).changeState(tx, person.id, state, EDITOR));
    return person;
  }

  private once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.made.get(name) ?? make();
    this.made.set(name, known);
    return known as Promise<T>;
  }
}
