import type { RoleName } from '../../src/user/permission/role.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

export const USERS = '/management/v1/users';

/** Two organizations, and people who manage the users of one of them, may only look at them, or own the other one. */
export class PeopleStage {
  private constructor(
    readonly world: World,
    readonly orgA: TestOrg,
    readonly orgB: TestOrg,
    readonly manager: AdminApi,
    readonly viewer: AdminApi,
    readonly managerOfB: AdminApi,
  ) {}

  static async set(): Promise<PeopleStage> {
    const world = await startWorld();
    const [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
    const apiOf = async (org: TestOrg, role: RoleName): Promise<AdminApi> => (await callerWith(world, org, [role])).api;
    return new PeopleStage(
      world,
      orgA,
      orgB,
      await apiOf(orgA, 'ORG_USER_MANAGER'),
      await apiOf(orgA, 'ORG_OWNER_VIEWER'),
      await apiOf(orgB, 'ORG_OWNER'),
    );
  }

  /** Adds a person; answers its id. */
  async add(more: Json = {}): Promise<string> {
    return (await this.manager.call('POST', `${USERS}/human`, person(more)))['userId'] as string;
  }

  async get(id: string): Promise<Json> {
    return (await this.manager.call('GET', `${USERS}/${id}`))['user'] as Json;
  }

  /** The kinds of codes that were mailed to a person and are still good. */
  async codesOf(id: string): Promise<string[]> {
    const rows = await this.world.rows<{ kind: string }>(
      'SELECT kind FROM user_code WHERE user_id = $1 ORDER BY kind',
      [id],
    );
    return rows.map(({ kind }) => kind);
  }

  async eventsOf(id: string): Promise<string[]> {
    const rows = await this.world.rows<{ type: string }>(
      "SELECT type FROM event WHERE aggregate_type = 'user' AND aggregate_id = $1 ORDER BY sequence",
      [id],
    );
    return rows.map(({ type }) => type);
  }

  /** 200 if the person gets tokens with that password. */
  async signIn(userName: string, password: string): Promise<number> {
    const rp = new RelyingParty(this.world, await this.world.cast.web1);
    const tokens = await rp
      .tokens({ id: '', orgId: this.orgA.id, userName, loginName: userName, email: '', password })
      .catch(() => undefined);
    return tokens ? 200 : 401;
  }
}

/** A valid request to add a person of a new name. */
export function person(more: Json = {}): Json {
  const userName = uniqueName('newcomer');
  return {
    userName,
    profile: { firstName: 'Ilse', lastName: 'Brandt' },
    email: { email: `${userName}@mail.test`, isEmailVerified: true },
    ...more,
  };
}
