import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json, verdictOf } from '../support/admin-api.js';
import { type Reply, sendUnchecked } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { fullDocument, HASH } from './document.js';

const world = await startWorld();
let api: AdminApi;
let viewer: AdminApi;
let before: string;

/** But the signing keys: they go on by themselves. */
const contents = async (): Promise<string> => (await world.contents()).replace(/^signing_key .*$/m, '');

beforeAll(async () => {
  const home = await world.add.org();
  api = (await callerWith(world, home, ['IAM_OWNER'])).api;
  viewer = (await callerWith(world, home, ['IAM_OWNER_VIEWER'])).api;
});
beforeEach(async () => {
  before = await contents();
});
afterAll(() => world.close());

type Changed = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- documents are broken in every way here

const send = (data: unknown, more: Json = {}): Promise<Reply> =>
  api.ask('POST', '/admin/v1/import', { data_orgs: data, ...more });

/** For what the service or its database fails at. */
const sendFailing = (path: string, body: Json): Promise<Reply> =>
  sendUnchecked(world.origin, {
    method: 'POST',
    path,
    headers: { ...bearer(api.token), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

interface Refused {
  readonly message: string;
  readonly details: ReadonlyArray<{
    readonly fieldViolations?: ReadonlyArray<{ readonly field: string; readonly description: string }>;
  }>;
}

const fieldsOf = (reply: Reply): string[] =>
  (reply.json<Refused>().details[0]?.fieldViolations ?? []).map(({ field }) => field);

async function expectRefused(data: unknown, status: number, fields: readonly string[]): Promise<void> {
  const reply = await send(data);
  expect([reply.status, fieldsOf(reply)]).toEqual([status, fields]);
  expect(await contents()).toBe(before);
}

describe('Objects that already exist', () => {
  it('is a conflict (import.conflict) when it differs, and nothing is written [EXP-029]', async () => {
    const document = fullDocument();
    expect((await send(document)).status).toBe(200);
    before = await contents();
    const changed = structuredClone(document) as unknown as { orgs: Changed[] };
    changed.orgs[0]!['humanUsers'][0].user.profile.lastName = 'Brand';
    changed.orgs[0]!['projects'].push({
      projectId: `new-${document.orgs[0].orgId as string}`,
      project: { name: 'New' },
    });
    await expectRefused(changed, 409, ['orgs[0].humanUsers[0]']);
  });

  it('is left unchanged with on_conflict skip, and named', async () => {
    const document = fullDocument();
    expect((await send(document)).status).toBe(200);
    const changed = structuredClone(document) as unknown as { orgs: Changed[] };
    const id = changed.orgs[0]!['humanUsers'][0].userId as string;
    changed.orgs[0]!['humanUsers'][0].user.profile.lastName = 'Brand';
    changed.orgs[0]!['projects'].push({ projectId: `new-${id}`, project: { name: 'New' } });
    const answer = (await send(changed, { on_conflict: 'skip' })).json<{
      errors: unknown;
      success: { orgs: Array<{ projectIds: string[]; humanUserIds: string[] }> };
    }>();
    expect(answer.errors).toEqual([{ type: 'human_user', id, message: 'conflicts with an existing user' }]);
    expect(answer.success.orgs[0]?.projectIds).toContain(`new-${id}`);
    expect(answer.success.orgs[0]?.humanUserIds).not.toContain(id);
    expect(await world.rows('SELECT last_name FROM user_account WHERE id = $1', [id])).toEqual([
      { last_name: 'Brandt' },
    ]);
  });

  it('is never taken over from another organization', async () => {
    const document = fullDocument();
    expect((await send(document)).status).toBe(200);
    before = await contents();
    const thief = { orgs: [{ orgId: 'thief', org: { name: 'Thief' }, humanUsers: [document.orgs[0].humanUsers[0]] }] };
    await expectRefused(thief, 409, ['orgs[0].humanUsers[0]']);
    const domain = (document.orgs[0]['domains'] as Array<{ domainName: string }>)[0]!.domainName;
    await expectRefused(
      { orgs: [{ orgId: 'thief', org: { name: 'Thief' }, domains: [{ domainName: domain, isVerified: true }] }] },
      409,
      ['orgs[0].domains[0]'],
    );
  });

  it('can be extended: users are imported into an existing organization with their accounts at providers', async () => {
    const org = await world.add.org();
    const person = {
      userId: `into-${org.id}`,
      user: {
        userName: `into-${org.id}`,
        profile: { firstName: 'A', lastName: 'B' },
        email: { email: 'a@b.example', isEmailVerified: true },
        hashedPassword: { value: HASH },
        idps: [{ configId: `sso-${org.id}`, externalUserId: 'b-7', displayName: 'B' }],
      },
    };
    const provider = {
      idpId: `sso-${org.id}`,
      idp: { name: 'Sso', clientId: 'c', clientSecret: 's', issuer: 'https://sso.birkenhof.example' },
    };
    expect((await send({ orgs: [{ orgId: org.id, oidcIdps: [provider], humanUsers: [person] }] })).status).toBe(200);
    expect(await world.rows('SELECT org_id, state FROM user_account WHERE id = $1', [person.userId])).toEqual([
      { org_id: org.id, state: 'active' },
    ]);
    expect(await world.rows('SELECT external_user_id FROM idp_link WHERE user_id = $1', [person.userId])).toEqual([
      { external_user_id: 'b-7' },
    ]);
  });

  it('is reported and not written by a dry run', async () => {
    const document = fullDocument();
    const answer = (await send(document, { dry_run: true })).json<{ success: { orgs: Array<{ orgId: string }> } }>();
    expect(answer.success.orgs.map(({ orgId }) => orgId)).toEqual(document.orgs.map(({ orgId }) => orgId));
    expect(await contents()).toBe(before);
  });
});

describe('Concurrent imports, and faults in the middle', () => {
  it('imports a document once that is sent twice at the same time [EXP-028]', async () => {
    const document = fullDocument();
    const replies = await Promise.all([send(document), send(document)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await world.rows('SELECT id FROM org WHERE id = $1', [document.orgs[0].orgId])).toHaveLength(1);
  });

  it('writes nothing when the timeout expires [EXP-006, EXP-024]', async () => {
    expect(verdictOf(await sendFailing('/admin/v1/import', { data_orgs: fullDocument(), timeout: '1ms' }))).toBe(
      '504 migration.timeout',
    );
    expect(verdictOf(await sendFailing('/admin/v1/export', { timeout: '1ms' }))).toBe('504 migration.timeout');
    expect(await contents()).toBe(before);
  });

  it('writes nothing when the connection to the database is lost, and succeeds when it is run again [EXP-026]', async () => {
    const document = fullDocument();
    // So many that two statements write them.
    const people = Array.from({ length: 11_000 }, (_, index) => ({
      userId: `lost-${index}`,
      user: {
        userName: `lost-${index}`,
        profile: { firstName: 'A', lastName: 'B' },
        email: { email: `l${index}@b.example` },
      },
    }));
    const data = {
      orgs: [document.orgs[0], { ...document.orgs[1], humanUsers: [...document.orgs[1].humanUsers, ...people] }],
    };
    const running = sendFailing('/admin/v1/import', { data_orgs: data });
    let ended = 0;
    while (ended === 0) {
      ended = (
        await world.rows(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%staged_user_account%' AND pid <> pg_backend_pid()`,
        )
      ).length;
    }
    expect((await running).status).toBe(503);
    expect(await contents()).toBe(before);
    expect((await send(data)).status).toBe(200);
  });
});

describe('An import that collides with other changes', () => {
  it('is retried, and then refused with import.disturbed: nothing is written', async () => {
    const document = fullDocument();
    await world.rows(
      `CREATE FUNCTION disturb() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE unique_violation; END $$`,
    );
    await world.rows(`CREATE TRIGGER disturb BEFORE INSERT ON user_grant FOR EACH ROW EXECUTE FUNCTION disturb()`);
    expect(await api.verdict('POST', '/admin/v1/import', { data_orgs: document })).toBe('409 import.disturbed');
    expect(await contents()).toBe(before);
    await world.rows('DROP TRIGGER disturb ON user_grant');
    expect(await api.verdict('POST', '/admin/v1/import', { data_orgs: document })).toBe('200');
  });

  it('leaves its connections as they were', async () => {
    for (let time = 0; time < 3; time += 1) await api.ask('POST', '/admin/v1/import', '{"data_orgs":{"orgs":[{}]}}');
    expect(await world.rows(`SELECT relname FROM pg_class WHERE relname LIKE 'staged%'`)).toEqual([]);
    expect(
      await world.rows(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      ),
    ).toEqual([]);
  });
});

describe('Permissions', () => {
  it.each(['export', 'import'])('%s: only IAM_OWNER', async (way) => {
    expect(await viewer.verdict('POST', `/admin/v1/${way}`, { data_orgs: { orgs: [] } })).toBe(
      '403 permission.missing',
    );
  });

  it('export: unknown organizations are not found, exclusion takes precedence, and all may be excluded [EXP-001]', async () => {
    const org = await world.add.org();
    expect(await api.verdict('POST', '/admin/v1/export', { orgIds: [org.id, 'nobody'] })).toBe(
      '404 export.org_not_found',
    );
    expect(await api.call('POST', '/admin/v1/export', { orgIds: [org.id], excludedOrgIds: [org.id] })).toMatchObject({
      orgs: [],
    });
    const all = await api.call('POST', '/admin/v1/export', { excludedOrgIds: [org.id] });
    expect(all['orgs'].map(({ orgId }: { orgId: string }) => orgId)).not.toContain(org.id);
  });
});
