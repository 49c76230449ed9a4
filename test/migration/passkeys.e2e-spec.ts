import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { afterPassword, proofOf, setPolicy } from '../login/factor-turns.js';
import { answer, ORIGIN, optionsOf, withKey } from '../login/passkey-turns.js';
import { begin, beginPassword, errorsOf, pageOf } from '../login/turns.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { Authenticator, FLAGS } from '../support/authenticator.js';
import type { Arrival } from '../support/browser.js';
import { PASSWORD, type TestPerson } from '../support/builders.js';
import { send } from '../support/http.js';
import { bearer, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { madeElsewhere, passkeyOf, personWith, RP_ID, securityKey } from './passkey-documents.js';

interface Exported {
  readonly orgs: Array<{ readonly humanUsers: Array<{ readonly userId: string; readonly user: Json }> }>;
  readonly usersWithKeys?: number;
  readonly leftOut: readonly string[];
}

const ALL = { withPasswords: true, withPasskeys: true, responseOutput: true };
/** A person for functions that ask for those of a world. */
const asPerson = (person: Pick<TestPerson, 'id' | 'loginName' | 'orgId'>): TestPerson =>
  ({ ...person, password: PASSWORD }) as TestPerson;
/** Whom the application is told of. */
async function subjectOf(client: RelyingParty, arrival: Arrival): Promise<unknown> {
  const tokens = (await client.redeem(client.toAnswer(arrival).code!)).json<{ id_token: string }>();
  return (await client.verify(tokens.id_token)).sub;
}

let source: World;
let target: World;
let from: AdminApi;
let to: AdminApi;
let web: RelyingParty;
let orgId: string;

const bring = (world: AdminApi, document: unknown): Promise<Json> =>
  world.call('POST', '/admin/v1/import', { dataOrgs: document });
const bringPeople = (...people: readonly Json[]): Promise<Json> => bring(to, { orgs: [{ orgId, humanUsers: people }] });

beforeAll(async () => {
  [source, target] = await Promise.all([startWorld({ publicUrl: ORIGIN }), startWorld({ publicUrl: ORIGIN })]);
  from = (await callerWith(source, await source.cast.orgA, ['IAM_OWNER'])).api;
  to = (await callerWith(target, await target.cast.orgB, ['IAM_OWNER'])).api;
});
afterAll(() => Promise.all([source.close(), target.close()]));

beforeEach(async () => {
  target.clock.advance('1m');
  web = new RelyingParty(target, await target.cast.web1);
  orgId = (await target.add.org()).id;
});

describe('Passkeys and security keys move to a service of the same domain', () => {
  let person: TestPerson;
  let phone: Authenticator;
  let stick: Authenticator;
  let exported: Exported;

  beforeAll(async () => {
    const org = await source.add.org();
    person = await source.add.person({ orgId: org.id });
    phone = await withKey(source, person);
    source.clock.advance('1s');
    stick = await withKey(source, person, 'u2f', new Authenticator(ORIGIN, FLAGS.present));
    await source.rows('UPDATE auth_key SET sign_count = 7 WHERE credential_id = $1', [stick.credentialId]);
    stick.counter = 8;
    exported = await from.call('POST', '/admin/v1/export', { orgIds: [org.id], ...ALL });
    // Otherwise the keys would come from its future.
    target.clock.advance('1h');
    expect((await bring(to, exported)).errors).toEqual([]);
  });

  it('with everything that their next use is checked against', () => {
    const { user } = exported.orgs[0]!.humanUsers[0]!;
    expect(user['passkeys']).toEqual([
      {
        credentialId: Buffer.from(phone.credentialId, 'base64url').toString('base64'),
        publicKey: expect.any(String),
        name: 'Passkey',
        transports: ['hybrid', 'internal'],
        aaguid: '00000000-0000-0000-0000-000000000000',
        userHandle: Buffer.from(person.id).toString('base64'),
        rpId: RP_ID,
        isBackupEligible: true,
        isBackedUp: true,
        creationDate: expect.any(String),
      },
      expect.objectContaining({ name: 'Security key', isSecondFactor: true, isBackupEligible: false, counter: 7 }),
    ]);
    expect(user).not.toHaveProperty('hasKeys');
    expect(exported.usersWithKeys).toBeUndefined();
    expect(exported.leftOut).not.toEqual(expect.arrayContaining(['passkey']));
  });

  it('only when they are asked for; without, the export says how many users have some [EXP-003]', async () => {
    const plain: Exported = await from.call('POST', '/admin/v1/export', {
      orgIds: [person.orgId],
      withPasswords: true,
    });
    expect(JSON.stringify(plain)).not.toContain('publicKey');
    expect(plain.usersWithKeys).toBe(1);
    expect(plain.leftOut).toEqual(expect.arrayContaining(['passkey', 'security_key']));
    expect(plain.orgs[0]!.humanUsers[0]!.user).toMatchObject({ hasKeys: true });
  });

  it('over Connect as well', async () => {
    const reply = await send(source.origin, {
      method: 'POST',
      path: '/service.admin.v1.AdminService/ExportData',
      headers: { 'Content-Type': 'application/json', ...bearer(from.token) },
      body: JSON.stringify({ orgIds: [person.orgId], withPasskeys: true }),
    });
    expect(reply.json<Exported>().orgs[0]!.humanUsers[0]!.user['passkeys']).toHaveLength(2);
  });

  it('and the passkey signs its owner in at once, where nobody is named', async () => {
    expect(await subjectOf(web, await answer(web, await begin(web), phone))).toBe(person.id);
    const elsewhere = web.elsewhere();
    const arrival = await answer(elsewhere, await begin(elsewhere), phone);
    expect(await proofOf(elsewhere, arrival)).toMatchObject({ amr: ['user', 'mfa'] });
  });

  it('and on the page of the password, whether its answer has a handle or not once its owner is known', async () => {
    const page = await beginPassword(web, person.loginName);
    web.toAnswer(await answer(web, page, phone));
    target.clock.advance('13h');
    const asked = await begin(web);
    expect(JSON.parse(optionsOf(asked))).toMatchObject({ allowCredentials: [{ id: phone.credentialId }] });
    expect(web.toAnswer(await answer(web, asked, phone, { userHandle: undefined })).code).toBeDefined();
  });

  it('and the security key follows the password', async () => {
    const page = await afterPassword(web, person);
    expect(JSON.parse(optionsOf(page)).allowCredentials).toContainEqual(
      expect.objectContaining({ id: stick.credentialId }),
    );
    expect(await proofOf(web, await answer(web, page, stick))).toMatchObject({ amr: ['pwd', 'user', 'mfa'] });
  });

  it('and an export there is the same, but for what their use has changed [EXP-031]', async () => {
    const again: Exported = await to.call('POST', '/admin/v1/export', { orgIds: [person.orgId], ...ALL });
    const unused = (document: Exported): unknown =>
      (document.orgs[0]!.humanUsers[0]!.user['passkeys'] as Json[]).map((key) => ({ ...key, counter: 0 }));
    expect(unused(again)).toEqual(unused(exported));
  });

  it('and the same document changes nothing, also after they were used and renamed [EXP-029]', async () => {
    await target.rows("UPDATE auth_key SET name = 'My phone' WHERE credential_id = $1", [phone.credentialId]);
    const before = await target.contents();
    expect(await bring(to, exported)).toMatchObject({ errors: [] });
    expect(await target.contents()).toBe(before);
  });
});

describe('A passkey that another service made with its own user handle', () => {
  it('signs its owner in, where nobody is named, after the name was typed, and when it is asked for by name', async () => {
    const device = madeElsewhere('old-service|4711');
    const { userId, loginName, entry } = personWith([
      passkeyOf(device, { userHandle: Buffer.from('old-service|4711').toString('base64') }),
    ]);
    await bringPeople(entry);
    expect(await subjectOf(web, await answer(web, await begin(web), device))).toBe(userId);
    const elsewhere = web.elsewhere();
    const named = await answer(elsewhere, await beginPassword(elsewhere, loginName), device);
    expect(await subjectOf(elsewhere, named)).toBe(userId);
    target.clock.advance('13h');
    expect(await subjectOf(web, await answer(web, await begin(web), device))).toBe(userId);
  });

  it('is excluded when its owner adds another one, which is made with the id of the account', async () => {
    const device = madeElsewhere('old-4712');
    const { userId, loginName, entry } = personWith([
      passkeyOf(device, { userHandle: Buffer.from('old-4712').toString('base64') }),
    ]);
    await bringPeople(entry);
    const added = await withKey(target, asPerson({ id: userId, loginName, orgId }), 'passkey');
    for (const key of [device, added]) {
      const client = web.elsewhere();
      expect(await subjectOf(client, await answer(client, await begin(client), key))).toBe(userId);
    }
  });

  it('is exported with it', async () => {
    const device = madeElsewhere('old-4713');
    const userHandle = Buffer.from('old-4713').toString('base64');
    await bringPeople(personWith([passkeyOf(device, { userHandle })]).entry);
    const exported: Exported = await to.call('POST', '/admin/v1/export', { orgIds: [orgId], ...ALL });
    expect(exported.orgs[0]!.humanUsers[0]!.user['passkeys']).toMatchObject([{ userHandle }]);
  });

  it('says at its first use whether it can be synchronized, if the other service did not keep that [PKY-013]', async () => {
    const device = madeElsewhere('old-4714');
    const { entry } = personWith([passkeyOf(device, { userHandle: Buffer.from('old-4714').toString('base64') })]);
    await bringPeople(entry);
    const eligible = async (): Promise<unknown> =>
      (await target.rows('SELECT backup_eligible FROM auth_key WHERE credential_id = $1', [device.credentialId]))[0];
    expect(await eligible()).toEqual({ backup_eligible: null });
    web.toAnswer(await answer(web, await begin(web), device));
    expect(await eligible()).toEqual({ backup_eligible: true });
    const other = web.elsewhere();
    const flags = FLAGS.present | FLAGS.verified;
    expect(errorsOf(pageOf(await answer(other, await begin(other), device, { flags })))).toHaveLength(1);
  });
});

describe('A user who has imported keys', () => {
  it('is active with a passkey of this domain, and to be set up with a security key alone', async () => {
    const people = [
      personWith([passkeyOf(madeElsewhere('a'), { userHandle: 'YQ==' })]),
      personWith([passkeyOf(securityKey('b'), { isSecondFactor: true, userHandle: 'Yg==' })]),
      personWith([passkeyOf(madeElsewhere('c'), { rpId: 'other.test', userHandle: 'Yw==' })]),
    ];
    await bringPeople(...people.map(({ entry }) => entry));
    const states = await target.rows<{ state: string }>(
      'SELECT state FROM user_account WHERE org_id = $1 ORDER BY id',
      [orgId],
    );
    expect(states.map(({ state }) => state)).toEqual(['active', 'initial', 'initial']);
  });

  it('is asked for a security key after the password, which the policy lists', async () => {
    await setPolicy(target, orgId, { secondFactors: ['u2f'] });
    const device = securityKey('x');
    const { userId, loginName, entry } = personWith(
      [passkeyOf(device, { isSecondFactor: true, userHandle: 'eA==', isBackupEligible: false })],
      { password: PASSWORD },
    );
    await bringPeople(entry);
    const page = await afterPassword(web, asPerson({ id: userId, loginName, orgId }));
    expect(await proofOf(web, await answer(web, page, device))).toMatchObject({ amr: ['pwd', 'user', 'mfa'] });
  });

  it('sees names for all of them, also where the document has none', async () => {
    const aaguid = 'FBFC3007-154E-4ECC-8C0B-6E020557D7BD';
    const keys = [{ name: '' }, { name: '' }, { name: '', aaguid }, { name: 'Büro' }];
    const { userId, entry } = personWith(
      keys.map((more, index) => passkeyOf(madeElsewhere(`n${index}`), { ...more, userHandle: 'bm4=' })),
    );
    await bringPeople(entry);
    const names = await target.rows<{ name: string }>(
      'SELECT k.name FROM auth_key k JOIN auth_factor f ON f.id = k.factor_id WHERE f.user_id = $1 ORDER BY k.name',
      [userId],
    );
    expect(names.map(({ name }) => name)).toEqual(['Apple Passwords', 'Büro', 'Passkey', 'Passkey 2']);
  });
});
