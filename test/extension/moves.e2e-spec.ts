import { fromBinary, fromJson, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { methodsById } from '../grpc/faces.js';
import { GrpcClient } from '../grpc/grpc-clients.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { startWorld, type World } from '../support/world.js';
import { DeskSecrets, desksWith, MOVES } from './moving-desks.js';

/* oxlint-disable typescript/no-explicit-any -- documents are broken in every way here */

type Row = Record<string, any>;
interface Document {
  readonly orgs: Array<Row & { readonly extensions: { readonly desks: Record<string, Row[]> } }>;
  readonly leftOut: readonly string[];
}

const BADGE = '7f1c2f6e-0d6b-4a7e-9a55-1d1f4d3c2b1a';
const OTHER = '7f1c2f6e-0d6b-4a7e-9a55-1d1f4d3c2b1b';
const PIN = new Secret('the pin of the badge');
const CODE = new Secret('the code of the chip');

let source: World;
let target: World;
let from: AdminApi;
let to: AdminApi;
let document: Document;
let ids: { here: string; there: string; anna: string; berta: string; carla: string };

const exported = async (api: AdminApi, more: object = { withPasswords: true }): Promise<Document> =>
  api.call('POST', '/admin/v1/export', { orgIds: [ids.here, ids.there], ...more });
const importing = async (orgs: unknown, more: object = {}): Promise<string> =>
  to.verdict('POST', '/admin/v1/import', { ...more, dataOrgs: { orgs } });
const sealed = (world: World, table: string, column: string, row: string, secret: Secret): string =>
  world.get(DeskSecrets).vault.seal(secret, { table: `ext_desks.${table}`, column, row });
/** The organizations of the document under other ids, with other names, so that nothing of them is at the target. */
let copies = 0;
function copy(change: (here: Row, there: Row) => void = () => undefined): Row[] {
  copies += 1;
  const known = Object.values(ids);
  const uuid = copies.toString(16).padStart(8, '0');
  const orgs = structuredClone(document.orgs);
  const renamed = JSON.stringify(orgs, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (known.includes(value)) return `${value}-${copies}`;
    if (value.startsWith(BADGE.slice(0, 8))) return value.replace(BADGE.slice(0, 8), uuid);
    return NAMES.has(key) ? `${copies}-${value}` : value;
  });
  const [here, there] = JSON.parse(renamed) as [Row, Row];
  change(here, there);
  return [here, there];
}
/** What is unique. */
const NAMES = new Set(['userName', 'name', 'domainName', 'number', 'id', 'chip_id']);
const desksOf = (org: Row): Record<string, Row[]> => org['extensions'].desks;

beforeAll(async () => {
  source = await startWorld({ extensions: [desksWith()] });
  target = await startWorld({ extensions: [desksWith()] });
  const [first, second] = [await source.add.org('here.test'), await source.add.org('there.test')];
  from = (await callerWith(source, await source.add.org(), ['IAM_OWNER'])).api;
  to = (await callerWith(target, await target.add.org(), ['IAM_OWNER'])).api;
  const [anna, berta, carla] = [
    (await source.add.person({ orgId: first.id })).id,
    (await source.add.person({ orgId: first.id })).id,
    (await source.add.person({ orgId: second.id })).id,
  ];
  ids = { here: first.id, there: second.id, anna, berta, carla };
  const alien = (await source.add.person({ orgId: (await source.add.org()).id })).id;
  await source.rows('INSERT INTO ext_desks.office VALUES ($1, $2)', [first.id, 'by name']);
  await source.rows(
    `INSERT INTO ext_desks.badge (id, user_id, number, level, serial, issued_at, photo, doors, said, note, pin, seen)
     VALUES ($1, $2, 'N-1', 3, 9007199254740993, '2026-01-02T03:04:05.123456Z', '\\x0001ff', '{a,"b c"}',
       '{"a": [1, null, "x"]}', 'äöü', $3, 7)`,
    [BADGE, anna, sealed(source, 'badge', 'pin', BADGE, PIN)],
  );
  await source.rows(`INSERT INTO ext_desks.badge (id, user_id, number, issued_at) VALUES ($1, $2, '', 'infinity')`, [
    OTHER,
    berta,
  ]);
  await source.rows('INSERT INTO ext_desks.chip VALUES ($1, $2, $3)', [
    'c1',
    BADGE,
    sealed(source, 'chip', 'code', 'c1', CODE),
  ]);
  await source.rows(`INSERT INTO ext_desks.wire VALUES ('c1')`);
  for (const [one, other] of [
    [anna, berta],
    [anna, carla],
    [anna, alien],
    [alien, anna],
  ])
    await source.rows('INSERT INTO ext_desks.friend VALUES ($1, $2)', [one, other]);
  await source.rows(`INSERT INTO ext_desks.visitor VALUES ('v1')`);
  document = await exported(from);
});
afterAll(async () => {
  await source.close();
  await target.close();
});

