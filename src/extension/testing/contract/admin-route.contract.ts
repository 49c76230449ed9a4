import { fieldsOf } from '../../../admin/kit/wire/declared-field.js';
import { RoleBook } from '../../../user/permission/role-book.js';
import { callerWith } from '../admin-api.js';
import type { TestOrg } from '../builders.js';
import type { GrpcFace, Outcome } from '../grpc-face.js';
import { type Headers, type Reply, sendUnchecked } from '../http.js';
import {
  exampleBody,
  exampleMessage,
  type KnownOperation,
  looseFieldsOf,
  operationsOf,
  pathFieldsOf,
  pathOf,
  takesBody,
} from '../operations.js';
import { bearer } from '../relying-party.js';
import type { World } from '../world.js';
import {
  broken,
  type ContractCase,
  type GivenWorld,
  require,
  requirement,
  requireSame,
  shown,
  worldOf,
} from './contract.js';

/** @public */
export interface AdminRouteContractInput {
  /** The id of the extension whose operations it is about: all of them. */
  readonly extension: string;
  /**
   * Stores something of an organization, and returns a text that only answers about that organization may contain; one
   * operation at least shows it there. Without it the case about the data of others is left out.
   */
  readonly given?: (org: TestOrg) => Promise<string>;
}

const LONG = 'x'.repeat(70_000);
const REFUSED = /^(?:401|403)$/;

/**
 * What every operation of an extension keeps: who lacks its permission is refused, by each role of its level and
 * without a token, and the log names who was; nobody acts on another organization, and no answer contains its data;
 * unknown organizations are not found; wrong types and long bodies are refused; the example of the documentation works;
 * nothing that a caller sends is answered with 5xx; gRPC serves and refuses as JSON does.
 *
 * It cannot prove that an operation does what it should: it does not know what that is.
 * @public
 */
export function adminRouteContract(given: GivenWorld, input: AdminRouteContractInput): readonly ContractCase[] {
  const on = (check: (stage: RoutesStage) => Promise<void>) => async (): Promise<void> => {
    const world = worldOf(given);
    const operations = operationsOf(world).filter(({ path }) => path.includes(`/ext/${input.extension}/`));
    if (operations.length === 0) broken(`The extension ${input.extension} has no operations in this world.`);
    await check({ world, operations, input });
  };
  return [
    requirement('operations: each serves the roles that hold its permission, and no others', on(byRole)),
    requirement('operations: nobody is served without a token, or with a wrong one', on(withoutToken)),
    requirement('operations: the log names who was refused', on(namesRefused)),
    requirement('operations: nobody acts on another organization, and none that does not exist is found', on(otherOrg)),
    ...(input.given
      ? [requirement('operations: no answer contains the data of another organization', on(ownData))]
      : []),
    requirement('operations: wrong types and long bodies are refused', on(badInput)),
    requirement('operations: the example of the documentation works', on(examples)),
    requirement('operations: gRPC serves and refuses the same callers as JSON', on(sameCallers)),
    requirement('operations: gRPC refuses the same broken fields as JSON', on(sameFields)),
  ];
}

interface RoutesStage {
  readonly world: World;
  readonly operations: readonly KnownOperation[];
  readonly input: AdminRouteContractInput;
}

const isOfOrg = ({ path }: KnownOperation): boolean => path.startsWith('/management/');

