import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toSnakeCase } from '../../src/foundation/database/snake-case.js';
import { API_APP } from '../../src/migration/part/client.message.js';
import { DEFAULT_SETTINGS } from '../../src/project/client/client-settings.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { startWorld, type World } from '../support/world.js';
import { canonical, fullDocument } from './document.js';

const source = await startWorld();
const target = await startWorld();
const document = fullDocument();
const orgIds = document.orgs.map(({ orgId }) => orgId);
const ALL = { withPasswords: true, withOtp: true, withKeys: true, withPasskeys: true };
let from: AdminApi;
let to: AdminApi;

interface Exported {
  readonly orgs: Array<Record<string, unknown>>;
  readonly leftOut: string[];
}

const API_SETTINGS = API_APP.fields.app.form.kind === 'part' ? API_APP.fields.app.form.message.fields : {};
const settingNames = (of: object): Array<keyof typeof DEFAULT_SETTINGS> =>
  Object.keys(DEFAULT_SETTINGS).filter((name): name is keyof typeof DEFAULT_SETTINGS => name in of);
const callerOf = async (world: World): Promise<AdminApi> =>
  (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
const exportFrom = async (api: AdminApi, more: Record<string, unknown> = ALL): Promise<Exported> =>
  api.call('POST', '/admin/v1/export', { orgIds, ...more });

beforeAll(async () => {
  [from, to] = await Promise.all([callerOf(source), callerOf(target)]);
});
afterAll(() => Promise.all([source.close(), target.close()]));

describe('Export and import: an organization moves to another instance', () => {
  it('imports a document that uses every member, including forward references and grants between organizations, and names every object in the response [EXP-018, EXP-032]', async () => {
    const { success, errors } = await from.call('POST', '/admin/v1/import', { timeout: '5m', dataOrgs: document });
    expect(errors).toEqual([]);
    const lists = success.orgs.map((org: Record<string, unknown[]>) =>
      Object.fromEntries(
        Object.entries(org)
          .filter(([, list]) => Array.isArray(list) && list.length > 0)
          .map(([name, list]) => [name, list.length]),
      ),
    );
    expect(lists).toEqual([
      {
        projectIds: 2,
        projectRoles: 2,
        oidcAppIds: 2,
        apiAppIds: 2,
        humanUserIds: 2,
        machineUserIds: 1,
        actionIds: 1,
        triggerActions: 1,
        projectGrants: 1,
        userGrants: 1,
        orgMembers: 2,
        projectMembers: 1,
        oidcIpds: 1,
        jwtIdps: 1,
        userLinks: 1,
        userMetadata: 1,
        domains: 2,
        appKeys: 1,
        machineKeys: 1,
        groupIds: 1,
        groupMembers: 2,
        groupGrants: 1,
      },
      { humanUserIds: 1, userGrants: 1, projectGrantMembers: 1, domains: 1 },
    ]);
    expect(success.orgs[0].projectRoles[0]).toMatch(/_dispatcher$/);
  });

  it('exports what was imported: the two documents are equal', async () => {
    expect(canonical(await exportFrom(from))).toEqual(canonical(document));
  });

  it.each<[string, ReadonlyArray<keyof typeof DEFAULT_SETTINGS>, string[]]>([
    // Without its extension, an import notes each: test/extension/grant-application.deep-spec.ts moves them.
    ['oidc', settingNames(DEFAULT_SETTINGS), ['extensionGrants']],
    ['api', settingNames(API_SETTINGS), []],
  ])(
    'carries every setting of an application of the kind %s with another value than its default',
    async (kind, names, elsewhere) => {
      const clients = await source.rows<Record<string, unknown>>(
        `SELECT c.* FROM client c JOIN project p ON p.id = c.project_id WHERE p.org_id = ANY($1) AND c.kind = $2`,
        [orgIds, kind],
      );
      const isUsualEverywhere = (name: keyof typeof DEFAULT_SETTINGS): boolean =>
        clients.every((client) => isDeepStrictEqual(client[toSnakeCase(name)], DEFAULT_SETTINGS[name]));
      expect(names.filter(isUsualEverywhere)).toEqual(elsewhere);
    },
  );

  it('moves to another instance, and the second export equals the first', async () => {
    const first = await exportFrom(from);
    await to.call('POST', '/admin/v1/import', { data_orgsv1: JSON.stringify(first) });
    expect(await exportFrom(to)).toEqual(first);
  });

  it('changes nothing when the same document is imported again, twice in a row', async () => {
    const before = await target.contents();
    for (let time = 0; time < 2; time += 1) {
      const { errors } = await to.call('POST', '/admin/v1/import', { data_orgs: await exportFrom(from) });
      expect(errors).toEqual([]);
    }
    expect(await target.contents()).toBe(before);
  });

  it('treats a document without secrets as equal to one with them', async () => {
    const before = await target.contents();
    await to.call('POST', '/admin/v1/import', { data_orgs: await exportFrom(from, {}) });
    expect(await target.contents()).toBe(before);
  });

  it('omits keys unless they are requested, and lists at its end what it omitted', async () => {
    const plain = await exportFrom(from, {});
    expect(plain.orgs.flatMap((org) => Object.keys(org)).filter((member) => /Keys$/.test(member))).toEqual([]);
    expect(plain.leftOut).toEqual([
      'app_key',
      'machine_user_key',
      'password_hash',
      'secret_hash',
      'idp_client_secret',
      'otp_seed',
      'recovery_code',
      'passkey',
      'security_key',
      'instance_policy',
      'instance_idp',
      'instance_member',
      'personal_access_token',
      'webhook',
      'session',
    ]);
    const withKeys = await exportFrom(from, { with_keys: true });
    expect(withKeys.orgs[0]).toMatchObject({ appKeys: [{}], machineKeys: [{}] });
    expect(withKeys.leftOut).toEqual(plain.leftOut.filter((kind) => !['app_key', 'machine_user_key'].includes(kind)));
  });

  it.each<[string, Record<string, unknown>]>([
    ['everything', ALL],
    ['nothing but what is always exported', {}],
  ])('is equal byte for byte when it is imported and exported again, with %s', async (_, more) => {
    const again = await startWorld();
    const there = await callerOf(again);
    const first = await from.ask('POST', '/admin/v1/export', { orgIds, ...more });
    await there.call('POST', '/admin/v1/import', { data_orgs: JSON.parse(first.text) as object });
    expect((await there.ask('POST', '/admin/v1/export', { orgIds, ...more })).text).toBe(first.text);
    await again.close();
  });

  it('contains hashes, seeds and provider secrets only if they are requested [EXP-003]', async () => {
    const plain = JSON.stringify(await exportFrom(from, {}));
    for (const secret of ['$argon2id', 'NB2W45DFOIZA', 'planted-idp-secret', 'secretHash'])
      expect(plain).not.toContain(secret);
    const passwords = JSON.stringify(await exportFrom(from, { withPasswords: true }));
    expect(passwords).toContain('hashedPassword');
    expect(passwords).not.toContain('otpCode');
  });

  it('keeps ids, seals secrets anew, and records one event of the import, none of the objects', async () => {
    const [events] = await target.rows<{ count: string }>(`SELECT count(*) FROM event WHERE aggregate_id = ANY($1)`, [
      orgIds,
    ]);
    expect(Number(events?.count)).toBe(0);
    const imported = await target.rows<{ payload: { counts: Record<string, number> } }>(
      `SELECT payload FROM event WHERE type = 'iam.data.imported'`,
    );
    expect(imported).toHaveLength(1);
    expect(imported[0]?.payload.counts).toMatchObject({ org: 2, human_user: 3, machine_user: 1, user_grant: 2 });
    const [machine] = await target.rows<{ id: string; sequence: string }>(
      `SELECT id, sequence FROM user_account WHERE kind = 'service' AND org_id = ANY($1)`,
      [orgIds],
    );
    expect(machine).toEqual({
      id:
        document.orgs[0]['machineUsers'] && (document.orgs[0]['machineUsers'] as Array<{ userId: string }>)[0]!.userId,
      sequence: '0',
    });
  });

  it('sends no mails', async () => {
    expect(await target.rows('SELECT 1 FROM outbox')).toEqual([]);
  });
});
