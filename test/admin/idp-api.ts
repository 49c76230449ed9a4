import { InstanceService } from '../../src/org/instance/instance.service.js';
import type { RoleName } from '../../src/user/permission/role.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { type Headers, type Reply, send } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import type { World } from '../support/world.js';

export type Level = 'admin' | 'management';
export const LEVELS: readonly Level[] = ['admin', 'management'];

/** One caller of the identity providers' operations, on one level. */
export class IdpApi {
  constructor(
    private readonly origin: string,
    readonly level: Level,
    private readonly token: string,
    /** The id of the instance or the organization. */
    readonly ownerId: string,
    private readonly headers: Headers = {},
  ) {}

  async ask(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Reply> {
    const json =
      body === undefined
        ? {}
        : { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) };
    return send(this.origin, {
      method,
      path: `/${this.level}/v1/${path}`,
      ...json,
      headers: {
        ...bearer(this.token),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...this.headers,
        ...headers,
      },
    });
  }

  /** The same caller with another `x-service-orgid`. */
  about(orgId: string): IdpApi {
    return new IdpApi(this.origin, this.level, this.token, orgId, { 'x-service-orgid': orgId });
  }

  /** The same caller on the other level. */
  at(level: Level): IdpApi {
    return new IdpApi(this.origin, level, this.token, this.ownerId, this.headers);
  }

  /** @returns the id of a new provider */
  async addOidc(input: object = {}): Promise<string> {
    return idOf(await this.ask('POST', 'idps/oidc', oidc(input)));
  }

  async addJwt(input: object = {}): Promise<string> {
    return idOf(await this.ask('POST', 'idps/jwt', jwt(input)));
  }

  async get(id: string): Promise<Record<string, unknown>> {
    return (await this.ask('GET', `idps/${id}`)).json<{ idp: Record<string, unknown> }>().idp;
  }

  /** The names of what a list holds. */
  async names(queries: unknown = [], more: object = {}): Promise<string[]> {
    const { result } = (
      await this.ask('POST', 'idps/_search', {
        queries,
        sortingColumn: 'IDP_FIELD_NAME_NAME',
        query: { asc: true },
        ...more,
      })
    ).json<{ result: Array<{ name: string }> }>();
    return result.map(({ name }) => name);
  }
}

export const SECRET = 'a-secret-of-the-provider-1f9';

export function oidc(input: object = {}): Record<string, unknown> {
  return {
    name: uniqueName('oidc'),
    stylingType: 'STYLING_TYPE_VENDOR',
    clientId: 'gatehouse',
    clientSecret: SECRET,
    issuer: 'https://accounts.example.com',
    scopes: ['openid', 'email'],
    displayNameMapping: 'OIDC_MAPPING_FIELD_PREFERRED_USERNAME',
    usernameMapping: 'OIDC_MAPPING_FIELD_EMAIL',
    autoRegister: true,
    ...input,
  };
}

export function jwt(input: object = {}): Record<string, unknown> {
  return {
    name: uniqueName('jwt'),
    jwtEndpoint: 'https://proxy.example.com/sign-in',
    issuer: 'https://proxy.example.com',
    keysEndpoint: 'https://proxy.example.com/keys',
    headerName: 'x-jwt',
    ...input,
  };
}

/** What a provider shows that was added without options. */
export function optionsWith(autoRegister: boolean): object {
  return {
    isLinkingAllowed: true,
    isCreationAllowed: autoRegister,
    isAutoCreation: autoRegister,
    isAutoUpdate: false,
    autoLinking: 'AUTO_LINKING_OPTION_UNSPECIFIED',
  };
}

export function idOf(reply: Reply, member: 'idpId' | 'id' = 'idpId'): string {
  if (reply.status !== 200) throw new Error(`Nothing was added: ${reply.text}`);
  return reply.json<Record<string, string>>()[member]!;
}

/** A service user with these roles, and the API as they call it. */
export async function callerWith(
  world: World,
  level: Level,
  roles: readonly RoleName[],
  org?: TestOrg,
): Promise<IdpApi> {
  const { id: orgId } = org ?? (await world.cast.orgA);
  const { id: instanceId } = await world.get(InstanceService).get();
  const service = await world.add.service({ orgId });
  const ofInstance = roles.filter((role) => role.startsWith('IAM_'));
  const ofOrg = roles.filter((role) => role.startsWith('ORG_'));
  if (ofInstance.length > 0)
    await world.add.member(service.id, ofInstance, { level: 'instance', objectId: instanceId, orgId: instanceId });
  if (ofOrg.length > 0) await world.add.member(service.id, ofOrg, { level: 'org', objectId: orgId, orgId });
  return new IdpApi(world.origin, level, service.pat, level === 'admin' ? instanceId : orgId);
}

/** Administrators with every permission on a level: the instance's owner, the owner of organization A. */
export async function ownerOf(world: World, level: Level): Promise<IdpApi> {
  return callerWith(world, level, level === 'admin' ? ['IAM_OWNER'] : ['ORG_OWNER']);
}

/** The fields that a refusal names, in their order. */
export function fieldsIn(reply: Reply): string[] {
  const { details } = reply.json<{ details: Array<{ fieldViolations?: Array<{ field: string }> }> }>();
  return details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field));
}

/** Status, code and stable id of a refusal. */
export function refusalIn(reply: Reply): [number, number, string | undefined] {
  const { code, details } = reply.json<{ code: number; details: Array<{ id?: string }> }>();
  return [reply.status, code, details[0]?.id];
}
