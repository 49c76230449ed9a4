import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Stage, somebody } from './support/stage.js';
import { objectIdOf, TENANT } from './support/vendors.js';

const OTHER_TENANT = '3338040d-6c67-4c5b-b112-36a304b66dad';
const STRANGE_TENANT = 'ffff040d-6c67-4c5b-b112-36a304b66dad';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.set();
});
afterEach(() => {
  stage.vendors.userText = undefined;
});
afterAll(() => stage.close());

describe('The mark of a vendor', () => {
  it('is on its button, and not on those of others', async () => {
    await stage.add('google', {}, { name: 'Marked' });
    await stage.add('oauth', {}, { name: 'Plain' });
    const page = await stage.firstPage(stage.elsewhere());
    const marks = page
      .all('.providers li')
      .map((item) => [
        item.text.trim(),
        item.querySelectorAll('.provider-mark-own svg[focusable="false"] path[stroke="#4285f4"]').length,
        item.querySelector('.provider-mark')?.getAttribute('aria-hidden'),
      ]);
    expect(marks).toEqual([
      ['Continue with Marked', 1, 'true'],
      ['Continue with Plain', 0, 'true'],
    ]);
  });
});

describe('Entra', () => {
  const tenants = { tenants: [TENANT, OTHER_TENANT] };
  const issuerOf = (tenant: string) => `${stage.vendors.at('entra')}/${tenant}/v2.0`;

  it('signs in users of each tenant on the list, apart by tenant and object', async () => {
    const id = await stage.add('entra', tenants);
    const ann = somebody();
    const there = { tid: OTHER_TENANT, iss: issuerOf(OTHER_TENANT), email: 'ann@other.test' };
    expect([await stage.visit(id, ann), await stage.visit(id, ann, there)]).toEqual([302, 302]);
    const oid = objectIdOf(ann.subject);
    const subjects = (await stage.linked(id)).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual([`${OTHER_TENANT}.${oid}`, `${TENANT}.${oid}`]);
  });

  it('is refused with a token of a tenant that is not allowed, or whose tid does not match iss (SOC-001)', async () => {
    const id = await stage.add('entra', tenants);
    const one = await stage.add('entra', { tenants: [TENANT] });
    const strange = { tid: STRANGE_TENANT, iss: issuerOf(STRANGE_TENANT) };
    const crossed = { tid: TENANT, iss: issuerOf(OTHER_TENANT) };
    const templated = { iss: issuerOf('{tenantid}') };
    for (const over of [strange, crossed, templated, { ...strange, tid: undefined }])
      expect(await stage.visit(id, somebody(), over)).toBe(400);
    for (const over of [strange, { tid: OTHER_TENANT, iss: issuerOf(OTHER_TENANT) }])
      expect(await stage.visit(one, somebody(), over)).toBe(400);
    expect([await stage.linked(id), await stage.linked(one)]).toEqual([[], []]);
  });

  it('verifies no address without xms_edov, and links nobody by it (SOC-001)', async () => {
    const id = await stage.add('entra', { ...tenants, verifiedDomains: [`${OTHER_TENANT}/victim.test`] });
    const victim = await stage.world.add.user({ email: 'ceo@victim.test' });
    const attacker = somebody({ email: 'ceo@victim.test', emailVerified: false });
    await stage.visit(id, attacker, { xms_edov: undefined, email_verified: true });
    const found = await stage.world.sql`
      SELECT id FROM user_account WHERE email = 'ceo@victim.test' AND email_verified AND id <> ${victim.id}`;
    const links = await stage.linked(id);
    expect([found, links.filter(({ userId }) => userId === victim.id)]).toEqual([[], []]);
    expect(links.map(({ emailVerified }) => emailVerified)).toEqual([false]);
  });

  it('without a tenant is added, but not offered', async () => {
    const added = await stage.admin.call('POST', '/admin/v1/idps/extension', {
      name: 'No tenant',
      kind: 'ext:social-entra',
      settings: {},
    });
    expect(added['state']).toBe('IDP_STATE_INACTIVE');
  });
});