async function ask(
  { world }: RoutesStage,
  operation: KnownOperation,
  headers: Headers,
  over: { readonly body?: unknown } = {},
): Promise<Reply> {
  const body = 'body' in over ? over.body : exampleBody(operation);
  const reply = await sendUnchecked(world.origin, {
    method: operation.method,
    path: pathOf(operation),
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  require(reply.status <
    500, `${operation.facts.id} (${operation.name}) answers ${reply.status}: ${reply.text.slice(0, 200)}`);
  return reply;
}

async function caller(
  { world }: RoutesStage,
  roles: readonly string[],
  org?: TestOrg,
): Promise<{ id: string; headers: Headers }> {
  const { service } = await callerWith(world, org ?? (await world.add.org()), roles);
  return { id: service.id, headers: bearer(service.pat) };
}

async function byRole(stage: RoutesStage): Promise<void> {
  const book = stage.world.get(RoleBook);
  for (const level of ['org', 'instance'] as const) {
    for (const role of book.rolesOf(level)) {
      const { headers } = await caller(stage, [role]);
      for (const operation of stage.operations.filter((one) => isOfOrg(one) || level === 'instance')) {
        const holds = (book.permissionsOf(role) as readonly string[]).includes(operation.permission ?? '');
        const { status } = await ask(stage, operation, headers);
        const isServed = !REFUSED.test(String(status));
        require(isServed ===
          holds, `${operation.facts.id} answers ${role} with ${status}, and the role ${holds ? 'holds' : 'does not hold'} ${String(operation.permission)}.`);
      }
    }
  }
}

async function withoutToken(stage: RoutesStage): Promise<void> {
  for (const operation of stage.operations)
    for (const headers of [{}, bearer('no-token'), { Authorization: 'Basic eDp4' }])
      requireSame(
        (await ask(stage, operation, headers)).status,
        401,
        `Without a token, the status of ${operation.facts.id}`,
      );
}

async function namesRefused(stage: RoutesStage): Promise<void> {
  const { headers, id } = await caller(stage, []);
  for (const operation of stage.operations) {
    const from = stage.world.logText().length;
    requireSame(
      (await ask(stage, operation, headers)).status,
      403,
      `For a user without roles, the status of ${operation.facts.id}`,
    );
    const lines = stage.world.logText().slice(from);
    require(lines.includes(id), `The log does not name the user whom ${operation.facts.id} has refused.`);
  }
}

async function otherOrg(stage: RoutesStage): Promise<void> {
  const other = await stage.world.add.org();
  const { headers } = await caller(stage, ['ORG_OWNER']);
  const owner = await caller(stage, ['IAM_OWNER']);
  for (const operation of stage.operations.filter(isOfOrg)) {
    const about = async (who: Headers, orgId: string): Promise<number> =>
      (await ask(stage, operation, { ...who, 'x-service-orgid': orgId })).status;
    const status = await about(headers, other.id);
    require(status === 403 ||
      status === 404, `${operation.facts.id} serves an owner of one organization about another one, with ${status}.`);
    requireSame(
      await about(owner.headers, 'no-such-organization'),
      404,
      `About an organization that does not exist, the status of ${operation.facts.id}`,
    );
  }
}

async function ownData(stage: RoutesStage): Promise<void> {
  const given = stage.input.given!;
  const [mine, theirs] = [await stage.world.add.org(), await stage.world.add.org()];
  const own = await given(mine);
  const secret = await given(theirs);
  let isShown = false;
  const { headers } = await caller(stage, ['ORG_OWNER'], mine);
  for (const operation of stage.operations.filter(isOfOrg)) {
    const { text } = await ask(stage, operation, headers);
    require(!text.includes(
      secret,
    ), `${operation.facts.id} answers with data of another organization: ${shown(secret)}`);
    isShown ||= text.includes(own);
  }
  require(isShown, `No operation shows ${shown(own)}, which "given" has stored, to its own organization: this proves nothing.`);
}

async function badInput(stage: RoutesStage): Promise<void> {
  const { headers } = await caller(stage, ['IAM_OWNER']);
  for (const operation of stage.operations.filter(takesBody)) {
    const example = exampleBody(operation) ?? {};
    const loose = looseFieldsOf(operation);
    const refusals: ReadonlyArray<readonly [string, unknown]> = [
      ['what is no JSON', '{'],
      ['a list', []],
      ...loose.slice(0, 1).map(({ name }) => ['70,000 letters', { ...example, [name]: LONG }] as const),
      ...loose.map(({ name }) => [`an object as ${name}`, { ...example, [name]: { wrong: true } }] as const),
    ];
    for (const [what, body] of refusals) {
      const { status } = await ask(stage, operation, headers, { body });
      const isRefused = status === 400 || status === 413;
      require(isRefused, `With ${what}, ${operation.facts.id} answers ${status} instead of 400.`);
    }
  }
}

async function examples(stage: RoutesStage): Promise<void> {
  const { headers } = await caller(stage, ['IAM_OWNER']);
  const document = (await stage.world.send({ path: '/docs-json' })).json<{ paths: Record<string, unknown> }>();
  for (const operation of stage.operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    require(path in document.paths, `The documentation does not contain ${operation.name}.`);
    const named = operation.facts.request ? fieldsOf(operation.facts.request).map(({ name }) => name) : [];
    const nameless = pathFieldsOf(operation).filter((field) => !named.includes(field));
    requireSame(
      nameless,
      [],
      `Of the fields in the path of ${operation.facts.id}, those that its request does not declare`,
    );
    const reply = await ask(stage, operation, headers);
    require(reply.status !==
      400, `The example of ${operation.facts.id} in the documentation is refused: ${reply.text.slice(0, 200)}`);
  }
}

/** The answers to a call over both wires. */
interface Twice {
  readonly stage: RoutesStage;
  readonly grpc: GrpcFace;
}

async function twice(stage: RoutesStage, work: (both: Twice) => Promise<void>): Promise<void> {
  const { GrpcFace: Face } = await import('../grpc-face.js'); // what it needs takes long to load
  const grpc = new Face(stage.world);
  try {
    await work({ stage, grpc });
  } finally {
    grpc.close();
  }
}

/**
 * Calls in JSON, over gRPC, and in JSON once more: the first call may change what the next ones find, as when something
 * is made that cannot be made twice. So gRPC has to answer as one of the two.
 */
async function requireTheSame(
  { stage, grpc }: Twice,
  operation: KnownOperation,
  headers: Readonly<Record<string, string>>,
  { who, without, long }: { readonly who: string; readonly without?: string; readonly long?: string },
): Promise<void> {
  const changed = <T>(message: Readonly<Record<string, T>>): Record<string, T | string> =>
    Object.fromEntries(
      Object.entries({ ...message, ...(long === undefined ? {} : { [long]: LONG }) }).filter(
        ([name]) => name !== without,
      ),
    );
  const body = exampleBody(operation);
  const inJson = async (): Promise<Outcome> =>
    grpc.outcomeOf(operation, await ask(stage, operation, headers, { body: body && changed(body) }));
  const before = await inJson();
  const found = await grpc.call(operation, changed(exampleMessage(operation)), headers);
  const after = await inJson();
  const { id } = operation.facts;
  require([before.verdict, after.verdict].includes(
    found.verdict,
  ), `${id} answers ${who} with ${after.verdict} in JSON, and with ${found.verdict} over gRPC.`);
  if (operation.method !== 'GET' || JSON.stringify(before) !== JSON.stringify(after)) return;
  requireSame(found.answer, after.answer, `Asked by ${who}, what ${id} answers over gRPC, and not in JSON,`);
}

async function sameCallers(stage: RoutesStage): Promise<void> {
  const book = stage.world.get(RoleBook);
  const other = await stage.world.add.org();
  await stage.input.given?.(other);
  await twice(stage, async (both) => {
    const check = async (who: string, headers: Headers, of = stage.operations): Promise<void> => {
      for (const operation of of)
        await requireTheSame(both, operation, headers as Readonly<Record<string, string>>, { who });
    };
    await check('nobody', {});
    await check('a wrong token', bearer('no-token'));
    await check('a user without roles', (await caller(stage, [])).headers);
    for (const level of ['org', 'instance'] as const)
      for (const role of book.rolesOf(level)) await check(role, (await caller(stage, [role])).headers);
    const [{ headers: owner }, { headers: iamOwner }] = [
      await caller(stage, ['ORG_OWNER']),
      await caller(stage, ['IAM_OWNER']),
    ];
    const ofOrg = stage.operations.filter(isOfOrg);
    const about = (headers: Headers, orgId: string): Headers => ({ ...headers, 'x-service-orgid': orgId });
    await check('an owner of another organization', about(owner, other.id), ofOrg);
    await check('an owner of the instance', about(iamOwner, other.id), ofOrg);
    await check('somebody who names no organization that exists', about(iamOwner, 'no-such-organization'), ofOrg);
  });
}

async function sameFields(stage: RoutesStage): Promise<void> {
  const { headers } = await caller(stage, ['IAM_OWNER']);
  await twice(stage, async (both) => {
    for (const operation of stage.operations.filter(takesBody))
      for (const { name, kind, many } of looseFieldsOf(operation)) {
        const check = async (changes: { readonly who: string; readonly without?: string; readonly long?: string }) =>
          requireTheSame(both, operation, headers as Readonly<Record<string, string>>, changes);
        await check({ who: `a request without ${name}`, without: name });
        if (kind === 'text' && !many) await check({ who: `70,000 letters as ${name}`, long: name });
      }
  });
}
