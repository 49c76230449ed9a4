import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IdpLinks } from '../../src/idp/idp-links.js';
import { paths } from '../../src/org/instance/paths.js';
import { addJwt } from '../idp/external.js';
import { withApp } from '../login/factor-turns.js';
import { errorsOf, pageOf } from '../login/turns.js';
import type { Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { AccountHolder, statusOf, tokenFor } from './account-turns.js';

let world: World;
let holder: AccountHolder;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld({ loginLimits: 'on' });
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('2h');
  person = await world.add.person({ orgId: (await world.cast.orgA).id });
  holder = new AccountHolder(world, person);
});

const tokenOf = (page: Page): { csrf: string } => ({ csrf: page.formWith('csrf').fields['csrf'] ?? '' });

describe('Applications', () => {
  it('that keep their access are listed with what they may, and lose it after a question', async () => {
    const web1 = new RelyingParty(world, await world.cast.web1);
    const tokens = await web1.tokens(person, { scope: 'openid email offline_access' });
    const page = await holder.open(paths.accountApplications);
    expect(page.text).toContain('see your e-mail address');
    const question = pageOf(await holder.browser.submit(page, { application: web1.client.clientId }));
    expect(question.heading).toBe('Remove this access?');
    expect((await web1.introspect(tokens.access_token)).json()).toMatchObject({ active: true });
    const done = pageOf(await holder.browser.submit(question, { confirmed: 'true' }));
    expect(statusOf(done)).toBe('The access is removed.');
    expect((await web1.introspect(tokens.access_token)).json()).toEqual({ active: false });
    expect((await web1.refresh(tokens.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
  });

  it('lose every token and code at once, also those that could never be refreshed; later ones count again', async () => {
    const web1 = new RelyingParty(world, await world.cast.web1);
    const web2 = new RelyingParty(world, await world.cast.web2);
    await web1.tokens(person, { scope: 'openid offline_access' });
    const { access_token: opaque } = await web1.tokens(person, { scope: 'openid' });
    const { access_token: elsewhere } = await web2.tokens(person, { scope: 'openid' });
    const code = await web1.code(person, { scope: 'openid offline_access' });
    const page = await holder.open(paths.accountApplications);
    const question = pageOf(await holder.browser.submit(page, { application: web1.client.clientId }));
    await holder.browser.submit(question, { confirmed: 'true' });
    expect((await web1.introspect(opaque)).json()).toEqual({ active: false });
    expect((await web1.userinfo(opaque)).status).toBe(401);
    expect((await web1.redeem(code)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await web2.introspect(elsewhere)).json()).toMatchObject({ active: true });
    world.clock.advance('1s');
    const { access_token: later } = await web1.tokens(person, { scope: 'openid' });
    expect((await web1.introspect(later)).json()).toMatchObject({ active: true });
    expect((await web1.introspect(opaque)).json()).toEqual({ active: false });
  });

  it('of other users are as unknown as ids that never were [ACC-003]', async () => {
    const other = await world.add.person({ orgId: person.orgId });
    const web1 = new RelyingParty(world, await world.cast.web1);
    const tokens = await web1.tokens(other, { scope: 'openid offline_access' });
    await holder.open();
    const csrf = await tokenFor(holder, paths.accountApplications);
    const statuses = await Promise.all(
      [web1.client.clientId, 'unknown'].map(async (application) => {
        const fields = { csrf, application, confirmed: 'true' };
        return (await holder.browser.request('POST', paths.accountApplications, fields)).status;
      }),
    );
    expect(statuses).toEqual([404, 404]);
    expect((await web1.introspect(tokens.access_token)).json()).toMatchObject({ active: true });
  });

  it('are not ended by a form that another origin sends, though it has the right token', async () => {
    const web1 = new RelyingParty(world, await world.cast.web1);
    const tokens = await web1.tokens(person, { scope: 'openid offline_access' });
    const page = await holder.open(paths.accountApplications);
    const question = pageOf(await holder.browser.submit(page, { application: web1.client.clientId }));
    const fields = { ...question.formWith('confirmed').fields, confirmed: 'true' };
    for (const said of [{ Origin: 'https://evil.test' }, { 'Sec-Fetch-Site': 'same-site' }])
      expect((await holder.browser.request('POST', paths.accountApplications, fields, said)).status).toBe(403);
    expect((await web1.introspect(tokens.access_token)).json()).toMatchObject({ active: true });
    await holder.browser.request('POST', paths.accountApplications, fields);
    expect((await web1.introspect(tokens.access_token)).json()).toEqual({ active: false });
  });
});

describe('Linked accounts', () => {
  const link = async (externalUserId: string): Promise<string> => {
    const idpId = await addJwt(world, 'http://127.0.0.1:1');
    await world.transaction((tx) =>
      world
        .get(IdpLinks)
        .add(tx, { idpId, externalUserId, displayName: '<b>me</b>', userId: person.id, orgId: person.orgId }, EDITOR),
    );
    return idpId;
  };

  it('are shown with the day on which they were linked, in the language of the page', async () => {
    await world.rows(`UPDATE user_account SET preferred_language = 'de' WHERE id = $1`, [person.id]);
    await link('me-there');
    const linkedAt = world.clock.now();
    world.clock.advance('3d');
    const page = await holder.open(paths.accountLinks);
    expect(page.all('.account-facts > *').map(({ text }) => text)).toEqual([
      'Seit',
      `${new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeZone: 'UTC' }).format(linkedAt)} UTC`,
    ]);
    expect(page.find('time')?.getAttribute('datetime')).toBe(linkedAt.toISOString());
  });

  it('are removed after a question, and their owner is told', async () => {
    await link('me-there');
    const page = await holder.open(paths.accountLinks);
    expect(page.text).toContain('<b>me</b>');
    const question = pageOf(await holder.browser.submit(page, { account: 'me-there' }));
    expect(question.heading).toBe('Remove this link?');
    const done = pageOf(await holder.browser.submit(question, { confirmed: 'true' }));
    expect([statusOf(done), done.find('input[name="account"]')]).toEqual(['The link is removed.', null]);
    expect(await mailsTo(world, person.email)).toHaveLength(1);
  });

  it('stay if there is no other way in, also of two that are removed at once [ACC-008]', async () => {
    await link('one');
    await link('two');
    const page = await holder.open(paths.accountLinks);
    const forms = page.forms.filter(({ fields }) => 'account' in fields).map(({ fields }) => fields);
    await world.rows('UPDATE user_account SET password_hash = NULL WHERE id = $1', [person.id]);
    const answers = await Promise.all(
      forms.map(async (fields) =>
        pageOf(await holder.browser.post(paths.accountLinks, { ...fields, confirmed: 'true' })),
      ),
    );
    const wrong = answers.flatMap(errorsOf);
    expect(wrong).toEqual(['This is your only way to sign in. Add another one first.']);
    expect(await world.rows('SELECT 1 FROM idp_link WHERE user_id = $1', [person.id])).toHaveLength(1);
  });

  it('of other users are as unknown as ids that never were [ACC-003]', async () => {
    const idpId = await link('theirs');
    const stranger = new AccountHolder(world, await world.add.person({ orgId: person.orgId }));
    await stranger.open();
    const csrf = await tokenFor(stranger, paths.accountLinks);
    for (const [provider, account] of [
      [idpId, 'theirs'],
      [idpId, 'unknown'],
      ['1', '2'],
    ]) {
      const fields = { csrf, provider, account, confirmed: 'true' };
      expect((await stranger.browser.request('POST', paths.accountLinks, fields)).status).toBe(404);
    }
  });
});

describe('The download', () => {
  it('holds everything about its owner but secrets, as a file, once an hour [ACC-012]', async () => {
    const name = `<img src=x onerror=a()> \u202e ${'😀'.repeat(50)}`;
    await world.add.profile(person.id, { nickName: 'x', displayName: name.replace('\u202e', '') });
    await world.add.metadata(person.id, 'note', Buffer.from('</script>'));
    const app = await withApp(world, person, ['AAAAA-BBBBB']);
    const page = await holder.prove(pageOf(await holder.browser.get(paths.accountData)), () => app.code());
    const reply = await holder.browser.submitOnce(page, tokenOf(page));
    expect(reply.header('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.header('content-disposition')).toBe('attachment; filename="account.json"');
    expect(reply.header('x-content-type-options')).toBe('nosniff');
    const data = reply.json<{ user: { email: string }; metadata: unknown[]; events: unknown[] }>();
    expect(data.user.email).toBe(person.email);
    expect(data.metadata).toEqual([{ key: 'note', base64: Buffer.from('</script>').toString('base64') }]);
    expect(data.events.length).toBeGreaterThan(2);
    expect(reply.text).not.toMatch(/\$argon2|v1\.|password_hash|secret/);
    expect(reply.text).not.toContain(app.seed);
    const again = await holder.browser.submitOnce(page, tokenOf(page));
    expect([again.status, again.header('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  });
});
