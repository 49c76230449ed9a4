import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromBinary, fromJson, type JsonObject, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ORIGIN } from '../login/passkey-turns.js';
import { canonical, fullDocument } from '../migration/document.js';
import { madeElsewhere, passkeyOf, personWith } from '../migration/passkey-documents.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { startWorld, type World } from '../support/world.js';
import { type Method, methodsById } from './faces.js';
import { frame, GrpcClient, type Metadata, type Outcome, postWeb, verdict, webTrailers } from './grpc-clients.js';

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-moves-'));
const document = fullDocument();
const orgIds = document.orgs.map(({ orgId }) => orgId);
const ALL = { orgIds, withPasswords: true, withOtp: true, withKeys: true };

/** Who asks, and where. */
interface Place {
  readonly world: World;
  readonly api: AdminApi;
  readonly client: GrpcClient;
}

let source: Place;
let target: Place;
let third: Place;
let methods: Map<string, Method>;

async function open(publicUrl?: string): Promise<Place> {
  const at = publicUrl === undefined ? {} : { publicUrl };
  const world = await startWorld({ env: { OBJECT_STORE_DIR: directory }, ...at });
  const { api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']);
  return { world, api, client: new GrpcClient(world.origin, { 'grpc.max_receive_message_length': -1 }) };
}

beforeAll(async () => {
  [source, target, third] = await Promise.all([open(), open(), open()]);
  methods = methodsById(source.world);
  await source.api.call('POST', '/admin/v1/import', { data_orgs: document });
});
afterAll(async () => {
  for (const { client, world } of [source, target, third]) {
    client.close();
    await world.close();
  }
  rmSync(directory, { recursive: true, force: true });
});

const pathOf = ({ rpc }: Method): string => `/${rpc.parent.typeName}/${rpc.name}`;
const bytesOf = ({ rpc }: Method, message: Json): Buffer =>
  Buffer.from(toBinary(rpc.input, fromJson(rpc.input, message as JsonValue)));
const metadataOf = ({ api }: Place, more: Metadata): Metadata => ({ authorization: `Bearer ${api.token}`, ...more });

interface Answered extends Outcome {
  /** As JSON of the .proto. */
  readonly json: JsonObject;
}

const answered = (
  { rpc }: Method,
  { bytes, ...outcome }: Outcome & { readonly bytes?: Buffer | undefined },
): Answered => ({
  ...outcome,
  json: toJson(rpc.output, fromBinary(rpc.output, bytes ?? Buffer.alloc(0))) as JsonObject,
});

async function overGrpc(place: Place, id: string, message: Json, more: Metadata = {}): Promise<Answered> {
  const method = methods.get(id)!;
  return answered(
    method,
    await place.client.callBytes(pathOf(method), bytesOf(method, message), metadataOf(place, more)),
  );
}

async function overWeb(place: Place, id: string, message: Json, more: Metadata = {}): Promise<Answered> {
  const method = methods.get(id)!;
  return answered(
    method,
    webTrailers(
      await postWeb(place.world.origin, pathOf(method), frame(bytesOf(method, message)), metadataOf(place, more)),
    ),
  );
}

const exported = async ({ api }: Place, request: Json = ALL): Promise<string> =>
  (await api.ask('POST', '/admin/v1/export', request)).text;
const person = (userId: string, userName = `${userId}@crowd.example`): Json => ({
  userId,
  user: { userName, profile: { firstName: 'A', lastName: 'B' }, email: { email: `${userId}@crowd.example` } },
  state: 'USER_STATE_ACTIVE',
});

describe.each([
  ['gRPC', overGrpc],
  ['gRPC-web', overWeb],
] as const)('An organization moves to another instance over %s', (face, ask) => {
  it('is exported with every member that the document has in JSON', async () => {
    const { code, json } = await ask(source, 'ExportData', ALL);
    expect(code).toBe(0);
    expect(canonical({ orgs: json['orgs'] })).toEqual(canonical(withShortTimes(document)));
    expect(json['leftOut']).toEqual((JSON.parse(await exported(source)) as Json)['leftOut']);
  });

  it('is imported from what was exported, and its export as JSON is equal to the byte', async () => {
    const to = face === 'gRPC' ? target : third;
    const {
      json: { orgs, leftOut },
    } = await ask(source, 'ExportData', ALL);
    const { code, json } = await ask(to, 'ImportData', { dataOrgs: { orgs, leftOut }, timeout: '5m' });
    expect(code).toBe(0);
    expect(await exported(to)).toBe(await exported(source));
    const again = await to.api.call<JsonObject>('POST', '/admin/v1/import', { data_orgs: { orgs } });
    expect(Object.keys(again['success'] as object)).toEqual(['orgs']);
    // In the first answer everything is named, and in the second as well: what is there and equal is there.
    expect(canonical(json['success'])).toEqual(canonical(withoutEmpty(again['success'])));
  });
});

describe('Passkeys over gRPC', () => {
  it('come and go, with what is said of them and what is not', async () => {
    const place = await open(ORIGIN);
    try {
      const userHandle = Buffer.from('old').toString('base64');
      const said = { userHandle, transports: ['usb'], isBackupEligible: false, counter: 3 };
      const passkeys = [passkeyOf(madeElsewhere('old'), said), passkeyOf(madeElsewhere('old'), { userHandle })];
      const { entry } = personWith(passkeys);
      const orgs = [{ orgId: 'org-of-keys', org: { name: 'Keys' }, humanUsers: [entry] }];
      expect(await overGrpc(place, 'ImportData', { dataOrgs: { orgs } })).toMatchObject({ code: 0 });
      const wanted = { orgIds: ['org-of-keys'], withPasskeys: true };
      const { json } = await overGrpc(place, 'ExportData', wanted);
      const [org] = json['orgs'] as unknown as Array<{ humanUsers: Array<{ user: { passkeys: Json[] } }> }>;
      const [first, second] = org!.humanUsers[0]!.user.passkeys.sort((one) => (one['counter'] === 3 ? -1 : 1));
      expect(first).toMatchObject({ ...passkeys[0], creationDate: expect.any(String) });
      expect(second).not.toHaveProperty('isBackupEligible');
      const asJson = JSON.parse(await exported(place, wanted)) as Json;
      expect(canonical({ orgs: json['orgs'] })).toEqual(canonical(withShortTimes({ orgs: asJson['orgs'] })));
    } finally {
      place.client.close();
      await place.world.close();
    }
  });
});

describe('ImportData over gRPC', () => {
  it('takes the older form by its own numbers', async () => {
    const older = {
      orgId: 'older',
      org: { name: 'Older' },
      iamPolicy: { userLoginMustBeDomain: true },
      loginPolicy: { allowUsernamePassword: true },
      secondFactors: [{ type: 'SECOND_FACTOR_TYPE_OTP' }],
      actions: [{ actionId: 'older-action', action: { name: 'a', script: 'function a() {}', timeout: '10s' } }],
      triggerActions: [
        {
          flowType: 'FLOW_TYPE_EXTERNAL_AUTHENTICATION',
          triggerType: 'TRIGGER_TYPE_PRE_CREATION',
          actionIds: ['older-action'],
        },
      ],
    };
    expect(await overGrpc(target, 'ImportData', { dataOrgsv1: { orgs: [older] } })).toMatchObject({ code: 0 });
    expect(JSON.parse(await exported(target, { orgIds: ['older'] }))).toMatchObject({
      orgs: [
        {
          domainPolicy: { userLoginMustBeDomain: true },
          loginPolicy: { secondFactors: ['SECOND_FACTOR_TYPE_OTP'] },
          triggerActions: [{ flowType: '1', triggerType: '2', actionIds: ['older-action'] }],
        },
      ],
    });
  });

  it.each<[string, Json]>([
    [
      'a fault of the document',
      { dataOrgs: { orgs: [{ orgId: 'faulty', org: { name: 'F' }, humanUsers: [{ userId: 'f1', user: {} }] }] } },
    ],
    [
      'what conflicts with what is there',
      {
        dataOrgs: {
          orgs: [{ orgId: orgIds[0], humanUsers: [person('new-one', 'somebody'), person('new-two', 'somebody')] }],
        },
      },
    ],
    ['a document without organizations', { dataOrgs: { orgs: [] } }],
    [
      'a setting that is not known',
      { dataOrgs: { orgs: [{ orgId: 'x', org: { name: 'X' } }] }, onConflict: 'overwrite' },
    ],
    ['a file that there is no place for', { dataOrgsGcs: { bucket: 'b', path: '../p' } }],
    ['no document at all', {}],
  ])('refuses %s as JSON does, word for word', async (_, message) => {
    const inJson = await target.api.ask('POST', '/admin/v1/import', message);
    const {
      code,
      message: says,
      details: [first],
    } = inJson.json<{
      code: number;
      message: string;
      details: ReadonlyArray<{ id?: string; fieldViolations?: ReadonlyArray<{ field: string }> }>;
    }>();
    const seen = await overGrpc(target, 'ImportData', message);
    expect([seen.code, seen.message, verdict(seen)]).toEqual([
      code,
      says,
      `${code} ${first?.fieldViolations?.map(({ field }) => field).join(', ') ?? first?.id ?? ''}`.trim(),
    ]);
  });

  it('names a field that it does not know, as JSON names an unknown member', async () => {
    const method = methods.get('ImportData')!;
    const unknown = Buffer.from([0x82, 0x7d, 0x01, 0x41]); // number 2000, a text
    const org = Buffer.concat([
      Buffer.from(
        toBinary(
          method.rpc.input.fields[0]!.message!.fields[0]!.message!,
          fromJson(method.rpc.input.fields[0]!.message!.fields[0]!.message!, { orgId: 'u', org: { name: 'U' } }),
        ),
      ),
      unknown,
    ]);
    const orgs = Buffer.concat([Buffer.from([0x0a, org.length]), org]);
    const request = Buffer.concat([Buffer.from([0x0a, orgs.length]), orgs]);
    const outcome = await target.client.callBytes(pathOf(method), request, metadataOf(target, {}));
    expect([outcome.code, outcome.message]).toEqual([3, expect.stringContaining('#2000')]);
  });

  it('refuses a caller without the role', async () => {
    const { api } = await callerWith(target.world, await target.world.add.org(), ['IAM_OWNER_VIEWER']);
    for (const id of ['ImportData', 'ExportData']) {
      expect(verdict(await overGrpc({ ...target, api }, id, {}))).toBe('7 permission.missing');
      expect(verdict(await overGrpc(target, id, {}, { authorization: 'Bearer none' }))).toMatch(/^16 /);
    }
  });

  it('leaves out what conflicts when it is asked to, and lists that as JSON does', async () => {
    const crowd = (name: string): Json => ({
      orgId: 'skipped',
      org: { name: 'Skipped' },
      humanUsers: [person('skipped-1', name), person('skipped-2', `${name}-2`)],
    });
    await target.api.call('POST', '/admin/v1/import', { data_orgs: { orgs: [crowd('first')] } });
    const message = { dataOrgs: { orgs: [crowd('other')] }, onConflict: 'skip' };
    const inJson = await target.api.call<JsonObject>('POST', '/admin/v1/import', message);
    const { json } = await overGrpc(target, 'ImportData', message);
    expect(json['errors']).toHaveLength(2);
    expect(json).toEqual(withoutEmpty(inJson));
  });

  it('names 10,000 of what it left out, and how many more there are, rather than fail after it has written', async () => {
    const users = Array.from({ length: 10_005 }, (_, n) => ({ userId: `m${n}`, roles: ['ORG_OWNER'] }));
    const { code, json } = await overGrpc(target, 'ImportData', {
      dataOrgs: { orgs: [{ orgId: 'many', org: { name: 'Many' }, orgMembers: users }] },
      onConflict: 'skip',
    });
    expect(code).toBe(0);
    expect(json['errors']).toHaveLength(10_001);
    expect((json['errors'] as JsonObject[]).at(-1)).toEqual({
      message: expect.stringMatching(/^5 more were left out: .* JSON/),
    });
  });
});

describe('Beyond one message', () => {
  /** 99 values of 39 kB are 3.9 MB as bytes, and 5.2 MB as JSON. */
  const values = (count: number, owner: (n: number) => string): Json[] =>
    Array.from({ length: count }, (_, n) => ({
      id: owner(n),
      key: `k${n}`,
      value: Buffer.alloc(39_000, n).toString('base64'),
    }));

  beforeAll(async () => {
    const people = Array.from({ length: 40 }, (_, n) => person(`fat-${n}`));
    const fat = {
      orgId: 'fat',
      org: { name: 'Fat' },
      humanUsers: people,
      userMetadata: values(99, (n) => `fat-${n % 40}`),
    };
    const fatter = {
      orgId: 'fatter',
      org: { name: 'Fatter' },
      humanUsers: [person('fatter-0')],
      userMetadata: values(20, () => 'fatter-0'),
    };
    for (const org of [fat, fatter]) await target.api.call('POST', '/admin/v1/import', { data_orgs: { orgs: [org] } });
  });

  describe.each([
    ['gRPC', overGrpc],
    ['gRPC-web', overWeb],
  ] as const)('over %s', (face, ask) => {
    it('refuses a request of more than 1 MB, and names the route that streams JSON', async () => {
      const outcome = await ask(target, 'ImportData', {
        dataOrgs: { orgs: [{ orgId: 'long', org: { name: 'x'.repeat(1_048_577) } }] },
      });
      expect([outcome.code, outcome.id, outcome.message]).toEqual([
        8,
        'message.too_large',
        expect.stringContaining('POST /admin/v1/import'),
      ]);
    });

    it('refuses a document of more than 4 MB with the route of JSON, and answers one that just fits', async () => {
      const fits = await ask(target, 'ExportData', { orgIds: ['fat'] });
      expect(fits.code).toBe(0);
      expect((fits.json['orgs'] as JsonObject[])[0]!['userMetadata']).toHaveLength(99);
      const tooMuch = await ask(target, 'ExportData', { orgIds: ['fat', 'fatter'] });
      expect([tooMuch.code, tooMuch.id, tooMuch.message]).toEqual([
        8,
        'answer.too_large',
        expect.stringContaining('POST /admin/v1/export'),
      ]);
      expect(
        await target.world.rows(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
        ),
      ).toEqual([]);
    });

    it('writes and reads files of any size, and answers the job', async () => {
      const path = `${face}.json`;
      const { code, json } = await ask(target, 'ExportData', { orgIds: ['fat', 'fatter'], localOutput: { path } });
      expect(code).toBe(0);
      const written = await ended(target, (json['job'] as JsonObject)['id'] as string);
      expect(written).toMatchObject({
        state: 'MIGRATION_JOB_STATE_SUCCEEDED',
        file: path,
        leftOut: expect.arrayContaining(['app_key']),
      });
      const read = await ask(third, 'ImportData', { dataOrgsLocal: { path } });
      expect(await ended(third, (read.json['job'] as JsonObject)['id'] as string)).toMatchObject({
        state: 'MIGRATION_JOB_STATE_SUCCEEDED',
      });
      expect(await exported(third, { orgIds: ['fat', 'fatter'] })).toBe(
        await exported(target, { orgIds: ['fat', 'fatter'] }),
      );
    });

    it('continues an import without its caller, if they prefer not to wait (RFC 7240)', async () => {
      const org = { orgId: `later-${face}`, org: { name: `Later ${face}` } };
      const { code, json } = await ask(
        target,
        'ImportData',
        { dataOrgs: { orgs: [org] } },
        { prefer: 'respond-async' },
      );
      expect([code, json['success']]).toEqual([0, undefined]);
      expect(await ended(target, (json['job'] as JsonObject)['id'] as string)).toMatchObject({
        state: 'MIGRATION_JOB_STATE_SUCCEEDED',
        kind: 'MIGRATION_JOB_KIND_IMPORT',
      });
    });
  });
});

/** A job over gRPC, once it has ended. */
async function ended(place: Place, id: string): Promise<JsonObject> {
  for (;;) {
    const { json } = await overGrpc(place, 'GetMigrationJob', { id });
    const job = json['job'] as JsonObject;
    if (job['state'] !== 'MIGRATION_JOB_STATE_RUNNING') return job;
    await sleep(50);
  }
}

/** As protobuf writes times. */
function withShortTimes(value: object): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/(T\d\d:\d\d:\d\d)\.000Z/g, '$1Z'));
}

/** As protobuf writes JSON: empty lists and texts are left out. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== '' && !(Array.isArray(inner) && inner.length === 0))
      .map(([name, inner]) => [name, withoutEmpty(inner)]),
  );
}
