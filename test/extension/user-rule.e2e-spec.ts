import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { AccountHolder } from '../account/account-turns.js';
import { apply, entry, peopleWith } from '../login/registration-turns.js';
import { errorsOf, pageOf } from '../login/turns.js';
import { uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { NoX, rules } from './no-x-rule.js';

let world: World;

beforeAll(async () => {
  world = await startWorld({ extensions: [rules] });
});
beforeEach(() => {
  world.clock.advance('1m');
  NoX.asked = [];
});
afterAll(() => world.close());

describe('A rule of an extension about users', () => {
  it('is asked with what is and what would be, and only if that differs', async () => {
    const org = await world.add.org();
    const api = await world.manager(['ORG_OWNER'], org);
    const { id } = await world.add.user({ org });
    NoX.asked = [];
    const profile = { firstName: 'Ada', lastName: 'Test' };
    await api.call('PUT', `/management/v1/users/${id}/profile`, profile);
    await api.call('PUT', `/management/v1/users/${id}/profile`, { ...profile, gender: 'GENDER_FEMALE' });
    expect(NoX.asked).toEqual([
      {
        user: expect.objectContaining({ id, orgId: org.id, kind: 'human', firstName: 'Ada' }),
        before: expect.objectContaining({ id, firstName: expect.not.stringMatching('Ada') }),
        editorId: expect.stringMatching(/^\d+$/),
      },
    ]);
  });

  it('is about service users as well', async () => {
    const api = await world.manager(['ORG_OWNER']);
    const machine = { userName: uniqueName('job-x').replace(/$/, '-x'), name: 'Job' };
    expect(await api.verdict('POST', '/management/v1/users/machine', machine)).toContain('400');
    expect(NoX.asked.at(-1)?.user).toMatchObject({ kind: 'service', displayName: 'Job' });
  });

  it('refuses a registration on its page, with the same answer for an address that is known', async () => {
    const web1 = new RelyingParty(world, await world.cast.web1);
    const { email } = await world.cast.alice;
    const form = entry({ firstName: 'New-x' });
    for (const address of [form['email'] as string, email]) {
      const { page } = await apply(web1, { firstName: 'New-x', email: address });
      expect(page.status).toBe(400);
      expect(errorsOf(page)).toEqual(['Your organization does not accept this. Change it, or ask your administrator.']);
      expect(page.forms[0]!.fields).toMatchObject({ firstName: 'New-x' });
    }
    expect(await peopleWith(world, form['email'])).toEqual([]);
  });

  it('refuses what users change of themselves, on the page, an address before its code is sent', async () => {
    const holder = new AccountHolder(world, await world.add.user());
    const profile = await holder.open(paths.accountProfile);
    const refused = pageOf(await holder.browser.submit(profile, { firstName: 'Me-x' }));
    expect(errorsOf(refused)).toEqual([
      'Your organization does not accept this. Change it, or ask your administrator.',
    ]);
    const contact = await holder.open(paths.accountContact);
    const again = pageOf(await holder.browser.submit(contact, { email: 'me@refused.test', decision: 'email' }));
    expect(errorsOf(again)).toEqual(['Your organization does not accept this. Change it, or ask your administrator.']);
    expect(await world.sql`SELECT 1 FROM pending_email WHERE email = 'me@refused.test'`).toEqual([]);
  });
});
