import { InstanceService } from '../../org/instance/instance.service.js';
import { RoleBook } from '../../user/permission/role-book.js';
import type { Builders, TestOrg, TestService } from './builders.js';
import { type Headers, type Reply, send } from './http.js';
import { bearer } from './relying-party.js';
import type { RunningService } from './running-service.js';

/** @public */
export type Json = Readonly<Record<string, unknown>>;

/** The administrative API as one caller sees it, over JSON. @public */
export class AdminApi {
  constructor(
    private readonly origin: string,
    readonly token: string,
    private readonly headers: Headers = {},
  ) {}

  /** The same caller, about another organization. */
  about(orgId: string): AdminApi {
    return new AdminApi(this.origin, this.token, { ...this.headers, 'x-service-orgid': orgId });
  }

  /** `body` absent: nothing is sent. A string is sent as it is. */
  async ask(method: string, path: string, body?: Json | string, headers: Headers = {}): Promise<Reply> {
    return send(this.origin, {
      method,
      path,
      headers: {
        ...bearer(this.token),
        ...this.headers,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  /** What a call that must succeed answers. @throws Error when it does not */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of a wire are read as they come
  async call<T = Record<string, any>>(method: string, path: string, body?: Json): Promise<T> {
    const reply = await this.ask(method, path, body);
    if (reply.status !== 200) throw new Error(`${reply.request} answered ${reply.status}: ${reply.text}`);
    return reply.json<T>();
  }

  /** Status and stable id of what a call answers: `404 org.not_found`; broken fields by name: `400 name, domain`. */
  async verdict(method: string, path: string, body?: Json | string): Promise<string> {
    return verdictOf(await this.ask(method, path, body));
  }
}

export function verdictOf(reply: Reply): string {
  if (reply.status === 200) return '200';
  const { details = [] } = reply.json<{
    details?: ReadonlyArray<{ id?: string; fieldViolations?: ReadonlyArray<{ field: string }> }>;
  }>();
  const [detail] = details;
  const fields = detail?.fieldViolations?.map(({ field }) => field).join(', ');
  return `${reply.status} ${fields ?? detail?.id ?? ''}`.trim();
}

/**
 * A service user with roles, and its personal access token, as a caller. Roles of an organization are held over its
 * own.
 */
export async function callerWith(
  world: RunningService & { readonly add: Builders },
  org: TestOrg,
  roles: readonly string[],
): Promise<{ api: AdminApi; service: TestService }> {
  const service = await world.add.service({ orgId: org.id });
  const { id: instanceId } = await world.get(InstanceService).get();
  const isOfOrg = (role: string): boolean => world.get(RoleBook).isOf('org', role);
  const ofOrg = roles.filter((role) => isOfOrg(role));
  const ofInstance = roles.filter((role) => !isOfOrg(role));
  if (ofOrg.length > 0) await world.add.member(service.id, ofOrg, { level: 'org', objectId: org.id, orgId: org.id });
  if (ofInstance.length > 0)
    await world.add.member(service.id, ofInstance, { level: 'instance', objectId: instanceId, orgId: instanceId });
  return { api: new AdminApi(world.origin, service.pat), service };
}
