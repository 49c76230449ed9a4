import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AskedSignIn } from '../../../src/management/why/case.js';
import { SignInExplanations } from '../../../src/management/why/sign-in-explanations.js';
import type { Actor } from '../../../src/user/permission/actor.js';
import type { Rights } from '../../../src/user/permission/rights.js';
import type { Permission } from '../../../src/user/permission/role.js';
import { setLockout, setPolicy, withApp } from '../../login/factor-turns.js';
import { beginPassword } from '../../login/turns.js';
import { type AdminApi, callerWith, type Json } from '../../support/admin-api.js';
import type { TestClient, TestOrg, TestPerson } from '../../support/builders.js';
import { RelyingParty } from '../../support/relying-party.js';
import { statementsDuring } from '../../support/statement-counter.js';
import { startWorld, type World } from '../../support/world.js';
import { ilseOf, managerNamed, WhyStage } from './why-stage.js';

/** What a page spends on the card of a person in good standing. */
const MOST_WHEN_ALL_IS_WELL = 10;
/** What one spends where everything is in the way; each linked provider costs a few more. */
const MOST_STATEMENTS = 15;
/** Ask who the caller is, before anything is explained. */
const OF_CALLER = /^(?:token\.holder_of_personal|org\.exists):/;
const NOTHING: AskedSignIn = {
  application: '',
  scopes: [],
  network: '',
  method: undefined,
  provider: '',
  loginName: '',
  prompts: [],
  maxAgeSeconds: undefined,
  acrValues: [],
  isSecondFactorDemanded: false,
};

let world: World;
let stage: WhyStage;
let ada: AdminApi;
let org: TestOrg;
let ilse: TestPerson;
let client: TestClient;

beforeAll(async () => {
  world = await startWorld({ loginLimits: 'on' });
  ada = await managerNamed(world, await world.cast.orgA, 'ada.admin', ['IAM_OWNER']);
  stage = new WhyStage(world, ada);
});
beforeEach(async () => {
  world.clock.advance('2h');
  org = await world.add.org();
  ilse = await ilseOf(world, org.id);
  const shopOrg = await world.add.org();
  client = await world.add.client({
    projectId: await world.add.project({ orgId: shopOrg.id, name: 'Secret project', projectRoleCheck: true }, [
      'buyer',
    ]),
    name: 'Secret shop',
  });
});
afterAll(() => world.close());

const path = (): string => `/management/v1/users/${ilse.id}/_explain`;

/** A caller who holds these permissions and no other: no role of the product reads users without policies. */
const actorWith = (...permissions: readonly Permission[]): Actor => {
  const may = (permission: string): boolean => (permissions as readonly string[]).includes(permission);
  const rights = { may, mayEverywhere: () => false } as unknown as Rights;
  return { userId: 'somebody', orgId: org.id, ownOrgId: org.id, rights };
};

describe('Who may ask', () => {
  it('is no manager of another organization, who hears the same of users that exist and that do not [ADM-064]', async () => {
    const stranger = (await callerWith(world, await world.add.org(), ['ORG_OWNER'])).api;
    expect(await stranger.verdict('POST', path(), {})).toBe('404 user.not_found');
    expect(await stranger.verdict('POST', '/management/v1/users/1/_explain', {})).toBe('404 user.not_found');
    expect(await stranger.about(org.id).verdict('POST', path(), {})).toBe('403 permission.missing');
    expect(await stranger.verdict('POST', `/admin/v1/users/${ilse.id}/_explain`, {})).toBe('403 permission.missing');
  });

  it('is whoever reads the users of the organization, or those of all', async () => {
    for (const role of ['ORG_OWNER_VIEWER', 'ORG_USER_MANAGER', 'ORG_PROJECT_CREATOR'])
      expect(await (await callerWith(world, org, [role])).api.verdict('POST', path(), {})).toBe('200');
    for (const role of ['IAM_USER_MANAGER', 'IAM_OWNER_VIEWER'])
      expect(
        await (await callerWith(world, org, [role])).api.verdict('POST', `/admin/v1/users/${ilse.id}/_explain`, {}),
      ).toBe('200');
    expect(await (await callerWith(world, org, ['ORG_SETTINGS_MANAGER'])).api.verdict('POST', path(), {})).toBe(
      '403 permission.missing',
    );
  });

  it('says what is wrong with the question', async () => {
    const ask = ada.about(org.id);
    expect(await ask.verdict('POST', path(), { network: 'the office' })).toBe('400 network');
    expect(await ask.verdict('POST', path(), { prompts: ['maybe'] })).toBe('400 prompts');
  });
});

