import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldsOf } from '../../src/admin/kit/wire/declared-field.js';
import type { DeclaredField } from '../../src/admin/kit/wire/field.js';
import { ExampleIds } from '../../src/docs/site/examples.js';
import { examplesInOrder, idOf } from '../contract/example-order.js';
import { type Document, exampleOf, type Route } from '../contract/openapi-document.js';
import { REFUSED } from '../contract/refused-examples.js';
import { callerWith } from '../support/admin-api.js';
import { send } from '../support/http.js';
import { untilSent } from '../support/mails.js';
import { startWorld, type World } from '../support/world.js';
import {
  type Call,
  type Face,
  inProtoNames,
  looseFields,
  type Method,
  methodsById,
  overConnect,
  overGrpc,
  overJson,
  overWeb,
  pathFields,
  type Seen,
  shape,
  takesBody,
  toCall,
} from './faces.js';
import { GrpcClient } from './grpc-clients.js';

/** At once, so that the database has something to do while a client packs a message. */
const AT_ONCE = 8;
/** Thousands of calls take ten seconds of one processor; others may want it meanwhile. */
const LIMIT_MS = 180_000;
const GENERATED = 40;
const GENERATED_FOR = [
  'AddProject',
  'AddOrg',
  'AddHumanUser',
  'AddProjectRole',
  'AddOIDCApp',
  'AddJWTIDP',
  'UpdateLoginPolicy',
  'SetDefaultInitMessageText',
  'ListUsers',
] as const;

/** A service that is asked in one way alone, and what examples made in it. */
interface Asked {
  readonly world: World;
  readonly ask: Face;
  /** Each service writes its own ids into its examples. */
  readonly examples: readonly Route[];
  readonly ids: ExampleIds;
  readonly token: string;
}

let worlds: World[];
let clients: GrpcClient[];
let methods: Map<string, Method>;
let operations: Method[];
/** Three services, each by a wire of its own: what the same calls do must be the same. */
let apart: Asked[];
/** One service, by each wire: refusals leave nothing behind. */
let together: Face[];

beforeAll(async () => {
  worlds = await Promise.all([startWorld(), startWorld(), startWorld()]);
  clients = worlds.map(({ origin }) => new GrpcClient(origin));
  methods = methodsById(worlds[0]!);
  operations = [...methods.values()];
  const faces = [overJson(worlds[0]!.origin), overGrpc(clients[1]!), overConnect(worlds[2]!.origin, 'json')];
  apart = [];
  // One after another: they share a process, which makes each document in a few seconds.
  for (const [index, world] of worlds.entries()) {
    const document = (await send(world.origin, { path: '/docs-json' })).json<Document>();
    apart.push({
      world,
      ask: faces[index]!,
      examples: examplesInOrder(document).filter((route) => operations.some(({ facts }) => facts.id === idOf(route))),
      ids: new ExampleIds(document['x-example-ids']),
      token: world.firstStart.personalAccessToken!.reveal(),
    });
  }
  const [{ origin }] = worlds as [World];
  together = [
    overJson(origin),
    overGrpc(clients[0]!),
    overWeb(origin),
    overConnect(origin, 'json'),
    overConnect(origin, 'proto'),
  ];
});
afterAll(async () => {
  for (const client of clients) client.close();
  for (const world of worlds) await world.close();
});

