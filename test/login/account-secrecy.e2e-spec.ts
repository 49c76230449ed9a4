import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BegunCheck, PasswordHash } from '../../src/foundation/password/password-hash.js';
import { paths } from '../../src/org/instance/paths.js';
import { OrgService } from '../../src/org/org.service.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { addOidc, link } from '../idp/external.js';
import { ownStatementsOf } from '../oidc/own-statements.js';
import { EDITOR, PASSWORD, type TestPerson } from '../support/builders.js';
import type { Reply } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { setLockout } from './factor-turns.js';
import { begin, beginPassword, errorsOf, pageOf, requestIdOf, withoutTokens } from './turns.js';

const WRONG = 'Wrong-Password-1';

let world: World;
let web1: RelyingParty;
/** The right password shows who may learn more: those whose account, or whose organization, does not let them in. */
let proven: ReadonlyArray<{ who: string; loginName: string; says: string }>;
/**
 * Users who cannot sign in, each for another reason, with the tried password. Names have no domain, which would decide
 * the look of the pages.
 */
let trials: ReadonlyArray<{ who: string; loginName: string; password: string }>;

beforeAll(async () => {
  world = await startWorld({ hashing: 'real' });
  const { alice, dave, erin, uma, svc1 } = world.cast;
  const closed = await world.add.org();
  const inactive = await world.add.org();
  const ofClosed = await world.add.person({ orgId: closed.id });
  const ofInactive = await world.add.person({ orgId: inactive.id });
  await world.transaction(async (tx) => {
    await world.get(PolicyService).set(tx, 'login', closed.id, { allowUsernamePassword: false }, EDITOR);
    await world.get(OrgService).changeState(tx, inactive.id, 'inactive', EDITOR);
  });
  const service = await svc1;
  const byProvider = await world.add.person({ orgId: (await world.cast.orgA).id, password: '' });
  await link(
    world,
    await addOidc(world, 'https://accounts.example.com'),
    byProvider.id,
    byProvider.orgId,
    'somebody-there',
  );
  trials = [
    { who: 'nobody', loginName: 'nobody', password: PASSWORD },
    { who: 'alice with a wrong password', loginName: (await alice).userName, password: WRONG },
    { who: 'dave, who is deactivated', loginName: (await dave).userName, password: WRONG },
    { who: 'erin, who is locked', loginName: (await erin).userName, password: WRONG },
    { who: 'uma, who has no password yet', loginName: (await uma).userName, password: PASSWORD },
    { who: 'somebody who only comes through a provider', loginName: byProvider.userName, password: PASSWORD },
    { who: 'a service user with its secret', loginName: service.userName, password: service.secret },
    { who: 'somebody of an organization without passwords', loginName: ofClosed.userName, password: WRONG },
    { who: 'somebody of an inactive organization', loginName: ofInactive.userName, password: PASSWORD },
  ];
  proven = [
    {
      who: 'dave, who is deactivated',
      loginName: (await dave).userName,
      says: 'Your account is deactivated. Please ask your administrator.',
    },
    {
      who: 'erin, who is locked',
      loginName: (await erin).userName,
      says: 'Your account is locked. Please ask your administrator to unlock it.',
    },
    {
      who: 'somebody of an organization without passwords',
      loginName: ofClosed.userName,
      says:
        'Your organization does not let people sign in with a password here. ' +
        'Choose another way to sign in, or ask your administrator.',
    },
  ];
});

afterAll(() => world.close());

beforeEach(async () => {
  web1 = new RelyingParty(world, await world.cast.web1);
});

async function trace(loginName: string, password: string): Promise<{ replies: Reply[]; shape: unknown }> {
  const client = web1.elsewhere();
  const first = await begin(client);
  const page = pageOf(await client.browser.submit(first, { loginName }));
  const refused = await client.browser.submitOnce(page, { password });
  const replies = [page.reply, refused];
  const shape = replies.map((reply) => ({
    status: reply.status,
    location: reply.location,
    headers: Object.keys(reply.headers).sort(),
    body: withoutTokens(reply).replaceAll(loginName, 'NAME'),
  }));
  return { replies, shape };
}

