import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { startWorld } from '../support/world.js';
import { fullDocument } from './document.js';
import { contentsOf } from './holding.js';

const world = await startWorld();
let api: AdminApi;
let home: TestOrg;

type Entry = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- documents and answers are read as they come
interface Answer {
  readonly success: { readonly orgs: readonly Entry[] };
  readonly errors: readonly unknown[];
}

beforeAll(async () => {
  home = await world.add.org();
  ({ api } = await callerWith(world, home, ['IAM_OWNER']));
});
afterAll(() => world.close());

const bring = (orgs: readonly unknown[], more: Json = {}): Promise<Answer> =>
  api.call('POST', '/admin/v1/import', { data_orgs: { orgs }, ...more });
const take = async (...orgIds: readonly string[]): Promise<readonly Entry[]> =>
  (
    await api.call<{ orgs: readonly Entry[] }>('POST', '/admin/v1/export', {
      orgIds,
      withPasswords: true,
      withOtp: true,
      withKeys: true,
    })
  ).orgs;
const documents = (): [Entry, Entry] => fullDocument().orgs;

describe('Known faults of another import do not occur', () => {
  it('1: service users keep their ids, and their keys, metadata and memberships are imported', async () => {
    const [first, second] = documents();
    const id = first['machineUsers'][0].userId as string;
    first['userMetadata'].push({ id, key: 'depot', value: 'QQ==' });
    first['orgMembers'].push({ userId: id, roles: ['ORG_OWNER_VIEWER'] });
    const { success } = await bring([first, second]);
    expect(success.orgs[0]?.['machineUserIds']).toEqual([id]);
    const [row] = await world.rows(
      `SELECT (SELECT count(*)::int FROM machine_key WHERE user_id = u.id) AS keys, (SELECT count(*)::int FROM user_metadata WHERE user_id = u.id) AS metadata,
         (SELECT count(*)::int FROM member WHERE user_id = u.id) AS memberships FROM user_account u WHERE u.id = $1`,
      [id],
    );
    expect(row).toEqual({ keys: 1, metadata: 1, memberships: 2 });
  });

  it('2: applications keep their client ids and secrets', async () => {
    const [first, second] = documents();
    await bring([first, second]);
    const rows = await world.rows<{ id: string }>(
      `SELECT id, client_id AS "clientId", encode(secret_hash, 'base64') AS secret FROM client WHERE id = ANY($1) ORDER BY id`,
      [[first['apiApps'][0].appId, first['oidcApps'][0].appId]],
    );
    expect(rows).toEqual([
      { id: first['apiApps'][0].appId, clientId: first['apiApps'][0].clientId, secret: null },
      {
        id: first['oidcApps'][0].appId,
        clientId: first['oidcApps'][0].clientId,
        secret: first['oidcApps'][0].secretHash,
      },
    ]);
  });

  it('3: texts are stored for the imported organization, not for the caller’s', async () => {
    const before = await world.rows('SELECT kind, language FROM message_text WHERE owner_id = $1', [home.id]);
    const [first, second] = documents();
    await bring([first, second]);
    expect(await world.rows('SELECT kind, language FROM message_text WHERE owner_id = $1', [home.id])).toEqual(before);
    const { customText } = await api
      .about(first['orgId'] as string)
      .call<{ customText: Entry }>('GET', '/management/v1/text/message/init/de');
    expect(customText['title']).toBe('Willkommen');
  });

  it.each([
    ['4: texts of the verification of a phone number arrive', 'verifyPhoneMessages'],
    ['5: texts of passwordless registration are not those of a claimed domain', 'passwordlessRegistrationMessages'],
    ['5: and the other way round', 'domainClaimedMessages'],
    ['6: texts of one-time codes by e-mail arrive', 'verifyEmailOtpMessages'],
  ])('%s', async (_, member) => {
    const [first, second] = documents();
    first[member] = [
      { language: 'de', title: `Nur ${member}`, subject: 'S', greeting: 'G', text: 'T', buttonText: 'B' },
    ];
    await bring([first, second]);
    const [told] = await take(first['orgId'] as string);
    expect(told?.[member]).toEqual([expect.objectContaining({ title: `Nur ${member}` })]);
  });

  it('6: texts of one-time codes by text message are imported', async () => {
    const [first, second] = documents();
    await bring([first, second]);
    expect((await take(first['orgId'] as string))[0]?.['verifySmsOtpMessages']).toEqual(first['verifySmsOtpMessages']);
  });

  it('7: the response lists roles under roles and actions under actions', async () => {
    const [first, second] = documents();
    const { success } = await bring([first, second]);
    expect(success.orgs[0]?.['projectRoles']).toEqual(
      first['projectRoles'].map(({ projectId, roleKey }: Entry) => `${projectId}_${roleKey}`),
    );
    expect(success.orgs[0]?.['actionIds']).toEqual([first['actions'][0].actionId]);
  });

  it('8: managers of a project are exported under its organization only', async () => {
    const [first, second] = documents();
    await bring([first, second]);
    const [one, other] = await take(first['orgId'] as string, second['orgId'] as string);
    expect([one?.['projectMembers'].length, other?.['projectMembers']]).toEqual([1, undefined]);
  });

  it('9: user grants on a granted project are imported regardless of the order of the organizations', async () => {
    const [first, second] = documents();
    const { errors } = await bring([second, first]);
    expect(errors).toEqual([]);
    expect(await world.rows('SELECT id FROM user_grant WHERE id = $1', [second['userGrants'][0].id])).toHaveLength(1);
  });

  it('10: users who sign in only through a provider need not set up their account, and get no mail', async () => {
    const [first, second] = documents();
    const userId = `linked-${first['orgId']}`;
    first['humanUsers'].push({
      userId,
      user: {
        userName: userId,
        profile: { firstName: 'A', lastName: 'B' },
        email: { email: `${userId}@linked.example`, isEmailVerified: true },
      },
    });
    first['userLinks'].push({ userId, idpId: first['oidcIdps'][0].idpId, providedUserId: 'there' });
    await bring([first, second], { sendInitMails: true });
    expect(await world.rows('SELECT state FROM user_account WHERE id = $1', [userId])).toEqual([{ state: 'active' }]);
    expect(await world.rows('SELECT kind FROM outbox WHERE user_id = $1', [userId])).toEqual([]);
  });

  it.each([
    ['is that of the document', '2024-03-01T08:30:00.000Z', '2024-03-01T08:30:00.000Z'],
    ['is that of the import if the document has none', undefined, () => world.clock.now().toISOString()],
    ['is never in the future', '2999-01-01T00:00:00.000Z', () => world.clock.now().toISOString()],
  ])('10: the moment when an account was linked %s', async (_, linkedAt, expected) => {
    const [first, second] = documents();
    Object.assign(first['userLinks'][0], { linkedAt });
    await bring([first, second]);
    const [exported] = await take(first['orgId']);
    expect(exported!['userLinks']).toEqual([
      expect.objectContaining({ linkedAt: typeof expected === 'string' ? expected : expected() }),
    ]);
  });

  it('11: no user gets a mail because the document has no passwords', async () => {
    const [first, second] = documents();
    for (const { user } of first['humanUsers'] as Entry[]) delete user.hashedPassword;
    await bring([first, second]);
    expect(
      await world.rows('SELECT id FROM outbox WHERE org_id = ANY($1)', [[first['orgId'], second['orgId']]]),
    ).toEqual([]);
  });

  it('12: an imported password hash must be changed if the document says so', async () => {
    const [first, second] = documents();
    await bring([first, second]);
    expect(
      await world.rows('SELECT password_change_required AS must FROM user_account WHERE id = $1', [
        first['humanUsers'][0].userId,
      ]),
    ).toEqual([{ must: true }]);
  });

  it('13: organizations and users keep their state', async () => {
    const [first, second] = documents();
    await bring([first, second]);
    expect(await world.rows('SELECT state FROM org WHERE id = $1', [second['orgId']])).toEqual([{ state: 'inactive' }]);
    const states = await world.rows<{ state: string }>(
      'SELECT state FROM user_account WHERE id = ANY($1) ORDER BY state',
      [[first['humanUsers'][1].userId, first['machineUsers'][0].userId, second['humanUsers'][0].userId]],
    );
    expect(states.map(({ state }) => state)).toEqual(['inactive', 'initial', 'locked']);
  });

  it('14: importing into an existing organization is not an error, changes only that one, and leaves nothing behind if it is refused', async () => {
    const org = await world.add.org();
    const person = (userId: string, email: string): Json => ({
      userId,
      user: { userName: userId, profile: { firstName: 'A', lastName: 'B' }, email: { email } },
    });
    const before = await contentsOf(world);
    const broken = {
      data_orgs: {
        orgs: [
          { orgId: org.id, humanUsers: [person(`good-${org.id}`, 'a@b.example'), person(`bad-${org.id}`, 'nobody')] },
        ],
      },
    };
    expect(await api.verdict('POST', '/admin/v1/import', broken)).toBe('400 orgs[0].humanUsers[1].user.email.email');
    expect(await contentsOf(world)).toBe(before);
    const { errors } = await bring([{ orgId: org.id, humanUsers: [person(`good-${org.id}`, 'a@b.example')] }]);
    expect(errors).toEqual([]);
    expect(await world.rows('SELECT org_id FROM user_account WHERE id = $1', [`good-${org.id}`])).toEqual([
      { org_id: org.id },
    ]);
  });

  it('15: imported project grants are found afterwards', async () => {
    const [first, second] = documents();
    await bring([first, second]);
    const { projectId } = first['projects'][0];
    const { result } = await api
      .about(first['orgId'] as string)
      .call<{ result: Entry[] }>('POST', `/management/v1/projects/${projectId}/grants/_search`, {});
    expect(result.map(({ grantId }) => grantId as string)).toEqual([first['projectGrants'][0].grantId]);
  });

  it('16: the journal records that objects were imported: who, what and how many; and no events that did not happen here', async () => {
    const [first, second] = documents();
    await bring([first, second]);
    const [event] = await world.rows<{ payload: Entry; editor: string }>(
      `SELECT payload, editor_id AS editor FROM event WHERE type = 'iam.data.imported' ORDER BY position DESC LIMIT 1`,
    );
    expect(event?.editor).not.toBe('');
    expect(event?.payload).toMatchObject({
      orgIds: [first['orgId'], second['orgId']].sort(),
      counts: { org: 2, human_user: 3, machine_user: 1, project: 2 },
    });
    expect(await world.rows('SELECT type FROM event WHERE aggregate_id = $1', [first['humanUsers'][0].userId])).toEqual(
      [],
    );
  });

  it('accepts what exports of the other service contain and its own import refuses', async () => {
    const [first, second] = documents();
    delete first['projectRoles'][0].displayName;
    delete first['machineUsers'][0].user.name;
    delete first['humanUsers'][1].user.email;
    delete first['loginPolicy'].idps[0].ownerType;
    first['actions'][0].action.timeout = '60s';
    expect((await bring([first, second])).errors).toEqual([]);
  });
});
