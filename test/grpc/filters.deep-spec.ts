import { create, type JsonObject, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldsOf, isFilter } from '../../src/admin/kit/wire/declared-field.js';
import type { DeclaredField } from '../../src/admin/kit/wire/field.js';
import { callerWith } from '../support/admin-api.js';
import { startWorld, type World } from '../support/world.js';
import { type Face, type Method, methodsById, overConnect, overGrpc, overJson, overWeb, type Seen } from './faces.js';
import { GrpcClient, verdict } from './grpc-clients.js';

let world: World;
let client: GrpcClient;
let faces: Face[];
let token: string;
let lists: Method[];

beforeAll(async () => {
  world = await startWorld();
  client = new GrpcClient(world.origin);
  faces = [overJson(world.origin), overGrpc(client), overWeb(world.origin), overConnect(world.origin, 'json')];
  token = (await callerWith(world, await world.add.org(), ['IAM_OWNER', 'ORG_OWNER'])).api.token;
  lists = [...methodsById(world).values()].filter(
    ({ path, httpMethod }) => path.endsWith('_search') && httpMethod === 'POST',
  );
});
afterAll(async () => {
  client.close();
  await world.close();
});

/** What the lists are called: in the first generation, and in the second. */
const FILTERS: readonly string[] = ['queries', 'filters'];

describe('Every operation that searches', () => {
  it('takes its filters as a list of messages that refuse what they do not know, or as such a message itself', () => {
    const lenient = lists.filter(({ facts: { request } }) => {
      if (!request || isFilter(request)) return false;
      const own = fieldsOf(request).filter(({ name }) => !/^(query|pagination|sortingColumn|id|[a-z]+Id)$/.test(name));
      return !own.every((field) => FILTERS.includes(field.name) && isFilter(field.part!()));
    });
    expect(lenient.map(({ facts }) => facts.id)).toEqual([]);
    expect(filtered().length).toBeGreaterThan(15);
  });

  it('refuses an entry that holds no filter, on every face alike, and names the filters that there are', async () => {
    for (const method of filtered()) {
      const [json, ...others] = await ask(method, { [queriesOf(method)!.name]: [{}] });
      expect([method.facts.id, json]).toEqual([
        method.facts.id,
        expect.objectContaining({ verdict: expect.stringContaining(`${queriesOf(method)!.name}[0]`) }),
      ]);
      for (const { name } of fieldsOf(queriesOf(method)!.part!())) expect(json!.message).toContain(name);
      expect([method.facts.id, ...others]).toEqual([method.facts.id, ...others.map(() => json)]);
    }
  });

  it('refuses a filter that it does not know, and an unknown member of one that it knows', async () => {
    for (const method of filtered()) {
      const [filter] = fieldsOf(queriesOf(method)!.part!());
      for (const entry of [
        { nonsense: { a: '1' } },
        { [filter!.name]: {}, nonsense: {} },
        { [filter!.name]: { nonsense: '1' } },
      ]) {
        const { verdict: seen, message } = await askJson(method, { [queriesOf(method)!.name]: [entry] });
        expect([method.facts.id, seen, message]).toEqual([
          method.facts.id,
          expect.stringContaining(`${queriesOf(method)!.name}[0]`),
          expect.stringContaining('"nonsense" is unknown'),
        ]);
      }
    }
  });

  it('refuses a field of a filter that it has no number for, over gRPC', async () => {
    for (const method of filtered()) {
      const { rpc } = method;
      const entry = rpc.input.fields.find(({ name }) => name === queriesOf(method)!.name)!.message!;
      const unknown = { ...create(entry), $unknown: [{ no: 999, wireType: 2, data: Uint8Array.of(0) }] };
      const bytes = Buffer.from(toBinary(rpc.input, create(rpc.input, { [queriesOf(method)!.name]: [unknown] })));
      const outcome = await client.callBytes(`/${rpc.parent.typeName}/${rpc.name}`, bytes, {
        authorization: `Bearer ${token}`,
      });
      expect([rpc.name, verdict(outcome), outcome.message]).toEqual([
        rpc.name,
        expect.stringContaining(`${queriesOf(method)!.name}[0]`),
        expect.stringContaining('"#999" is unknown'),
      ]);
    }
  });

  it('refuses a sorting column and a way to compare that it does not know, by name and by number', async () => {
    for (const method of lists) {
      for (const field of [fieldOf(method, 'sortingColumn'), ...textFiltersOf(method)]) {
        if (!field) continue;
        for (const value of ['NONSENSE', 99]) {
          const body: JsonObject =
            field.name === 'sortingColumn'
              ? { sortingColumn: value }
              : { [queriesOf(method)!.name]: [{ [field.name]: { method: value } }] };
          expect([method.facts.id, field.name, (await askJson(method, body)).verdict]).toEqual([
            method.facts.id,
            field.name,
            expect.stringMatching(/sortingColumn|\.method/),
          ]);
        }
      }
    }
  });
});

function filtered(): Method[] {
  return lists.filter((method) => queriesOf(method) !== undefined);
}

function fieldOf({ facts: { request } }: Method, name: string): DeclaredField | undefined {
  return request && fieldsOf(request).find((field) => field.name === name);
}

function queriesOf(method: Method): DeclaredField | undefined {
  return fieldOf(method, 'queries') ?? fieldOf(method, 'filters');
}

/** The filters that compare a text. */
function textFiltersOf(method: Method): DeclaredField[] {
  const entry = queriesOf(method)?.part?.();
  return (entry ? fieldsOf(entry) : []).filter(
    ({ part }) => part && fieldsOf(part()).some(({ name }) => name === 'method'),
  );
}

async function ask(method: Method, body: JsonObject): Promise<Seen[]> {
  return Promise.all(faces.map((face) => face(callOf(method, body))));
}

async function askJson(method: Method, body: JsonObject): Promise<Seen> {
  return faces[0]!(callOf(method, body));
}

function callOf(method: Method, body: JsonObject): Parameters<Face>[0] {
  const inPath = Object.fromEntries([...method.path.matchAll(/:(\w+)/g)].map(([, name]) => [name!, '1']));
  const path = method.path.replace(/:(\w+)/g, '1');
  return {
    rpc: method.rpc,
    http: { method: method.httpMethod, path, body: JSON.stringify(body) },
    message: { ...inPath, ...body },
    metadata: { authorization: `Bearer ${token}` },
  };
}