describe('JSON, gRPC, gRPC-web and Connect', () => {
  it(
    'do the same, operation by operation, when a service is set up, changed, read and taken down',
    async () => {
      const different: string[] = [];
      const verdicts = new Map<string, string[]>();
      // Each service at its own pace: in step, every example would take as long as the slowest of three.
      const services = await Promise.all(apart.map(sendExamples));
      for (const [index, route] of apart[0]!.examples.entries()) {
        const seen = services.map((service) => service[index]!);
        verdicts.set(idOf(route), [...(verdicts.get(idOf(route)) ?? []), seen[0]!.verdict]);
        note(
          different,
          idOf(route),
          seen.map(({ verdict, answer }) => ({ verdict, answer: shape(withoutChance(answer)) ?? null })),
        );
      }
      expect(different).toEqual([]);
      expect([...verdicts.keys()].sort()).toEqual(operations.map(({ facts }) => facts.id).sort());
      const refused = operations
        .filter(({ facts }) => !verdicts.get(facts.id)?.includes('0'))
        .map(({ facts }) => facts.id)
        .filter((id) => REFUSED[id] === undefined);
      expect(refused).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'judge and store generated input alike [ADM-032]',
    async () => {
      const different: string[] = [];
      // Of one operation in the order of the rounds, for some take what others have left; the operations do not meet.
      await Promise.all(
        GENERATED_FOR.map(async (id) => {
          const method = methods.get(id) ?? fail(id);
          const dice = diceOf(id);
          for (let round = 0; round < GENERATED; round += 1) {
            const message = generate(method, dice, round);
            const seen = await Promise.all(
              apart.map(({ ask, token }) => ask(toCall(method, message, { authorization: `Bearer ${token}` }))),
            );
            note(
              different,
              `${id} ${JSON.stringify(message).slice(0, 300)}`,
              seen.map(({ verdict }) => verdict),
            );
          }
        }),
      );
      expect(different).toEqual([]);
      const stored = await Promise.all(
        worlds.map(async (world) => [
          await world.rows("SELECT encode(convert_to(name, 'UTF8'), 'hex') AS name FROM project ORDER BY 1"),
          await world.rows("SELECT encode(convert_to(name, 'UTF8'), 'hex') AS name FROM org ORDER BY 1"),
        ]),
      );
      expect(stored[0]!.flat().length).toBeGreaterThan(10);
      expect([stored[1], stored[2]]).toEqual([stored[0], stored[0]]);
    },
    LIMIT_MS,
  );

  it('refuse callers without a token alike, word for word', async () => {
    await expectAlike(operations.filter(isGuarded).map((method) => toCall(method, nothing(method), {})));
  });

  it('refuse callers without permission alike, word for word', async () => {
    const stranger = (await callerWith(worlds[0]!, await worlds[0]!.add.org(), [])).api.token;
    const guarded = operations.filter(
      (method) =>
        isGuarded(method) && method.access?.kind === 'permission' && method.access.permission !== 'authenticated',
    );
    await expectAlike(
      guarded.map((method) => toCall(method, nothing(method), { authorization: `Bearer ${stranger}` })),
    );
  });

  it('refuse broken fields and unknown ids alike, word for word', async () => {
    const [world] = worlds as [World, World, World];
    const owner = (await callerWith(world, await world.add.org(), ['IAM_OWNER', 'ORG_OWNER'])).api.token;
    const calls = operations.flatMap((method) => {
      const long = Object.fromEntries(
        looseFields(method)
          .filter(({ kind, many, oneof }) => kind === 'text' && !many && oneof === undefined)
          .map(({ name }) => [name, 'ä'.repeat(3_000)]),
      );
      return takesBody(method) && Object.keys(long).length > 0
        ? [toCall(method, { ...long, ...nothing(method) }, { authorization: `Bearer ${owner}` })]
        : [];
    });
    expect(calls.length).toBeGreaterThan(60);
    await expectAlike(calls);
  });
});

/** All of them, in their order: each may need what those before it have made. */
async function sendExamples(asked: Asked): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const route of asked.examples) seen.push(await sendExample(asked, route));
  return seen;
}

async function sendExample({ world, ask, ids, token }: Asked, route: Route): Promise<Seen> {
  const method = methods.get(idOf(route))!;
  const { path, headers, body } = exampleOf(route);
  const inPath = Object.fromEntries(
    (route.operation.parameters ?? [])
      .filter((one) => one.in !== 'header' && one.example !== undefined)
      .map(({ name, example }) => [name, example]),
  );
  const message = JSON.parse(
    ids.fill(JSON.stringify({ ...(body === undefined ? {} : (JSON.parse(body) as object)), ...inPath })),
  ) as JsonObject;
  const metadata = {
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, ids.fill(value)])),
    authorization: `Bearer ${token}`,
  };
  const seen = await ask({
    rpc: method.rpc,
    http: { method: route.method, path: ids.fill(path), body: body === undefined ? undefined : ids.fill(body) },
    message: inProtoNames(method, message),
    metadata,
  });
  // A later call withdraws what still waits: how many mails were sent must not depend on the pace of a service.
  if (route.method !== 'GET') await untilSent(world);
  if (seen.verdict === '0') ids.learn(route.method, route.path, seen.answer);
  return seen;
}

/** The same call to each face of one service. */
async function expectAlike(calls: readonly Call[]): Promise<void> {
  const different: string[] = [];
  for (let at = 0; at < calls.length; at += AT_ONCE) {
    await Promise.all(
      calls.slice(at, at + AT_ONCE).map(async (call) => {
        const seen: Seen[] = [];
        for (const ask of together) seen.push(await ask(call)); // in turn: of imports, few run at a time
        note(different, call.rpc.name, seen);
      }),
    );
  }
  expect(different).toEqual([]);
}

