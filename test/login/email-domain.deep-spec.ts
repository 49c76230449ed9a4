import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addOidc, OUTBOUND, visit } from '../idp/external.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { PASSWORD, type TestOrg, uniqueName } from '../support/builders.js';
import { mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { begin, errorsOf, pageOf } from './turns.js';

const USERS = '/management/v1/users';
const TYPED = 'BÜCHER.example';
const ASCII = 'xn--bcher-kva.example';

let world: World;
let upstream: Upstream;
let org: TestOrg;
let manager: AdminApi;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
  upstream = await startUpstream(world);
  org = await world.cast.orgA;
  manager = (await callerWith(world, org, ['ORG_USER_MANAGER'])).api;
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});
beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

const name = (): string => uniqueName('anna');
const person = (email: string, more: Json = {}): Json => ({
  userName: name(),
  profile: { firstName: 'Anna', lastName: 'Buch' },
  email: { email, isEmailVerified: false },
  ...more,
});
const add = async (email: string, more: Json = {}): Promise<string> =>
  (await manager.call('POST', `${USERS}/human`, person(email, more)))['userId'] as string;
const stored = async (id: string): Promise<unknown> =>
  (await world.rows('SELECT email, email_key AS key FROM user_account WHERE id = $1', [id]))[0];
const ids = (answer: Json): string[] => ((answer['result'] ?? []) as Array<{ id: string }>).map(({ id }) => id);
const signIn = async (loginName: string): Promise<boolean> => {
  const browser = web1.elsewhere();
  return (await browser.enter(await browser.authorize(), { loginName, password: PASSWORD })).redirect !== undefined;
};

describe('The domain of an e-mail address that a manager gives', () => {
  it('is stored, answered and mailed to in ASCII and lower case, and compared so', async () => {
    const local = name();
    const id = await add(`${local}@${TYPED}`);
    expect(await stored(id)).toEqual({ email: `${local}@${ASCII}`, key: `${local}@${ASCII}` });
    expect((await manager.call('GET', `${USERS}/${id}/email`))['email']).toEqual({
      email: `${local}@${ASCII}`,
      isEmailVerified: false,
    });
    expect(await mailsTo(world, `${local}@${ASCII}`)).toHaveLength(1);
    const isUnique = async (email: string): Promise<unknown> =>
      (await manager.call('GET', `${USERS}/_is_unique?userName=${name()}&email=${encodeURIComponent(email)}`))[
        'isUnique'
      ];
    expect([
      await isUnique(`${local}@bücher.example`),
      await isUnique(`${local}@Xn--Bcher-Kva.Example`),
      await isUnique(`${local}@ｂücher.example`),
      await isUnique(`${local}@bucher.example`),
    ]).toEqual([false, false, false, true]);
  });

  it('is the same address in another spelling: a verified one stays verified, and nothing is mailed', async () => {
    const local = name();
    const id = await add(`${local}@${ASCII}`, {
      email: { email: `${local}@${ASCII}`, isEmailVerified: true },
      initialPassword: PASSWORD,
    });
    await manager.call('PUT', `${USERS}/${id}/email`, { email: `${local}@${TYPED}` });
    expect((await manager.call('GET', `${USERS}/${id}/email`))['email']).toEqual({
      email: `${local}@${ASCII}`,
      isEmailVerified: true,
    });
    expect(await mailsTo(world, `${local}@${ASCII}`)).toHaveLength(0);
  });

  it('is found in either spelling', async () => {
    const local = name();
    const id = await add(`${local}@${TYPED}`);
    const search = async (...queries: Json[]): Promise<string[]> =>
      ids(await manager.call('POST', `${USERS}/_search`, { queries }));
    for (const method of [
      'EQUALS',
      'EQUALS_IGNORE_CASE',
      'STARTS_WITH',
      'CONTAINS',
      'CONTAINS_IGNORE_CASE',
      'ENDS_WITH',
    ]) {
      expect([
        method,
        await search({
          emailQuery: { emailAddress: `${local}@bücher.example`, method: `TEXT_QUERY_METHOD_${method}` },
        }),
      ]).toEqual([method, [id]]);
    }
    expect(await search({ inUserEmailsQuery: { userEmails: [`${local}@Bücher.Example`] } })).toEqual([id]);
  });

  it.each(['-a.test', 'xn--a.test', 'a..test', 'ev%69l.test', 'evil.test/x', '127.0.0.1'])(
    'is refused if it is not valid, with a sentence that says so: %s',
    async (domain) => {
      const reply = await manager.ask('POST', `${USERS}/human`, person(`anna@${domain}`));
      expect([reply.status, reply.text.includes(`\\"${domain}\\" is no domain`)]).toEqual([400, true]);
      const id = await add(`${name()}@mail.test`);
      expect(await manager.verdict('PUT', `${USERS}/${id}/email`, { email: `anna@${domain}` })).toBe('400 email');
      expect(await manager.verdict('POST', `${USERS}/${id}/_resend_initialization`, { email: `anna@${domain}` })).toBe(
        '400 email',
      );
    },
  );
});