describe('GitHub', () => {
  it('takes who has the former name of another for another person (SOC-002)', async () => {
    const id = await stage.add('github');
    const ann = somebody({ userName: 'ann' });
    expect(await stage.visit(id, ann)).toBe(302);
    expect(await stage.visit(id, { ...ann, userName: 'ann-renamed' })).toBe(302);
    expect(await stage.visit(id, somebody({ userName: 'ann' }))).toBe(302);
    const links = await stage.linked(id);
    expect(links[0]?.subject).toBe(ann.subject);
    expect([links.length, new Set(links.map(({ userId }) => userId)).size]).toEqual([2, 2]);
  });
});

describe('Apple', () => {
  const forged = JSON.stringify({ name: { firstName: 'Chief', lastName: 'Executive' }, email: 'ceo@victim.test' });

  it('answers by form, whose user is a name to show, once (SOC-003)', async () => {
    const id = await stage.add('apple');
    const ann = somebody();
    const party = stage.elsewhere();
    const answer = stage.vendors.answerTo(await stage.leave(party, id), ann);
    const { status, address } = await stage.comeBackByForm(party, id, { ...answer, user: forged });
    expect([status, decodeURIComponent(address)]).toEqual([302, expect.not.stringContaining('Chief')]);
    const first = await stage.linked(id);
    expect(first).toMatchObject([
      { subject: ann.subject, email: ann.email, emailVerified: true, firstName: 'Chief', lastName: 'Executive' },
    ]);
    const again = stage.elsewhere();
    const next = stage.vendors.answerTo(await stage.leave(again, id), ann);
    const other = JSON.stringify({ name: { firstName: 'Another' } });
    expect((await stage.comeBackByForm(again, id, { ...next, user: other })).status).toBe(302);
    expect(await stage.linked(id)).toEqual(first);
  });

  it('is refused with a form that was taken, or with the state of the turn of another provider (SOC-003)', async () => {
    const [id, other] = [await stage.add('apple'), await stage.add('apple')];
    const party = stage.elsewhere();
    const answer = stage.vendors.answerTo(await stage.leave(party, id), somebody());
    expect((await stage.comeBackByForm(party, id, { ...answer, user: forged })).status).toBe(302);
    expect((await stage.comeBackByForm(party, id, { ...answer, user: forged })).status).toBe(400);
    const second = stage.elsewhere();
    const { code, state } = stage.vendors.answerTo(await stage.leave(second, id), somebody());
    expect((await stage.comeBackByForm(second, other, { code, state })).status).toBe(400);
  });

  it('is refused with a user that belongs to another state, is repeated or too long', async () => {
    const id = await stage.add('apple');
    const [one, two] = [stage.elsewhere(), stage.elsewhere()];
    const first = stage.vendors.answerTo(await stage.leave(one, id), somebody());
    const second = stage.vendors.answerTo(await stage.leave(two, id), somebody());
    const stranger = stage.world.browser();
    const path = `/ui/login/login/externalidp/callback/${id}`;
    const { location = '' } = await stranger.request('POST', path, { ...first, user: forged });
    const brought = new URL(location, 'https://a.test').searchParams.get('brought') ?? '';
    expect(brought).not.toBe('');
    expect(await stage.comeBack(two, id, { ...second, brought })).toBe(400);
    expect(await stage.comeBack(two, id, { ...second, brought: 'gts_forged' })).toBe(400);
    const long = JSON.stringify({ name: { firstName: 'x'.repeat(2_000) } });
    expect((await stage.comeBackByForm(one, id, { ...first, user: long })).status).toBe(400);
  });
});