it('A start is refused, with a remedy, if what an extension says in moves does not fit its tables', async () => {
  const [office] = MOVES;
  await expect(startWorld({ extensions: [desksWith([{ ...office!, table: 'room' }])] })).rejects.toThrow(
    'ext_desks has no table room, which moves names. Create it in a schema change, or take it out of moves.',
  );
});

describe('An export of an organization with rows of an extension', () => {
  it('has those that belong to it, in every type, and none that lead to an organization which is not exported', () => {
    const [first] = document.orgs;
    expect(first!.extensions).toEqual({
      desks: {
        office: [{ org_id: ids.here, order: 'by name' }],
        badge: expect.arrayContaining([
          {
            id: BADGE,
            user_id: ids.anna,
            number: 'N-1',
            level: 3,
            serial: '9007199254740993',
            is_lost: false,
            issued_at: '2026-01-02T03:04:05.123456Z',
            photo: 'AAH/',
            doors: ['a', 'b c'],
            said: { a: [1, null, 'x'] },
            note: 'äöü',
            pin: PIN.reveal(),
          },
          { id: OTHER, user_id: ids.berta, number: '', level: 1, is_lost: false, issued_at: 'infinity' },
        ]),
        chip: [{ id: 'c1', badge_id: BADGE, code: CODE.reveal() }],
        wire: [{ chip_id: 'c1' }],
        friend: [ids.berta, ids.carla].sort().map((other_id) => ({ user_id: ids.anna, other_id })),
      },
    });
    expect(document.orgs[1]).not.toHaveProperty('extensions');
  });

  it('has secrets only with passwords, and says what it leaves out [EXP-003]', async () => {
    expect(document.leftOut).toContain('ext_desks.visitor');
    expect(document.leftOut).not.toContain('extension_secret');
    const without = await exported(from, {});
    expect(without.leftOut).toEqual(expect.arrayContaining(['extension_secret', 'ext_desks.visitor']));
    expect(JSON.stringify(without)).not.toMatch(/the pin of|the code of|v1\./);
  });
});