describe('What is not told', () => {
  it('is the name of an application, nor of its project, that the caller may not read [ADM-064]', async () => {
    const { api } = await callerWith(world, org, ['ORG_USER_MANAGER']);
    const reply = await api.ask('POST', path(), { application: client.clientId });
    expect(reply.text).not.toContain('Secret');
    const { summary, chain } = reply.json<{ summary: string; chain: Array<Record<string, unknown>> }>();
    expect(summary).toBe(
      'Ilse cannot sign in to the application. A rule that you may not read admits only users who have one of its roles.',
    );
    expect(chain.at(-1)).toMatchObject({ code: 'SIGN_IN_LINK_CODE_ROLE_MISSING', mends: [] });
    expect(chain.at(-1)).not.toHaveProperty('rule');
    // By its id or its name it does not exist.
    for (const application of [client.id, 'Secret shop'])
      expect(await api.verdict('POST', path(), { application })).toBe('404 client.not_found');
  });

  it('is a policy that the caller may not read: only that something refuses [ADM-064]', async () => {
    await setPolicy(world, org.id, { allowUsernamePassword: false, forceMfa: true });
    const { chain, summary } = await world
      .get(SignInExplanations)
      .ofOrg(actorWith('user.read'), ilse.id, { ...NOTHING, method: 'password' });
    expect(chain).toEqual([
      expect.objectContaining({
        code: 'passwords_not_allowed',
        sentence: 'A rule that you may not read does not let users sign in with a password.',
        rule: undefined,
        mends: [],
      }),
    ]);
    expect(summary).not.toContain(org.domain);
  });

  it('is who manages the instance, to managers of an organization [ADM-064]', async () => {
    const { policy } = await ada.call('GET', '/admin/v1/policies/login');
    const { details: _details, isDefault: _isDefault, ...settings } = policy as Record<string, unknown>;
    await ada.call('PUT', '/admin/v1/policies/login', { ...settings, forceMfa: true });
    const { api } = await callerWith(world, await world.cast.orgA, ['ORG_OWNER']);
    const someone = await ilseOf(world, (await world.cast.orgA).id);
    const reply = await api.ask('POST', `/management/v1/users/${someone.id}/_explain`, {});
    expect(reply.text).toContain('The login policy of the instance requires a second factor (since ');
    expect(reply.text).not.toContain('ada.admin');
    await ada.call('PUT', '/admin/v1/policies/login', { ...settings, forceMfa: false });
  });

  it('is any secret, address or count of somebody else [ADM-064]', async () => {
    const app = await withApp(world, ilse, ['AAAAA-BBBBB']);
    const otto = await world.add.person({ orgId: (await world.cast.orgB).id });
    const shop = new RelyingParty(world, await world.cast.web1);
    for (const name of [ilse.loginName, otto.loginName, otto.loginName]) {
      const other = shop.elsewhere();
      await other.browser.submit(await beginPassword(other, name), { password: 'Wrong-Horse-9-Wrong-Horse' });
    }
    const reply = await ada.about(org.id).ask('POST', path(), { loginName: otto.loginName, network: '127.0.0.1' });
    expect(world.secretsIn(reply.text)).toEqual([]);
    expect(reply.text).not.toContain(app.seed);
    expect(reply.text).not.toContain('127.0.0.1"');
    expect(reply.text).not.toContain(otto.id);
    const { limits, failures } = reply.json<{ limits: Array<{ failures: number }>; failures: unknown[] }>();
    expect([limits.map(({ failures: count }) => count), failures.length]).toEqual([[1], 1]);
  });
});

