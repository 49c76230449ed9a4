import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BegunCheck, PasswordHash } from '../../src/foundation/password/password-hash.js';
import { AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { beginPassword } from './turns.js';

const SALT_AND_HASH = '$2BW8av28LtS8IvzwzlP2Gg$gKMkDDE1EHv3Co9/OqzWO6GK/OVqmfifxwJnbHBz280';
/** More than a second of a core. */
const COSTLY = `$argon2id$v=19$m=262144,t=10,p=16${SALT_AND_HASH}`;
/** Of `password`, a fifth of a second. */
const SLOW = '$2b$12$NT0I31Sa7ihGEWpka9ASYeEFkhuTNeBQ2xfZskIiiJeyFXhRgS.Sy';

const world = await startWorld({ env: { IMPORTED_HASH_MS: '600' }, loginLimits: 'on', hashing: 'real' });
const generous = await startWorld({ replicaOf: world, env: { IMPORTED_HASH_MS: '5000' }, loginLimits: 'on' });
const begun: BegunCheck[] = [];
let tenant: TestOrg;
let manager: AdminApi;
let managerElsewhere: AdminApi;
let owner: AdminApi;
let client: RelyingParty;

const profile = { firstName: 'C', lastName: 'C' };
const person = (hash: string, more: Json = {}): Json => ({
  userName: uniqueName('costly'),
  profile,
  email: { email: 'c@mail.test', isEmailVerified: true },
  hashedPassword: { value: hash },
  ...more,
});
const inDocument = (member: string, entry: Json): Json => ({
  orgs: [
    {
      orgId: 'costly-org',
      org: { name: 'Costly' },
      projects: [{ projectId: 'costly-project', project: { name: 'P' } }],
      [member]: [entry],
    },
  ],
});

async function faultsOf(
  api: AdminApi,
  path: string,
  body: Json,
): Promise<Array<readonly [field: string, description: string]>> {
  const reply = await api.ask('POST', path, body);
  expect(reply.status).toBe(400);
  const { details } = reply.json<{
    details: Array<{ fieldViolations: Array<{ field: string; description: string }> }>;
  }>();
  return details[0]!.fieldViolations.map(({ field, description }) => [field, description] as const);
}

/** Somebody of the tenant whose hash came in before there was a limit, or when the machine was faster. */
async function storedBefore(hash: string): Promise<string> {
  const { id, loginName } = await world.add.person({ orgId: tenant.id });
  await world.rows('UPDATE user_account SET password_hash = $2 WHERE id = $1', [id, hash]);
  return loginName;
}

beforeAll(async () => {
  tenant = await world.add.org();
  manager = (await callerWith(world, tenant, ['ORG_USER_MANAGER'])).api;
  managerElsewhere = new AdminApi(generous.origin, manager.token);
  owner = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
  client = new RelyingParty(world, await world.cast.web1);
  world.get(PasswordHash).onCheck((check) => begun.push(check));
});
beforeEach(() => {
  begun.length = 0;
});
afterAll(async () => {
  await generous.close();
  await world.close();
});

describe('A hash whose check would cost too much, by what was measured on this machine, is refused', () => {
  // How long it would take depends on the machine; it must be a number above the limit.
  const REFUSAL =
    /^must not take longer than 600 ms to check, and would take about (?:[6-9]\d\d|\d{4,}) ms here; the owner of the instance can allow more \(IMPORTED_HASH_MS\)$/;

  it('when a user manager imports a person', async () => {
    expect(await faultsOf(manager, '/management/v1/users/human/_import', person(COSTLY))).toEqual([
      ['hashedPassword.value', expect.stringMatching(REFUSAL)],
    ]);
    await manager.call('POST', '/management/v1/users/human/_import', person(SLOW));
  });

  it('as a recovery code sooner, of which a person has many', async () => {
    const codes = [{ hash: SLOW }, { hash: SLOW.replace('$12$', '$08$') }];
    expect(
      await faultsOf(manager, '/management/v1/users/human/_import', person(SLOW, { recoveryCodes: codes })),
    ).toEqual([['recoveryCodes[0].hash', expect.stringMatching(/100 ms/)]]);
  });

  it.each([
    [
      'the secret of an application',
      'apiApps',
      { appId: 'costly-app', secretHash: COSTLY, app: { projectId: 'costly-project', name: 'A' } },
      'secretHash',
    ],
    [
      'the secret of a service user',
      'machineUsers',
      { userId: 'costly-machine', secretHash: COSTLY, user: { userName: 'costly-machine' } },
      'secretHash',
    ],
  ])('with its path, when a document contains it for %s', async (_, member, entry, field) => {
    expect(await faultsOf(owner, '/admin/v1/import', { data_orgs: inDocument(member, entry) })).toEqual([
      [`orgs[0].${member}[0].${field}`, expect.stringMatching(REFUSAL)],
    ]);
  });

  it('unless the owner of the instance allows more', async () => {
    await managerElsewhere.call('POST', '/management/v1/users/human/_import', person(COSTLY));
  });

  it('alike by all processes: they share the fastest that any of them has measured', async () => {
    const rows = await world.rows<{ primitive: string; nanoseconds: number }>(
      'SELECT primitive, nanoseconds FROM hash_speed',
    );
    expect(rows.map(({ primitive }) => primitive).sort()).toEqual([
      'argon2',
      'bcrypt',
      'md5',
      'pbkdf2-sha1',
      'pbkdf2-sha256',
      'pbkdf2-sha512',
      'scrypt',
      'sha-crypt',
    ]);
    await world.rows('UPDATE hash_speed SET nanoseconds = nanoseconds / 100');
    for (const at of [manager, managerElsewhere])
      await at.call('POST', '/management/v1/users/human/_import', person(COSTLY));
    await world.rows('UPDATE hash_speed SET nanoseconds = nanoseconds * 100');
  });

  it('never for the reason that the machine was busy when it was measured: what an ordinary server checks in that time is accepted', async () => {
    const ordinary = `$2b$12$${'a'.repeat(53)}`;
    await world.rows('UPDATE hash_speed SET nanoseconds = nanoseconds * 10000');
    await manager.call('POST', '/management/v1/users/human/_import', person(ordinary));
    expect((await manager.ask('POST', '/management/v1/users/human/_import', person(COSTLY))).status).toBe(400);
    await world.rows('UPDATE hash_speed SET nanoseconds = nanoseconds / 10000');
  });
});

describe('A user who already has a costly hash', () => {
  it('signs in with it, and has one of ours from then on', async () => {
    const loginName = await storedBefore(SLOW);
    const elsewhere = client.elsewhere();
    const { code } = elsewhere.toAnswer(
      await elsewhere.enter(await elsewhere.authorize(), { loginName, password: 'password' }),
    );
    expect(code).toBeDefined();
    expect(begun).toEqual([{ lane: 'foreign', setting: '$2b$12' }]);
    const [row] = await world.rows<{ hash: string }>(
      'SELECT password_hash AS hash FROM user_account WHERE user_name = $1',
      [loginName.split('@')[0]!],
    );
    expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('does not delay users with our own hashes, however the costly one is attacked', async () => {
    const attacked = await storedBefore(SLOW.replace('$12$', '$13$'));
    const somebody = await world.add.person({ orgId: (await world.add.org()).id });
    const attackers = Array.from({ length: 4 }, () => client.elsewhere());
    const pages = await Promise.all(attackers.map((attacker) => beginPassword(attacker, attacked)));
    let answered = 0;
    // Whether the last of them still gets a turn, or is refused because the service is busy, depends on the speed of
    // the machine.
    const attack = attackers.map((attacker, n) =>
      attacker.browser
        .submit(pages[n]!, { password: 'wrong' })
        .catch(() => undefined)
        .finally(() => {
          answered += 1;
        }),
    );
    while (!begun.some(({ lane }) => lane === 'foreign')) await new Promise((resolve) => setTimeout(resolve, 5));
    await new RelyingParty(world, await world.cast.web1).signIn(somebody);
    expect(answered).toBeLessThan(4); // they are computed one after the other, and the later request is done
    await Promise.all(attack);
  });
});