/** A service prepares the next signing key by itself: whether a call is before it depends on the machine. */
function withoutChance(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('created' in answer)) return answer;
  const { created: _created, ...rest } = answer;
  return rest;
}

function note(different: string[], name: string, seen: readonly unknown[]): void {
  const [json, ...others] = seen.map((one) => JSON.stringify(one));
  for (const [index, other] of others.entries())
    if (other !== json) different.push(`${name}: JSON ${json}, wire ${index + 2} ${other}`);
}

function isGuarded({ access }: Method): boolean {
  return access?.kind === 'permission';
}

/** Ids that nothing has. */
function nothing(method: Method): JsonObject {
  const fields = method.facts.request ? fieldsOf(method.facts.request) : [];
  return Object.fromEntries(
    pathFields(method).map((name) => [
      name,
      fields.find((field) => field.name === name)?.choice?.members.at(-1)?.name ?? (name === 'language' ? 'en' : '1'),
    ]),
  );
}

type Dice = (sides: number) => number;

/** The same throws each time (a generator of Park and Miller). */
function diceOf(seed: string): Dice {
  let state = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2_147_483_647, 7);
  return (sides) => (state = (state * 48_271) % 2_147_483_647) % sides;
}

const TEXTS = [
  '',
  ' ',
  'a',
  'plain',
  'x'.repeat(200),
  'x'.repeat(201),
  'ä'.repeat(200),
  '👩‍👩‍👧'.repeat(30),
  'e\u0301 and \u00e9',
  '\u0000',
  'a\u0000b',
  '\u202Eright',
  'line\nbreak',
  '<b>{{.FirstName}}</b>',
  "'; DROP TABLE org; --",
  'https://app.test/callback',
  'someone@example.test',
  'en',
  'de',
  '-1',
  '1',
  '{}',
  '%00',
  'ＦＵＬＬ',
  '\uFEFFmark',
];

function generate(method: Method, dice: Dice, round: number): JsonObject {
  const inPath = nothing(method);
  const loose = looseFields(method).flatMap((field) =>
    dice(4) === 0 ? [] : [[field.name, valueOf(field, dice, 0)] as const],
  );
  const message = { ...Object.fromEntries(onePerAlternative(method, loose)), ...inPath };
  return 'name' in message && dice(2) === 0
    ? { ...message, name: `Generated ${round} ${TEXTS[dice(TEXTS.length)]!}`.slice(0, 190).toWellFormed() }
    : message;
}

/** JSON refuses two of one alternative; in protobuf the last wins before anybody sees the other. */
function onePerAlternative(
  method: Method,
  entries: ReadonlyArray<readonly [string, JsonValue]>,
): ReadonlyArray<readonly [string, JsonValue]> {
  const taken = new Set<string>();
  const oneofs = new Map(looseFields(method).map(({ name, oneof }) => [name, oneof]));
  return entries.filter(([name]) => {
    const oneof = oneofs.get(name);
    if (oneof === undefined) return true;
    if (taken.has(oneof)) return false;
    taken.add(oneof);
    return true;
  });
}

function valueOf(field: DeclaredField, dice: Dice, depth: number): JsonValue {
  if (field.many) return Array.from({ length: dice(3) }, () => valueOf({ ...field, many: false }, dice, depth));
  switch (field.kind) {
    case 'text':
      return TEXTS[dice(TEXTS.length)]!;
    case 'flag':
      return dice(2) === 0;
    case 'count':
      return [0, 1, 7, 1_000, 4_294_967_295][dice(5)]!;
    case 'long':
      return ['0', '1', '1000', '18446744073709551615'][dice(4)]!;
    case 'choice':
      return field.choice.members[dice(field.choice.members.length)]!.name;
    case 'bytes':
      return ['', 'AAEC', '////'][dice(3)]!;
    case 'moment':
      return ['2026-11-21T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'][dice(3)]!;
    case 'span':
      return ['0s', '3600s', '0.500s', '315576000000s'][dice(4)]!;
    case 'struct':
      return { a: [1, null, 'x'] };
    case 'part':
      return depth > 2 ? {} : partOf(fieldsOf(field.part()), dice, depth + 1);
  }
}

function partOf(fields: readonly DeclaredField[], dice: Dice, depth: number): JsonObject {
  const taken = new Set<string>();
  return Object.fromEntries(
    fields.flatMap((field) => {
      if (dice(4) === 0 || (field.oneof !== undefined && taken.has(field.oneof))) return [];
      if (field.oneof !== undefined) taken.add(field.oneof);
      return [[field.name, valueOf(field, dice, depth)] as const];
    }),
  );
}

function fail(id: string): never {
  throw new Error(`There is no operation ${id}.`);
}