describe('Who signs in by an address', () => {
  it('types its domain in either spelling, whether it is their e-mail address or their user name', async () => {
    const [local, other] = [name(), name()];
    await add(`${local}@${TYPED}`, {
      email: { email: `${local}@${TYPED}`, isEmailVerified: true },
      initialPassword: PASSWORD,
    });
    await add(`${other}@mail.test`, {
      userName: `${other}@bücher.example`,
      email: { email: `${other}@mail.test`, isEmailVerified: true },
      initialPassword: PASSWORD,
    });
    for (const one of [local, other]) {
      expect([
        await signIn(`${one}@bücher.example`),
        await signIn(`${one}@${ASCII}`),
        await signIn(`${one}@Ｂücher.example`),
        await signIn(`${one}@bucher.example`),
      ]).toEqual([true, true, true, false]);
    }
  });

  it('types the domain of the organization in either spelling', async () => {
    const place = await world.add.org(`xn--grn-ioa.${uniqueName('place')}.test`);
    const { userName } = await world.add.person({ orgId: place.id, password: PASSWORD });
    const [, rest] = /^xn--grn-ioa(.*)$/.exec(
      (await world.rows<{ domain: string }>('SELECT domain FROM org_domain WHERE org_id = $1', [place.id]))[0]!.domain,
    )!;
    expect([await signIn(`${userName}@grün${rest}`), await signIn(`${userName}@xn--grn-ioa${rest}`)]).toEqual([
      true,
      true,
    ]);
  });

  it('has a user name that no one else gets in another spelling', async () => {
    const userName = `${name()}@faß.example`;
    await add('anna@mail.test', { userName });
    expect(
      await manager.verdict(
        'POST',
        `${USERS}/human`,
        person('anna@mail.test', { userName: userName.replace('faß', 'xn--fa-hia') }),
      ),
    ).toBe('409 user.name_taken');
  });
});

