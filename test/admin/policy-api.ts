import type { RoleName } from '../../src/user/permission/role.js';
import { AdminApi, callerWith, type Json } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { type Reply, send } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import type { World } from '../support/world.js';

export interface Details {
  readonly sequence: string;
  readonly creationDate: string;
  readonly changeDate: string;
  readonly resourceOwner: string;
}

/** Somebody who calls the operations on policies. */
export class PolicyCaller extends AdminApi {
  constructor(
    private readonly world: World,
    token: string,
    readonly orgId: string,
  ) {
    super(world.origin, token);
  }

  async upload(path: string, contentType: string, body: Buffer): Promise<Reply> {
    return send(this.world.origin, {
      method: 'PUT',
      path,
      headers: { ...bearer(this.token), 'Content-Type': contentType },
      body,
    });
  }

  /** The details that a change answered. @throws Error when it was refused */
  async change(method: string, path: string, body?: Json): Promise<Details> {
    return (await this.call<{ details: Details }>(method, path, body)).details;
  }

  async policy(path: string): Promise<Json> {
    return (await this.call<{ policy: Json }>('GET', path)).policy;
  }
}

/** Managers of the instance and of two organizations. */
export interface PolicyCast {
  readonly iam: PolicyCaller;
  readonly viewer: PolicyCaller;
  readonly ownerA: PolicyCaller;
  readonly viewerA: PolicyCaller;
  readonly ownerB: PolicyCaller;
  readonly nobody: PolicyCaller;
}

export async function policyCast(world: World): Promise<PolicyCast> {
  const [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
  return {
    iam: await managerOf(world, orgA, 'IAM_OWNER'),
    viewer: await managerOf(world, orgA, 'IAM_OWNER_VIEWER'),
    ownerA: await managerOf(world, orgA, 'ORG_OWNER'),
    viewerA: await managerOf(world, orgA, 'ORG_OWNER_VIEWER'),
    ownerB: await managerOf(world, orgB, 'ORG_OWNER'),
    nobody: await managerOf(world, orgA),
  };
}

export async function managerOf(world: World, org: TestOrg, ...roles: readonly RoleName[]): Promise<PolicyCaller> {
  const { service } = await callerWith(world, org, roles);
  return new PolicyCaller(world, service.pat, org.id);
}

export function codeOf(reply: Reply): [number, unknown] {
  return [reply.status, reply.json()['code']];
}

/** The fields that a refusal names. */
export function fieldsOf(reply: Reply): string[] {
  const { details } = reply.json<{ details: Array<{ fieldViolations?: Array<{ field: string }> }> }>();
  return (details[0]?.fieldViolations ?? []).map(({ field }) => field);
}