describe('Whether an account exists', () => {
  it('is not revealed by any difference in a response [LOG-024]', async () => {
    const [reference, ...others] = await Promise.all(
      trials.map(({ loginName, password }) => trace(loginName, password)),
    );
    for (const [index, other] of others.entries()) {
      expect([trials[index + 1]!.who, other.shape]).toEqual([trials[index + 1]!.who, reference!.shape]);
    }
  });

  // How long it takes is measured by bench/secrecy.mjs, on a machine that does nothing else.
  it('is not revealed by what is computed for a response [LOG-025]', async () => {
    const begun: BegunCheck[] = [];
    world.get(PasswordHash).onCheck((check) => begun.push(check));
    const computed: Array<readonly [string, BegunCheck[]]> = [];
    for (const { who, loginName, password } of trials) {
      begun.length = 0;
      await trace(loginName, password);
      computed.push([who, [...begun]]);
    }
    const [[, reference]] = computed as [readonly [string, BegunCheck[]]];
    expect(reference.map(({ lane }) => lane)).toEqual(['own']);
    expect(computed).toEqual(computed.map(([who]) => [who, reference]));
  });

  it('leaves one line in the journal and in the log for each refusal, with the reason', async () => {
    const before = world.logText().length;
    const [{ last }] = (await world.rows<{ last: string }>('SELECT coalesce(max(position), 0) AS last FROM event')) as [
      { last: string },
    ];
    for (const { loginName, password } of trials) await trace(loginName, password);
    const events = await world.rows<{ reason: string }>(
      `SELECT payload->>'reason' AS reason FROM event WHERE type = 'sign_in.password.check.failed' AND position > $1 ORDER BY position`,
      [last],
    );
    const reasons = [
      'unknown',
      'password_wrong',
      'password_wrong',
      'password_wrong',
      'password_not_set',
      'password_not_set',
      'unknown',
      'password_wrong',
      'unknown',
    ];
    expect(events.map(({ reason }) => reason)).toEqual(reasons);
    const lines =
      world
        .logText()
        .slice(before)
        .match(/"reason":"sign_in\.[a-z_]+"/g) ?? [];
    expect(lines).toEqual(reasons.map((reason) => `"reason":"sign_in.${reason}"`));
    expect(world.logText().slice(before)).not.toContain('nobody');
  });

  it.each([' ALICE ', 'Alice', 'alice@ORGA.test', 'AlIcE@nowhere.test'])(
    'is not revealed by the next page: it shows %j as it was typed [LOG-026]',
    async (loginName) => {
      const page = await beginPassword(web1, loginName);
      expect(page.forms[0]?.fields['loginName']).toBe(loginName);
      expect(page.find('.typed-name bdi')?.text).toBe(loginName);
      expect(page.reply.text).not.toMatch(/Liddell|alice@orga\.test/);
    },
  );

  it('is not revealed by the public pages', async () => {
    const page = await begin(web1, { login_hint: 'alice' });
    for (const path of [paths.loginName, paths.register]) {
      const text = pageOf(await web1.browser.get(`${path}?authRequestID=${requestIdOf(page)}`)).text;
      expect(text).not.toContain('Liddell');
    }
  });
});

describe('Why an account cannot be used', () => {
  it('is told after the right password, which no stranger has [LOG-054]', async () => {
    for (const { who, loginName, says } of proven) {
      const client = web1.elsewhere();
      const page = pageOf(await client.browser.submit(await beginPassword(client, loginName), { password: PASSWORD }));
      expect([who, page.status, errorsOf(page)]).toEqual([who, 400, [says]]);
      expect(client.toAnswer(await client.authorize({ prompt: 'none' })).error).toBe('login_required');
    }
  });

  it('is told no more often than passwords may be tried: the right one is refused unseen, too [LOG-054]', async () => {
    const limited = await startWorld({ replicaOf: world, loginLimits: 'on' });
    try {
      const { loginName } = await world.cast.erin;
      web1.browser.at = limited;
      const page = await beginPassword(web1, loginName);
      for (let n = 0; n < 10; n += 1) await web1.browser.submitOnce(page, { password: WRONG });
      const refused = pageOf(await web1.browser.submit(page, { password: PASSWORD }));
      expect([refused.status, refused.text.includes('locked')]).toEqual([429, false]);
    } finally {
      await limited.close();
    }
  });

  it('is recorded in the journal', async () => {
    const { loginName, id, userName } = await world.cast.dave;
    await web1.browser.submit(await beginPassword(web1, loginName), { password: PASSWORD });
    const [last] = await world.rows(
      `SELECT payload FROM event WHERE type = 'sign_in.password.check.failed' ORDER BY position DESC LIMIT 1`,
    );
    expect(last).toEqual({ payload: { reason: 'account_inactive', userId: id, userName } });
  });
});

describe('Where wrong passwords lock an account', () => {
  const LIMIT = 3;
  const setLimit = async (maxPasswordAttempts: number): Promise<void> => {
    await setLockout(world, (await world.cast.orgA).id, { maxPasswordAttempts });
    await world.changesToArrive();
  };
  /** What a refusal waits for: the statements that write and whose commit waits for the disk. */
  const waitsOf = async (loginName: string, password: string): Promise<string[]> => {
    const statements = await ownStatementsOf(() => trace(loginName, password));
    return statements
      .filter((text) => /\b(?:INSERT INTO|UPDATE [a-z_]+ |DELETE FROM|SET LOCAL)/.test(text))
      .filter((text) => !text.includes(`set_config('synchronous_commit', 'off', true)`))
      .map((text) => text.split(':')[0]!);
  };
  let person: TestPerson;

  beforeAll(async () => {
    person = await world.add.person({ orgId: (await world.cast.orgA).id });
    await setLimit(LIMIT);
  });
  afterAll(() => setLimit(0));

  it('a refusal waits for the disk once, whether or not the account exists [LOG-025]', async () => {
    const waits = [];
    for (const { who, loginName, password } of trials) waits.push([who, await waitsOf(loginName, password)]);
    expect(waits).toEqual(trials.map(({ who }) => [who, ['event.append']]));
  });

  it('the lock itself waits for the disk', async () => {
    for (let failures = 1; failures < LIMIT; failures += 1)
      expect(await waitsOf(person.userName, WRONG)).toEqual(['event.append']);
    expect(await waitsOf(person.userName, WRONG)).toContain('database.wait_for_disk');
    expect(await world.rows('SELECT state FROM user_account WHERE id = $1', [person.id])).toEqual([
      { state: 'locked' },
    ]);
  });
});