describe('Asking', () => {
  const attempts = (): Promise<object[]> => world.rows('SELECT key, failures FROM attempt ORDER BY key');
  const events = async (): Promise<string> =>
    (await world.rows<{ last: string }>('SELECT max(position) AS last FROM event'))[0]!.last;

  it('changes nothing: no attempt, no event, no mail, no session, no lock [ADM-065]', async () => {
    await setPolicy(world, org.id, { forceMfa: true });
    const shop = new RelyingParty(world, await world.cast.web1);
    await shop.browser.submit(await beginPassword(shop, ilse.loginName), { password: 'Wrong-Horse-9-Wrong-Horse' });
    const before = [await attempts(), await events(), await world.contents()];
    for (const asked of [
      {},
      { application: 'web1', scopes: ['profile', 'email'], network: '127.0.0.1', prompts: ['login'] },
      { method: 'SIGN_IN_METHOD_PASSKEY' },
      { provider: 'Nobody' },
      { loginName: 'nobody@nowhere.test' },
    ])
      await stage.explain(ilse, asked);
    expect([await attempts(), await events(), await world.contents()]).toEqual(before);
  });

  const during = async (asked: Json): Promise<number> => {
    await stage.explain(ilse, asked); // what is cached is read once
    const all = await statementsDuring(() => stage.explain(ilse, asked));
    return all.filter((one) => !OF_CALLER.test(one)).length;
  };

  it('takes few statements about somebody in good standing, whoever has made the policies [ADM-066]', async () => {
    expect(await during({})).toBeLessThanOrEqual(MOST_WHEN_ALL_IS_WELL);
    await setPolicy(world, org.id, { forceMfa: true });
    await setLockout(world, org.id, { maxPasswordAttempts: 3 });
    expect(await during({})).toBeLessThanOrEqual(MOST_WHEN_ALL_IS_WELL);
  });

  it('takes a bounded number of statements, however much is in the way and the journal holds [ADM-066]', async () => {
    const shop = new RelyingParty(world, await world.cast.web1);
    const asked = { application: 'web1', scopes: ['profile'], network: '127.0.0.1' };
    await setPolicy(world, org.id, { forceMfa: true });
    expect(await during(asked)).toBeLessThanOrEqual(MOST_STATEMENTS);
    await setLockout(world, org.id, { maxPasswordAttempts: 1 });
    await shop.browser.submit(await beginPassword(shop, ilse.loginName), { password: 'Wrong-Horse-9-Wrong-Horse' });
    await setPolicy(world, org.id, { allowUsernamePassword: false, passwordlessType: 'not_allowed' });
    const { chain } = await stage.explain(ilse, asked);
    expect(chain.map(({ code }) => code.replace('SIGN_IN_LINK_CODE_', ''))).toEqual([
      'USER_LOCKED_BY_FAILURES',
      'PASSWORDS_NOT_ALLOWED',
      'PASSKEY_MISSING',
      'PASSKEYS_NOT_ALLOWED',
    ]);
    const few = await during(asked);
    await world.rows(
      `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, payload, editor_id, org_id, created_at)
       SELECT 'sign_in', 'many-' || n, 1, 'sign_in.password.check.failed',
         jsonb_build_object('userId', $1::text, 'reason', 'password_wrong'), 'system', $2, now()
       FROM generate_series(1, 2000) n`,
      [ilse.id, org.id],
    );
    expect(await during(asked)).toBe(few);
    expect(few).toBeLessThanOrEqual(MOST_STATEMENTS);
    expect((await stage.explain(ilse, asked)).failures).toHaveLength(10);
  });
});