describe('A registration', () => {
  const entry = (email: string): Record<string, string> => ({
    email,
    firstName: 'Anna',
    lastName: 'Buch',
    userName: '',
    password: PASSWORD,
    passwordRepeat: PASSWORD,
  });

  it('with a known address in another spelling is only reported to its owner', async () => {
    const local = name();
    await world.add.person({ orgId: world.firstStart.orgId, email: `${local}@${TYPED}`, emailVerified: true });
    const page = pageOf(
      await web1.browser.submit(await begin(web1, { prompt: 'create' }), entry(`${local}@bücher.example`)),
    );
    expect(page.title).toContain('Confirm your e-mail address');
    expect(await world.rows('SELECT 1 FROM user_account WHERE email = $1', [`${local}@${ASCII}`])).toHaveLength(1);
    expect(await mailsTo(world, `${local}@${ASCII}`)).toHaveLength(1);
  });

  it('keeps the domain in ASCII, and refuses what is none', async () => {
    const local = name();
    await web1.browser.submit(await begin(web1, { prompt: 'create' }), entry(`${local}@${TYPED}`));
    expect(
      await world.rows(
        'SELECT u.email, r.email AS registered FROM user_account u JOIN registration r ON r.user_id = u.id WHERE u.email = $1',
        [`${local}@${ASCII}`],
      ),
    ).toEqual([{ email: `${local}@${ASCII}`, registered: `${local}@${ASCII}` }]);
    const page = pageOf(await web1.browser.submit(await begin(web1, { prompt: 'create' }), entry(`${local}@-a.test`)));
    expect(errorsOf(page)).toEqual(['Enter an e-mail address in the form name@example.com.']);
  });

  it('at a domain that another organization has proven, in any spelling, is refused', async () => {
    const domain = `xn--grn-ioa.${uniqueName('proven')}.test`;
    await world.add.org(domain);
    const page = pageOf(
      await web1.browser.submit(
        await begin(web1, { prompt: 'create' }),
        entry(`anna@${domain.replace('xn--grn-ioa', 'GRÜN')}`),
      ),
    );
    expect(page.title).toContain('Create an account');
    expect(errorsOf(page)).toHaveLength(1);
  });
});

it('An address from an identity provider is stored in the same spelling', async () => {
  const idpId = await addOidc(world, upstream.issuer, { autoRegister: true, name: 'Books' });
  const sub = name();
  await visit(
    web1,
    upstream,
    idpId,
    {
      sub,
      preferred_username: sub,
      given_name: 'Anna',
      family_name: 'Buch',
      email: `${sub}@${TYPED}`,
      email_verified: true,
    },
    { scope: `openid urn:service:iam:org:id:${org.id}` },
  );
  expect(
    await world.rows(
      'SELECT u.email, u.email_verified FROM user_account u JOIN idp_link l ON l.user_id = u.id WHERE l.external_user_id = $1',
      [sub],
    ),
  ).toEqual([{ email: `${sub}@${ASCII}`, email_verified: true }]);
});

describe('An import', () => {
  const document = (id: string, email: string, userName = id): Json => ({
    data_orgs: {
      orgs: [
        {
          orgId: org.id,
          humanUsers: [
            {
              userId: id,
              user: {
                userName,
                profile: { firstName: 'Anna', lastName: 'Buch' },
                email: { email, isEmailVerified: true },
              },
            },
          ],
        },
      ],
    },
  });

  it('imports addresses in the same spelling, finds them there already in any, and refuses invalid domains', async () => {
    const { api } = await callerWith(world, org, ['IAM_OWNER']);
    const id = name();
    await api.call('POST', '/admin/v1/import', document(id, `${id}@${TYPED}`));
    expect(await stored(id)).toEqual({ email: `${id}@${ASCII}`, key: `${id}@${ASCII}` });
    expect((await api.call('POST', '/admin/v1/import', document(id, `${id}@bücher.example`)))['success']).toBeDefined();
    const reply = await api.ask('POST', '/admin/v1/import', document(name(), 'anna@ev%69l.test'));
    expect([
      reply.status,
      reply.text.includes('orgs[0].humanUsers[0].user.email.email'),
      reply.text.includes('is no domain'),
    ]).toEqual([400, true, true]);
  });

  it('refuses a user name that is taken in another spelling', async () => {
    const { api } = await callerWith(world, org, ['IAM_OWNER']);
    const userName = `${name()}@bücher.example`;
    await add('anna@mail.test', { userName });
    expect(
      (
        await api.ask(
          'POST',
          '/admin/v1/import',
          document(name(), 'anna@mail.test', userName.replace('bücher', 'xn--bcher-kva')),
        )
      ).status,
    ).toBe(409);
  });
});