describe('A user endpoint', () => {
  it.each<[string, string]>([
    ['an array', '[{"id": 1}]'],
    ['2 MB', JSON.stringify({ id: 1, padding: 'x'.repeat(2_000_000) })],
    ['an id that is an object', '{"id": {"id": 1}}'],
  ])('that answers %s signs nobody in (SOC-005)', async (_, text) => {
    for (const vendor of ['oauth', 'github'] as const) {
      const id = await stage.add(vendor);
      stage.vendors.userText = text;
      expect([vendor, await stage.visit(id, somebody()), await stage.linked(id)]).toEqual([vendor, 502, []]);
    }
  });

  it('that answers a number above 2^53 means its digits (SOC-005)', async () => {
    for (const vendor of ['oauth', 'github'] as const) {
      const id = await stage.add(vendor);
      for (const number of ['9007199254740993', '9007199254740992']) {
        stage.vendors.userText = `{"id": ${number}, "login": "n${number}", "mail": {"address": "n${number}@mail.test"}}`;
        await stage.visit(id, somebody());
      }
      const subjects = (await stage.linked(id)).map(({ subject }) => subject);
      expect([vendor, subjects.sort()]).toEqual([vendor, ['9007199254740992', '9007199254740993']]);
    }
  });

  it('of plain OAuth 2.0 verifies an address only if the administrator says so', async () => {
    const members = { emailVerifiedAttribute: '/mail/verified' };
    const isVerified = async (settings: object) => {
      const id = await stage.add('oauth', settings);
      await stage.visit(id, somebody());
      return (await stage.linked(id)).map(({ emailVerified }) => emailVerified);
    };
    expect(await isVerified(members)).toEqual([false]);
    expect(await isVerified({ ...members, trustsEmailVerified: true })).toEqual([true]);
  });
});

describe("A provider's options", () => {
  const REFUSED = { isLinkingAllowed: false, isCreationAllowed: false, isAutoCreation: true };

  it('forbid accounts and links at the callback, on the account page and by the API (SOC-004)', async () => {
    for (const vendor of ['google', 'entra', 'github', 'gitlab', 'apple', 'oauth'] as const) {
      const id = await stage.add(vendor, {}, { providerOptions: REFUSED });
      const account = somebody();
      const party = stage.elsewhere();
      const answer = stage.vendors.answerTo(await stage.leave(party, id), account);
      const query = new URLSearchParams(answer);
      const { page } = await party.browser.get(`/ui/login/login/externalidp/callback/${id}?${query}`);
      if (!page) throw new Error(`${vendor}: a newcomer was sent on.`);
      const { action, fields } = page.formWith('csrf');
      for (const decision of ['create', 'link']) {
        const { status } = await party.browser.request('POST', action, { ...fields, decision, email: account.email });
        expect([vendor, decision, status]).toEqual([vendor, decision, 400]);
      }
      expect([vendor, await stage.linked(id)]).toEqual([vendor, []]);
      const { subject } = account;
      const verdict = await stage.admin.verdict('POST', '/management/v1/users/human/_import', {
        userName: account.userName,
        profile: { firstName: 'A', lastName: 'B' },
        email: { email: account.email, isEmailVerified: true },
        idps: [{ configId: id, externalUserId: subject, displayName: 'x' }],
      });
      expect([vendor, verdict]).toEqual([vendor, '400 idp.linking_not_allowed']);
    }
  });
});

describe('Google', () => {
  it('signs in users of a domain by the claim of the token alone', async () => {
    const id = await stage.add('google', { hostedDomains: ['acme.test'] });
    const party = stage.elsewhere();
    expect(new URL(await stage.leave(party, id)).searchParams.get('hd')).toBe('acme.test');
    for (const over of [{}, { hd: 'evil.test' }, { hd: ['acme.test'] }, { email: 'a@acme.test' }])
      expect(await stage.visit(id, somebody(), over)).toBe(400);
    expect(await stage.visit(id, somebody(), { hd: 'acme.test' })).toBe(302);
  });

  it('is refused with a token for another application, of another nonce, issuer or time', async () => {
    const id = await stage.add('google');
    const seconds = stage.world.clock.now().getTime() / 1000;
    for (const over of [
      { aud: 'another-client' },
      { aud: ['social-client', 'another-client'] },
      { azp: 'another-client' },
      { nonce: 'another' },
      { nonce: undefined },
      { iss: stage.vendors.at('gitlab') },
      { exp: seconds - 61 },
      { exp: undefined },
      { iat: seconds + 3_600 },
    ])
      expect([over, await stage.visit(id, somebody(), over)]).toEqual([over, 400]);
    expect(await stage.linked(id)).toEqual([]);
  });

  it('may change its keys, which are fetched for a key that is unknown', async () => {
    const id = await stage.add('google');
    expect(await stage.visit(id, somebody())).toBe(302);
    stage.world.clock.advance('1m');
    await stage.vendors.changeKeys();
    expect(await stage.visit(id, somebody())).toBe(302);
  });
});
