import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { begin, beginPassword, errorsOf, pageOf } from '../login/turns.js';
import { PASSWORD, type TestOrg, uniqueName } from '../support/builders.js';
import { png } from '../support/images.js';
import { answerOf, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { managerOf, type PolicyCaller, type PolicyCast, policyCast } from './policy-api.js';

const POLICIES = '/management/v1/policies';

let world: World;
let replica: World;
let cast: PolicyCast;

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world });
  cast = await policyCast(world);
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

interface Place {
  readonly org: TestOrg;
  readonly owner: PolicyCaller;
  /** A client of the cast, in a browser of its own. */
  readonly rp: RelyingParty;
  /** Keeps a sign-in within the organization. */
  readonly scope: string;
}

async function newPlace(at = world): Promise<Place> {
  const org = await world.add.org();
  return {
    org,
    owner: await managerOf(world, org, 'ORG_OWNER'),
    rp: new RelyingParty(at, await world.cast.web1),
    scope: `openid urn:service:iam:org:id:${org.id}`,
  };
}

async function stateOf(userId: string): Promise<{ state: string; failures: number }> {
  const [row] = await world.rows<{ state: string; failures: number }>(
    'SELECT state, failed_password_checks AS failures FROM user_account WHERE id = $1',
    [userId],
  );
  return row!;
}

/** The errors of a try with a password. */
async function tryPassword({ rp, scope }: Place, loginName: string, password: string): Promise<string[]> {
  const client = rp.elsewhere();
  const arrival = await client.browser.submit(await beginPassword(client, loginName, { scope }), { password });
  return arrival.page ? errorsOf(arrival.page) : [];
}

const WRONG = ['The login name or the password is not correct.'];
/** After the right password. */
const LOCKED = ['Your account is locked. Please ask your administrator to unlock it.'];

describe('The login policy', () => {
  it('closes registration in one organization, and opens it again, in every process', async () => {
    const place = await newPlace(replica);
    const { owner, rp, scope } = place;
    const formsFor = async (): Promise<number> =>
      (await begin(rp.elsewhere(), { prompt: 'create', scope })).forms.filter(({ fields }) => 'email' in fields).length;
    expect(await formsFor()).toBe(1);
    await owner.change('POST', `${POLICIES}/login`, { allowUsernamePassword: true, allowRegister: false });
    await expect(eventually(formsFor, 0)).resolves.toBe(0);
    await owner.change('DELETE', `${POLICIES}/login`);
    await expect(eventually(formsFor, 1)).resolves.toBe(1);
  });

  it('limits how long a password check counts', async () => {
    const { org, owner, rp, scope } = await newPlace();
    const person = await world.add.person({ orgId: org.id });
    await owner.change('POST', `${POLICIES}/login`, { allowUsernamePassword: true, passwordCheckLifetime: '600s' });
    expect((await rp.signIn(person, { scope })).code).toBeDefined();
    expect(answerOf((await rp.authorize({ scope, prompt: 'none' })).redirect!)['code']).toBeDefined();
    world.clock.advance('11m');
    expect(answerOf((await rp.authorize({ scope, prompt: 'none' })).redirect!)['error']).toBe('login_required');
  });

  it('may let a password count for one request only, without asking endlessly', async () => {
    const { org, owner, rp, scope } = await newPlace();
    const person = await world.add.person({ orgId: org.id });
    await owner.change('POST', `${POLICIES}/login`, { allowUsernamePassword: true, passwordCheckLifetime: '0s' });
    expect((await rp.signIn(person, { scope })).code).toBeDefined();
    world.clock.advance('1s');
    expect((await rp.authorize({ scope })).page).toBeDefined();
  });

  it('does not ask for a password if it forbids them, and says so', async () => {
    const place = await newPlace();
    const person = await world.add.person({ orgId: place.org.id });
    await place.owner.change('POST', `${POLICIES}/login`, { allowUsernamePassword: false });
    const page = await beginPassword(place.rp.elsewhere(), person.loginName, { scope: place.scope });
    expect([page.status, page.forms.some((form) => 'password' in form.fields)]).toEqual([403, false]);
  });
});

