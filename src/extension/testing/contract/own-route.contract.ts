import { ModulesContainer } from '@nestjs/core';
import { reachOf } from '../../../admin/kit/guard/demand.js';
import { LoadedExtensions } from '../../../foundation/extension/extensions.module.js';
import { type Route, RouteTable } from '../../../foundation/http/route-table.js';
import { RoleBook } from '../../../user/permission/role-book.js';
import { callerWith } from '../admin-api.js';
import type { TestOrg } from '../builders.js';
import { type Headers, sendUnchecked } from '../http.js';
import { bearer } from '../relying-party.js';
import type { World } from '../world.js';
import { broken, type ContractCase, type GivenWorld, require, requirement, worldOf } from './contract.js';

/** @public */
export interface OwnRouteContractInput {
  /** The id of the extension whose own routes it is about: all of them. */
  readonly extension: string;
  /** Values for parameters of its paths other than organizations; `1` for those that are not named. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The media type of bodies; `application/json` by default. */
  readonly type?: string;
}

/**
 * What every route of an extension's own keeps: those that require a permission serve each role that holds it, and
 * nobody else, not without a token, with a wrong one, or about another organization; whatever bodies, queries and path
 * parameters a caller sends, nothing is answered with 5xx, and no header of the product is missing.
 *
 * It cannot prove that a route does what it should, nor that an open one decides rightly whom it serves: it does not
 * know what they are for.
 * @public
 */
export function ownRouteContract(given: GivenWorld, input: OwnRouteContractInput): readonly ContractCase[] {
  const on = (check: (stage: Stage) => Promise<void>) => async (): Promise<void> => {
    const world = worldOf(given);
    const routes = ownRoutesOf(world, input.extension);
    if (routes.length === 0) broken(`The extension ${input.extension} has no routes of its own in this world.`);
    await check({ world, routes, input, org: await world.add.org() });
  };
  return [
    requirement('own routes: each serves the roles that hold its permission, and no others', on(byRole)),
    requirement('own routes: nobody is served without a token, or with a wrong one', on(withoutToken)),
    requirement('own routes: nobody acts on another organization', on(otherOrg)),
    requirement('own routes: no body, query or parameter is answered with 5xx', on(badInput)),
    requirement('own routes: every answer has the headers of the product', on(headersOfProduct)),
  ];
}

interface OwnRoute extends Route {
  /** The parameter of its path that names the organization. */
  readonly orgIn: string | undefined;
}

interface Stage {
  readonly world: World;
  readonly routes: readonly OwnRoute[];
  readonly input: OwnRouteContractInput;
  readonly org: TestOrg;
}

