import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { PersonService } from '../../src/user/person.service.js';
import { UserService } from '../../src/user/user.service.js';
import { UserCodes } from '../../src/user/user-codes.js';
import { UserMails } from '../../src/user/user-mails.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { codeIn, mailsIn, mailsTo } from '../support/mails.js';
import { startWorld, type World } from '../support/world.js';

const PER_HOUR = 5;

let world: World;
let replica: World;
let org: TestOrg;
let api: AdminApi;

beforeAll(async () => {
  world = await startWorld({ loginLimits: 'on' });
  replica = await startWorld({ replicaOf: world, loginLimits: 'on' });
  org = await world.cast.orgA;
  ({ api } = await callerWith(world, org, ['ORG_OWNER']));
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

const wayBack = (at: World, userId: string): Promise<void> =>
  at.transaction((tx) => at.get(PersonService).sendWayBack(tx, { userId, orgId: org.id }));

describe('At most five mails of a kind per person and hour [LOG-039]', () => {
  it('200 requests of strangers at two processes', async () => {
    const person = await world.add.person({ orgId: org.id });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => wayBack(index % 2 === 0 ? world : replica, person.id)),
    );
    const reasons = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as { reason: string }).reason] : [],
    );
    expect(new Set(reasons)).toEqual(new Set(['mail.too_many']));
    const mails = await mailsTo(world, person.email);
    // What was overtaken before it left is not sent at all.
    expect(mails.length).toBeLessThanOrEqual(PER_HOUR);
    expect(outcomes.length - reasons.length).toBe(PER_HOUR);
  });

  it('the last code that was sent still works after all the refusals', async () => {
    const person = await world.add.person({ orgId: org.id });
    for (let sent = 0; sent < PER_HOUR; sent += 1) await wayBack(world, person.id);
    await expect(wayBack(world, person.id)).rejects.toMatchObject({ reason: 'mail.too_many', retryAfterSeconds: 3600 });
    const [mail] = await mailsTo(world, person.email);
    expect(await world.get(UserCodes).check(person.id, 'password_reset', codeIn(world, mail!))).toBeDefined();
  });

  it('a manager gets an error, and may continue after the hour', async () => {
    const userName = uniqueName('limit');
    const { userId } = await api.call('POST', '/management/v1/users/human', {
      userName,
      profile: { firstName: 'A', lastName: 'B' },
      email: { email: `${userName}@mail.test` },
    });
    const again = (): Promise<string> =>
      api.verdict('POST', `/management/v1/users/${userId}/_resend_initialization`, {});
    const verdicts: string[] = [];
    for (let asked = 0; asked < PER_HOUR + 1; asked += 1) verdicts.push(await again());
    expect(verdicts).toEqual(['200', '200', '200', '200', '429 mail.too_many', '429 mail.too_many']);
    // An invitation carries the same code, and counts with it.
    expect(await api.verdict('POST', `/management/v1/users/${userId}/_invite`, {})).toBe('429 mail.too_many');
    world.clock.advance('61m');
    expect(await again()).toBe('200');
  });

  it('mails that unauthenticated callers cause are counted by address, regardless of the recipient', async () => {
    const email = `${uniqueName('target')}@mail.test`;
    const register = (): Promise<string> =>
      world.transaction((tx) =>
        world.get(PersonService).register(tx, {
          orgId: org.id,
          userName: uniqueName('reg'),
          email,
          profile: { firstName: 'A', lastName: 'B' },
        }),
      );
    for (let made = 0; made < PER_HOUR; made += 1) await register();
    await expect(register()).rejects.toMatchObject({ reason: 'mail.too_many' });
    expect(await mailsTo(world, email)).toHaveLength(PER_HOUR);
  });

  it('notices beyond the limit are left out, and what they are about happens all the same', async () => {
    const person = await world.add.person({ orgId: org.id });
    for (let changed = 0; changed < PER_HOUR + 2; changed += 1)
      await world.add.newPassword(person.id, `Other-Horse-${changed}`);
    expect(await mailsTo(world, person.email)).toHaveLength(PER_HOUR);
    await world.transaction(async (tx) => {
      const user = await world.get(UserService).get(tx, person.id);
      for (let tried = 0; tried < PER_HOUR + 2; tried += 1) await world.get(UserMails).tellRegistrationTried(tx, user);
    });
    expect(await mailsTo(world, person.email)).toHaveLength(2 * PER_HOUR);
  });

  it('twenty one-time codes, for users who sign in often', async () => {
    const person = await world.add.person({ orgId: org.id });
    const send = (): Promise<void> =>
      world.transaction((tx) => world.get(UserMails).sendOneTimeCode(tx, person, new Secret('40718263'), 300));
    for (let sent = 0; sent < 20; sent += 1) await send();
    await expect(send()).rejects.toMatchObject({ reason: 'mail.too_many' });
  });

  it('unknown users have no address: no mail is sent to users who do not exist', async () => {
    const before = (await mailsIn(world)).length;
    await expect(wayBack(world, '1')).rejects.toMatchObject({ reason: 'user.not_found' });
    expect(await mailsIn(world)).toHaveLength(before);
  });
});