describe('The password complexity policy', () => {
  const register = async ({ rp, scope }: Place, password: string): Promise<string[]> => {
    const name = uniqueName('new');
    const client = rp.elsewhere();
    const arrival = await client.browser.submit(await begin(client, { prompt: 'create', scope }), {
      email: `${name}@mail.test`,
      firstName: 'New',
      lastName: 'Person',
      userName: name,
      password,
      passwordRepeat: password,
    });
    return arrival.page ? errorsOf(arrival.page) : [];
  };

  it('is shown at registration and kept there, by the organization to which the person will belong', async () => {
    const place = await newPlace();
    await place.owner.change('POST', `${POLICIES}/password/complexity`, { minLength: 15, hasNumber: true });
    const rules = (await begin(place.rp.elsewhere(), { prompt: 'create', scope: place.scope }))
      .all('#password-rules li')
      .map(({ text }) => text);
    expect(rules).toHaveLength(2);
    expect(rules[0]).toContain('15');
    expect(await register(place, 'Short-1')).toEqual(['Choose a password that meets all the rules listed here.']);
    expect(await register(place, 'long and plain, without')).toHaveLength(1);
    expect(await register(place, 'long and plain, with 1')).toEqual([]);
  });

  it('of a new instance asks people for 15 characters, or for 8 where a second factor is forced, and managers for 8', async () => {
    const place = await newPlace();
    const broken = ['Choose a password that meets all the rules listed here.'];
    expect(await register(place, 'fourteen chars')).toEqual(broken);
    expect(await register(place, 'fifteen of them')).toEqual([]);
    await place.owner.change('POST', `${POLICIES}/login`, {
      allowUsernamePassword: true,
      allowRegister: true,
      forceMfa: true,
    });
    expect(await register(place, 'sevench')).toEqual(broken);
    expect(await register(place, 'eight ch')).toEqual([]);
    const person = { profile: { firstName: 'Ilse', lastName: 'Brandt' }, initialPassword: 'eight ch' };
    const userName = uniqueName('ilse');
    const email = { email: `${userName}@mail.test`, isEmailVerified: true };
    await place.owner.call('POST', '/management/v1/users/human', { ...person, userName, email });
  });

  it('holds for a change of password too', async () => {
    const { org, owner, rp, scope } = await newPlace();
    const person = await world.add.person({ orgId: org.id, passwordChangeRequired: true });
    await owner.change('POST', `${POLICIES}/password/complexity`, { minLength: 20 });
    const page = pageOf(await rp.enter(await rp.authorize({ scope }), person));
    const change = (newPassword: string): object => ({
      oldPassword: PASSWORD,
      newPassword,
      newPasswordRepeat: newPassword,
    });
    const refused = pageOf(await rp.browser.submit(page, change('Not-so-long-1') as Record<string, string>));
    expect(errorsOf(refused)).toEqual(['Choose a password that meets all the rules listed here.']);
    const done = await rp.browser.submit(refused, change('a sentence of many words') as Record<string, string>);
    expect(answerOf(done.redirect!)['code']).toBeDefined();
  });
});

describe('The password age policy', () => {
  it('demands a new password from users who sign in with an older one, once', async () => {
    const { org, owner, rp, scope } = await newPlace();
    const person = await world.add.person({ orgId: org.id });
    await owner.change('POST', `${POLICIES}/password/age`, { maxAgeDays: 20 });
    world.clock.advance('19d');
    expect((await rp.elsewhere().signIn(person, { scope })).code).toBeDefined();
    world.clock.advance('1d');
    const client = rp.elsewhere();
    const page = pageOf(await client.enter(await client.authorize({ scope }), person));
    expect(page.path).toContain(paths.passwordChange);
    const password = 'Another-Horse-8';
    const done = await client.browser.submit(page, {
      oldPassword: PASSWORD,
      newPassword: password,
      newPasswordRepeat: password,
    });
    expect(answerOf(done.redirect!)['code']).toBeDefined();
    expect((await rp.elsewhere().signIn({ ...person, password }, { scope })).code).toBeDefined();
  });
});

describe('The end of an organization', () => {
  it('is that of its policies and images, with an event for each', async () => {
    const { org, owner } = await newPlace();
    await owner.change('POST', `${POLICIES}/login`, { allowUsernamePassword: true });
    await owner.change('POST', `${POLICIES}/label`, {});
    await owner.upload(`${POLICIES}/label/logo`, 'image/png', png());
    await owner.change('POST', `${POLICIES}/label/_activate`);
    await cast.iam.change('POST', `/admin/v1/orgs/${org.id}/policies/domain`, { userLoginMustBeDomain: true });
    await cast.iam.change('DELETE', `/admin/v1/orgs/${org.id}`);
    for (const table of ['login_policy', 'label_policy', 'label_preview', 'label_image', 'domain_policy']) {
      expect([table, await world.rows(`SELECT 1 FROM ${table} WHERE owner_id = $1`, [org.id])]).toEqual([table, []]);
    }
    const events = await world.rows<{ type: string }>(
      "SELECT type FROM event WHERE org_id = $1 AND type LIKE 'policy.%.removed' ORDER BY 1",
      [org.id],
    );
    expect(events.map(({ type }) => type)).toEqual([
      'policy.domain.removed',
      'policy.label.removed',
      'policy.login.removed',
    ]);
  });
});