function ownRoutesOf(world: World, extension: string): OwnRoute[] {
  const loaded = world.get(LoadedExtensions);
  const controllers = [...world.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  const handlers = new Map(
    controllers.map(({ metatype }) => {
      const { name, prototype } = metatype as { name: string; prototype: Record<string, object> };
      return [name, prototype] as const;
    }),
  );
  return world
    .get(RouteTable)
    .routes.filter(({ path }) => loaded.ownerOf(path) === extension)
    .map((route) => {
      const [controller, method] = route.handler.split('.') as [string, string];
      return { ...route, orgIn: reachOf(handlers.get(controller)![method]!).org };
    });
}

const permissionOf = ({ access }: OwnRoute): string | undefined =>
  access?.kind === 'permission' ? access.permission : undefined;

interface Asked {
  readonly headers?: Headers;
  readonly orgId?: string;
  readonly body?: string | Buffer;
  readonly parameter?: string;
  readonly query?: string;
}

/** @throws ContractBroken for an answer that no caller may cause */
async function ask(
  { world, input, org }: Stage,
  route: OwnRoute,
  asked: Asked = {},
): Promise<{ status: number; headers: Readonly<Record<string, unknown>> }> {
  const path = route.path.replace(/[:*](\w+)/g, (_, name: string) =>
    encodeURIComponent(
      name === route.orgIn ? (asked.orgId ?? org.id) : (asked.parameter ?? input.parameters?.[name] ?? '1'),
    ),
  );
  const method = route.method === 'ALL' ? 'POST' : route.method;
  const takesBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
  const body = takesBody ? (asked.body ?? '{}') : undefined;
  const { status, headers, text } = await sendUnchecked(world.origin, {
    method,
    path: path + (asked.query ?? ''),
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': input.type ?? 'application/json' }),
      ...asked.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  require(status < 500 ||
    status === 501, `${method} ${path} (${route.handler}) answers ${status}: ${text.slice(0, 200)}`);
  return { status, headers };
}

const isRefused = (status: number): boolean => status === 401 || status === 403;

async function byRole(stage: Stage): Promise<void> {
  const book = stage.world.get(RoleBook);
  for (const level of ['org', 'instance'] as const)
    for (const role of book.rolesOf(level)) {
      const { service } = await callerWith(stage.world, stage.org, [role]);
      for (const route of stage.routes) {
        const permission = permissionOf(route);
        if (permission === undefined) continue;
        const holds = (book.permissionsOf(role) as readonly string[]).includes(permission);
        const { status } = await ask(stage, route, { headers: bearer(service.pat) });
        // Whom the guard lets in may still be refused, by what the route asks for besides.
        const isRight = holds ? status !== 401 : isRefused(status);
        require(isRight, `${route.method} ${route.path} answers ${role} with ${status}, and the role ${holds ? 'holds' : 'does not hold'} ${permission}.`);
      }
    }
}

async function withoutToken(stage: Stage): Promise<void> {
  for (const route of stage.routes)
    for (const headers of [{}, bearer('wrong'), { Authorization: 'Basic eDp5' }]) {
      const { status } = await ask(stage, route, { headers });
      if (permissionOf(route) !== undefined)
        require(status === 401, `${route.method} ${route.path} answers ${status} to nobody.`);
    }
}

async function otherOrg(stage: Stage): Promise<void> {
  const other = await stage.world.add.org();
  const { service } = await callerWith(stage.world, other, ['ORG_OWNER']);
  for (const route of stage.routes.filter((one) => permissionOf(one) !== undefined)) {
    const headers = {
      ...bearer(service.pat),
      ...(route.orgIn === undefined ? { 'x-service-orgid': stage.org.id } : {}),
    };
    const { status } = await ask(stage, route, { headers });
    require(isRefused(status), `${route.method} ${route.path} answers ${status} about another organization.`);
  }
}

const BODIES: ReadonlyArray<string | Buffer> = [
  ...['', '{', '[]', 'null', '"text"', '7', '{"a":1,"a":2}', '{"a":"\\u0000","b":"\\ud800"}'],
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  JSON.stringify({ text: 'x'.repeat(2_000_000) }),
  Buffer.from([0xff, 0xfe, 0x00, 0x80]),
];
const PARAMETERS: readonly string[] = [
  '\u0000',
  "' OR 1=1 --",
  '%',
  '__proto__',
  'constructor',
  'x'.repeat(5_000),
  '../..',
  'é\ud83d\ude00',
];
const QUERIES: readonly string[] = ['?=', '?a=%ff', '?a=1&a=2', '?a[b]=c&__proto__=1', `?${'a=1&'.repeat(500)}`];

async function badInput(stage: Stage): Promise<void> {
  const { service } = await callerWith(stage.world, stage.org, ['ORG_OWNER']);
  const headers = bearer(service.pat);
  for (const route of stage.routes) {
    for (const query of QUERIES) await ask(stage, route, { headers, query });
    for (const body of BODIES) await ask(stage, route, { headers, body });
    if (/[:*]/.test(route.path)) for (const parameter of PARAMETERS) await ask(stage, route, { headers, parameter });
  }
}

async function headersOfProduct(stage: Stage): Promise<void> {
  const { service } = await callerWith(stage.world, stage.org, ['ORG_OWNER']);
  for (const route of stage.routes) {
    const { headers } = await ask(stage, route, { headers: bearer(service.pat) });
    for (const name of ['x-content-type-options', 'content-security-policy', 'referrer-policy'])
      require(headers[name] !== undefined, `${route.method} ${route.path} answers without ${name}.`);
  }
}