describe('An import of rows of an extension', () => {
  it('gives an equal export, seals secrets anew, and changes nothing when it comes again [EXP-031]', async () => {
    for (let time = 0; time < 2; time += 1) {
      expect(await importing(document.orgs)).toBe('200');
      expect(await exported(to)).toEqual(document);
    }
    const [badge] = await target.rows<{ pin: string; seen: number }>(
      'SELECT pin, seen FROM ext_desks.badge WHERE id = $1',
      [BADGE],
    );
    expect(badge!.seen).toBe(0);
    const { vault } = target.get(DeskSecrets);
    expect(vault.open(badge!.pin, { table: 'ext_desks.badge', column: 'pin', row: BADGE })).toEqual(PIN);
    const before = await target.contents();
    expect(await importing((await exported(from, {})).orgs)).toBe('200');
    expect(await target.contents()).toBe(before);
  });

  it('leaves a row out that cannot be without its secret, and those that refer to it, and says so [EXP-032]', async () => {
    const orgs = copy((here) => {
      for (const row of [...desksOf(here)['badge']!, ...desksOf(here)['chip']!]) {
        delete row['pin'];
        delete row['code'];
      }
    });
    const { errors } = await to.call('POST', '/admin/v1/import', { dataOrgs: { orgs } });
    expect(errors.map(({ type, message }: Row) => [type, message])).toEqual([
      ['ext_desks.chip', expect.stringContaining('lacks code')],
      ['ext_desks.wire', expect.stringContaining('is left out')],
    ]);
  });

  it('takes rows of an earlier version, which lack a column with a default', async () => {
    const orgs = copy((here) => {
      for (const row of desksOf(here)['badge']!) delete row['level'];
    });
    expect(await importing(orgs)).toBe('200');
    expect(
      await target.rows('SELECT DISTINCT level FROM ext_desks.badge WHERE user_id LIKE $1', [`%-${copies}`]),
    ).toEqual([{ level: 1 }]);
  });

  it.each<[string, (here: Row, there: Row) => void, string]>([
    ['of an extension that is not loaded', (here) => (here['extensions'].hr = { badge: [{}] }), 'extensions.hr'],
    ['of a table that does not move', (here) => (desksOf(here)['visitor'] = [{ id: 'v' }]), 'extensions.desks.visitor'],
    ['of the ledger', (here) => (desksOf(here)['schema_change'] = [{}]), 'extensions.desks.schema_change'],
    [
      'of a name with SQL in it [EXP-057]',
      (here) => (desksOf(here)['badge" CASCADE; --'] = [{}]),
      'extensions.desks."badge\\" CASCADE; --"',
    ],
    [
      'with a column of a name with SQL in it',
      (here) => (desksOf(here)['office']![0]!['order"; DROP TABLE org; --'] = 'x'),
      'extensions.desks.office[0]."order\\"; DROP TABLE org; --"',
    ],
    ['with a column that stays', (here) => (desksOf(here)['badge']![0]!['seen'] = 1), 'extensions.desks.badge[0].seen'],
    ['that are no list', (here) => ((here['extensions'].desks as Row)['badge'] = {}), 'extensions.desks.badge'],
    ['of extensions in a list', (here) => (here['extensions'] = [{}]), 'extensions'],
    ['of an extension that is no object', (here) => (here['extensions'].desks = 'x'), 'extensions.desks'],
    [
      'without a required column',
      (here) => delete desksOf(here)['chip']![0]!['badge_id'],
      'extensions.desks.chip[0].badge_id',
    ],
    [
      'with a number beyond its column',
      (here) => (desksOf(here)['badge']![0]!['level'] = 32_768),
      'extensions.desks.badge[0].level',
    ],
    [
      'with a text for a number',
      (here) => (desksOf(here)['badge']![0]!['serial'] = '1; DROP'),
      'extensions.desks.badge[0].serial',
    ],
    [
      'with a text beyond its column',
      (here) => (desksOf(here)['badge']![0]!['note'] = 'longer'),
      'extensions.desks.badge[0].note',
    ],
    [
      'with a text beyond an index',
      (here) => (desksOf(here)['badge']![0]!['number'] = 'x'.repeat(10_000)),
      'extensions.desks.badge[0].number',
    ],
    [
      'with a time that is none',
      (here) => (desksOf(here)['badge']![0]!['issued_at'] = 'yesterday'),
      'extensions.desks.badge[0].issued_at',
    ],
    [
      'with NUL in JSON',
      (here) => (desksOf(here)['badge']![0]!['said'] = { a: '\0' }),
      'extensions.desks.badge[0].said',
    ],
    ['that break a condition', (here) => (desksOf(here)['badge']![0]!['level'] = 0), 'extensions.desks.badge[0]'],
    ['twice', (here) => desksOf(here)['wire']!.push({ ...desksOf(here)['wire']![0] }), 'extensions.desks.wire[1]'],
    [
      'with a value that must be unique, twice',
      (here) => (desksOf(here)['badge']![0]!['number'] = desksOf(here)['badge']![1]!['number']),
      'extensions.desks.badge[1]',
    ],
    [
      'of a user of another organization of the document [EXP-017]',
      (here, there) => (desksOf(here)['badge']![0]!['user_id'] = there['humanUsers'][0].userId),
      'extensions.desks.badge[0]',
    ],
    [
      'of another organization',
      (here, there) => (desksOf(here)['office']![0]!['org_id'] = there['orgId']),
      'extensions.desks.office[0]',
    ],
    [
      'that refer to nobody',
      (here) => (desksOf(here)['friend']![0]!['other_id'] = 'nobody'),
      'extensions.desks.friend[0]',
    ],
    [
      'that refer to a user whom another organization has here [EXP-057]',
      (here) => (desksOf(here)['friend']![0]!['other_id'] = ids.carla),
      'extensions.desks.friend[0]',
    ],
    [
      'that refer to a row which another organization has here',
      (here) => (desksOf(here)['chip']![0]!['badge_id'] = BADGE),
      'extensions.desks.chip[0]',
    ],
  ])('refuses rows %s, with their path, and imports nothing', async (_, change, field) => {
    const orgs = copy(change);
    const before = await target.contents();
    expect(await importing(orgs)).toContain(`400 orgs[0].${field}`);
    expect(await target.contents()).toBe(before);
  });

  it('refuses a rule that only the database can judge, by its name', async () => {
    const orgs = copy((here) => {
      const [one, other] = desksOf(here)['badge']!;
      one!['number'] = `SAME-${copies}`;
      other!['number'] = `same-${copies}`;
    });
    const reply = await to.ask('POST', '/admin/v1/import', { dataOrgs: { orgs } });
    expect([reply.status, reply.text.includes('badge_number_lower_idx')]).toEqual([400, true]);
  });

  it('is a conflict where the row is there and differs, belongs to another, or has the value of another [EXP-029]', async () => {
    const [here] = structuredClone(document.orgs);
    desksOf(here!)['badge']![0]!['level'] = 9;
    expect(await importing([here])).toBe('409 orgs[0].extensions.desks.badge[0]');
    const taken = copy((org) => {
      desksOf(org)['badge']![0]!['number'] = 'N-1';
    });
    expect(await importing(taken)).toBe('409 orgs[0].extensions.desks.badge[0]');
    const stolen = copy((org) => {
      const { desks } = org['extensions'];
      org['extensions'] = { desks: { badge: [{ ...desks.badge[0], id: BADGE }] } };
    });
    expect(await importing(stolen)).toBe('409 orgs[0].extensions.desks.badge[0]');
  });

  it('adds no row to a user who was there before: it could hand over the account [EXP-057]', async () => {
    const [here] = structuredClone(document.orgs);
    const { badge } = desksOf(here!);
    badge!.push({ ...badge![0], id: '00000000-0000-4000-8000-000000000000', number: 'N-2' });
    expect(await importing([here])).toBe('409 orgs[0].extensions.desks.badge[2]');
    expect(await importing([here], { onConflict: 'skip' })).toBe('200');
    expect(await target.rows(`SELECT 1 FROM ext_desks.badge WHERE number = 'N-2'`)).toEqual([]);
  });

  it('goes over gRPC as over JSON', async () => {
    const third = await startWorld({ extensions: [desksWith()] });
    const { api } = await callerWith(third, await third.add.org(), ['IAM_OWNER']);
    const methods = methodsById(source);
    const ask = async ({ origin }: World, { token }: AdminApi, name: string, message: object): Promise<Row> => {
      const { rpc } = methods.get(name)!;
      const client = new GrpcClient(origin, { 'grpc.max_receive_message_length': -1 });
      const bytes = Buffer.from(toBinary(rpc.input, fromJson(rpc.input, message as JsonValue)));
      const outcome = await client.callBytes(`/${rpc.parent.typeName}/${rpc.name}`, bytes, {
        authorization: `Bearer ${token}`,
      });
      client.close();
      return toJson(rpc.output, fromBinary(rpc.output, outcome.bytes!)) as Row;
    };
    const { orgs } = (await ask(source, from, 'ExportData', {
      orgIds: [ids.here, ids.there],
      withPasswords: true,
    })) as unknown as Document;
    expect(orgs[0]!.extensions).toEqual(document.orgs[0]!.extensions);
    await ask(third, api, 'ImportData', { dataOrgs: { orgs } });
    expect((await exported(api)).orgs).toEqual(document.orgs);
    await third.close();
  });

  it('takes a whole organization without the rows where nothing is said of them', async () => {
    const orgs = copy((here) => delete here['extensions']);
    expect(await importing(orgs)).toBe('200');
  });
});
