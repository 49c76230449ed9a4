import type { AdminApi, Headers, Reply, TestOrg, World } from 'gatehouse/testing';

export const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

export interface Resource {
  readonly id: string;
  readonly userName: string;
  readonly active: boolean;
  readonly displayName?: string;
  readonly externalId?: string;
  readonly name?: { readonly givenName?: string; readonly familyName?: string; readonly formatted?: string };
  readonly emails: ReadonlyArray<{ readonly value: string; readonly type?: string; readonly primary?: boolean }>;
  readonly groups?: ReadonlyArray<{ readonly value: string; readonly display: string }>;
  readonly members?: ReadonlyArray<{ readonly value: string; readonly display: string; readonly $ref?: string }>;
  readonly meta: { readonly version: string; readonly location: string; readonly lastModified: string };
  readonly [name: string]: unknown;
}

export interface ListResponse {
  readonly totalResults: number;
  readonly itemsPerPage: number;
  readonly startIndex: number;
  readonly Resources: readonly Resource[];
}

/** A directory: a service user of an organization, with a token, that speaks SCIM. */
export class Directory {
  constructor(
    readonly world: World,
    readonly orgId: string,
    readonly id: string,
    readonly token: string,
  ) {}

  get base(): string {
    return `/scim/v2/${this.orgId}`;
  }

  async ask(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Reply> {
    return this.world.send({
      method,
      path: this.base + path,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  /** What a request answers that must succeed. */
  async call<T = Resource>(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<T> {
    const reply = await this.ask(method, path, body, headers);
    if (reply.status >= 300) throw new Error(`${reply.request} answered ${reply.status}: ${reply.text}`);
    return reply.text === '' ? ({} as T) : reply.json<T>();
  }

  /** Status, kind and reason of a refusal: `409 uniqueness user.name_taken`; the status alone of what succeeds. */
  async verdict(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<string> {
    return verdictOf(await this.ask(method, path, body, headers));
  }

  /** A person with what is given; the rest is made up. */
  async add(given: object = {}): Promise<Resource> {
    return this.call('POST', '/Users', person(given));
  }

  async find(filter: string, endpoint = '/Users'): Promise<readonly string[]> {
    const found = await this.call<ListResponse>('GET', `${endpoint}?count=200&filter=${encodeURIComponent(filter)}`);
    return found.Resources.map(({ userName, displayName }) => userName ?? displayName);
  }

  async patch(id: string, ...operations: readonly object[]): Promise<Reply> {
    return this.ask('PATCH', `/Users/${id}`, patchOf(...operations));
  }

  async addGroup(given: object = {}): Promise<Resource> {
    count += 1;
    return this.call('POST', '/Groups', { schemas: [GROUP], displayName: `group${count}`, ...given });
  }

  async patchGroup(id: string, ...operations: readonly object[]): Promise<Reply> {
    return this.ask('PATCH', `/Groups/${id}`, patchOf(...operations));
  }
}

export function patchOf(...operations: readonly object[]): object {
  return { schemas: [PATCH], Operations: operations };
}

let count = 0;

export function person(given: object = {}): object {
  count += 1;
  const userName = `person${count}`;
  return {
    schemas: [CORE],
    userName,
    name: { givenName: 'Anna', familyName: `Arendt${count}` },
    emails: [{ value: `${userName}@mail.test`, type: 'work', primary: true }],
    active: true,
    ...given,
  };
}

export function verdictOf(reply: Reply): string {
  if (reply.status < 300 || reply.status === 304) return String(reply.status);
  const { scimType, detail, status } = reply.json<{ scimType?: string; detail: string; status: string }>();
  const reason = /\[(.+)\]$/.exec(detail)?.[1] ?? detail;
  return [status, scimType, reason].filter((part) => part !== undefined).join(' ');
}

/** Sets a directory up as its documentation says. */
export async function addDirectory(
  world: World,
  org: TestOrg,
  roles: readonly string[] = ['EXT_SCIM_DIRECTORY'],
): Promise<Directory> {
  const owner = await world.manager(['ORG_OWNER'], org);
  count += 1;
  const name = `directory${count}`;
  const { userId } = await owner.call<{ userId: string }>('POST', '/management/v1/users/machine', {
    userName: name,
    name,
  });
  if (roles.length > 0) await owner.call('POST', '/management/v1/orgs/me/members', { userId, roles });
  return new Directory(world, org.id, userId, await tokenOf(owner, userId));
}

export async function tokenOf(owner: AdminApi, userId: string): Promise<string> {
  const { token } = await owner.call<{ token: string }>('POST', `/management/v1/users/${userId}/pats`, {});
  return token;
}