describe('The lockout policy', () => {
  async function lockedPlace(
    attempts: number,
  ): Promise<Place & { person: Awaited<ReturnType<World['add']['person']>> }> {
    const place = await newPlace();
    await place.owner.change('POST', `${POLICIES}/lockout`, { maxPasswordAttempts: attempts });
    return { ...place, person: await world.add.person({ orgId: place.org.id }) };
  }

  it('locks an account with the failure that reaches the limit, with an event, and its tokens are dead', async () => {
    const place = await lockedPlace(3);
    const { person, rp, scope } = place;
    const tokens = await rp.tokens(person, { scope });
    for (const failures of [1, 2]) {
      expect(await tryPassword(place, person.loginName, 'Wrong-Password-1')).toEqual(WRONG);
      expect(await stateOf(person.id)).toEqual({ state: 'active', failures });
    }
    expect(await tryPassword(place, person.loginName, 'x'.repeat(300))).toEqual(WRONG);
    expect(await stateOf(person.id)).toEqual({ state: 'locked', failures: 3 });
    expect(await tryPassword(place, person.loginName, PASSWORD)).toEqual(LOCKED);
    expect((await rp.introspect(tokens.access_token)).json()).toEqual({ active: false });
    expect(
      await world.rows('SELECT type FROM event WHERE aggregate_id = $1 AND type = $2', [
        person.id,
        'user.state.locked',
      ]),
    ).toHaveLength(1);
    expect((await stateOf(person.id)).failures).toBe(3);
  });

  it('counts only failures in a row', async () => {
    const place = await lockedPlace(3);
    const { person } = place;
    for (const password of ['Wrong-1', 'Wrong-2', PASSWORD, 'Wrong-3', 'Wrong-4'])
      await tryPassword(place, person.loginName, password);
    expect(await stateOf(person.id)).toEqual({ state: 'active', failures: 2 });
  });

  it('counts under every name of an account, and for no other', async () => {
    const place = await lockedPlace(2);
    const { person } = place;
    const other = await world.add.person({ orgId: place.org.id });
    await tryPassword(place, person.userName, 'Wrong-1');
    await tryPassword(place, 'nobody at all', 'Wrong-1');
    await tryPassword(place, person.loginName.toUpperCase(), 'Wrong-2');
    expect((await stateOf(person.id)).state).toBe('locked');
    expect(await stateOf(other.id)).toEqual({ state: 'active', failures: 0 });
  });

  it('locks once, however many guess at the same time, and no guess after the limit is right', async () => {
    const place = await lockedPlace(3);
    const { person } = place;
    await Promise.all(Array.from({ length: 9 }, (_, index) => tryPassword(place, person.loginName, `Wrong-${index}`)));
    expect((await stateOf(person.id)).state).toBe('locked');
    expect(
      await world.rows('SELECT type FROM event WHERE aggregate_id = $1 AND type = $2', [
        person.id,
        'user.state.locked',
      ]),
    ).toHaveLength(1);
    expect(await tryPassword(place, person.loginName, PASSWORD)).toEqual(LOCKED);
  });

  it('counts nothing and locks no account if it is 0', async () => {
    const place = await newPlace();
    const person = await world.add.person({ orgId: place.org.id });
    for (let count = 0; count < 4; count += 1) await tryPassword(place, person.loginName, 'Wrong-1');
    expect(await stateOf(person.id)).toEqual({ state: 'active', failures: 0 });
  });

  it('of the instance applies to organizations without one', async () => {
    const place = await newPlace();
    const person = await world.add.person({ orgId: place.org.id });
    await cast.iam.change('PUT', '/admin/v1/policies/password/lockout', { maxPasswordAttempts: 1 });
    await tryPassword(place, person.loginName, 'Wrong-1');
    expect((await stateOf(person.id)).state).toBe('locked');
    await cast.iam.change('PUT', '/admin/v1/policies/password/lockout', { maxPasswordAttempts: 0 });
  });
});

describe('A sign-in without an application', () => {
  it('continues at the address in the login policy of the default organization', async () => {
    const { browser } = new RelyingParty(world, await world.cast.web1);
    await cast.iam.change('PUT', '/admin/v1/policies/login', {
      allowUsernamePassword: true,
      allowRegister: true,
      allowExternalIdp: true,
      defaultRedirectUri: 'https://portal.test/',
    });
    const reply = await browser.request('GET', paths.hub);
    expect([reply.status, reply.location]).toEqual([302, 'https://portal.test/']);
  });
});

/** Another process hears of a change within a second, on a machine that has time for it. */
async function eventually<T>(ask: () => Promise<T>, wanted: T): Promise<T> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    const answer = await ask();
    if (answer === wanted) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return ask();
}
