import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpuMsOf } from '../support/effort.js';
import { sendUnchecked } from '../support/http.js';
import { answerOf, newPkce, RelyingParty } from '../support/relying-party.js';
import { expectPage400, expectToken400, XSS } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let web1: RelyingParty;
let nat1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  web1 = new RelyingParty(world, await world.cast.web1);
  nat1 = new RelyingParty(world, await world.cast.nat1);
  await world.cast.web2;
});
afterAll(() => world.close());

/** The error is shown to the person, and nothing is stored. */
async function expectPage(
  rp: RelyingParty,
  over: Parameters<RelyingParty['authorizeOnce']>[0],
  offending?: string,
): Promise<void> {
  const before = await world.contents();
  expectPage400(await rp.authorizeOnce(over), offending);
  expect(await world.contents()).toBe(before);
}

describe('GET /oauth/v2/authorize: RFC 6749 §4.1.2.1, without a valid redirect_uri the error is a page', () => {
  it.each([undefined, ''])('when redirect_uri is missing or empty: %p [AUT-001]', async (uri) => {
    await expectPage(web1, { redirect_uri: uri });
  });

  it.each([
    {},
    { prompt: 'none' },
    { response_type: 'bogus' },
    { scope: '' },
    { prompt: 'none login' },
    { request: 'x' },
  ])('whatever else is wrong with the request: %j [AUT-002]', async (over) => {
    await expectPage(web1, { redirect_uri: 'https://evil.test/cb', ...over });
  });

  it('names the address that was received, so that a developer finds the mistake', async () => {
    expect((await web1.authorize({ redirect_uri: 'https://rp1.test/wrong' })).page?.text).toContain(
      'https://rp1.test/wrong',
    );
  });
});

describe('redirect_uri is compared as a string', () => {
  it.each([
    'https://rp1.test/cb/',
    'https://RP1.test/cb',
    'https://rp1.test@evil.test/cb',
    'https://rp1.test/cb#f',
    'https://rp1.test\\@evil.test/cb',
  ])('and refused if it is another: %s', async (uri) => {
    await expectPage(web1, { redirect_uri: uri }, uri);
  });

  it('and taken when it is registered with a query, which is kept [AUT-009]', async () => {
    const arrival = await web1.enter(
      await web1.authorize({ redirect_uri: 'https://rp1.test/cb?x=1' }),
      await world.cast.alice,
    );
    expect(arrival.redirect).toMatch(/^https:\/\/rp1\.test\/cb\?x=1&code=/);
  });

  it('whole: neither a prefix nor a pattern is enough [AUT-016]', async () => {
    const rp = new RelyingParty(
      world,
      await world.add.client({ projectId: await world.cast.projectP, redirectUris: ['https://rp.example'] }),
    );
    for (const uri of ['https://rp.example.evil.test', 'https://rp.exampleevil.test', 'https://rpxexample/'])
      await expectPage(rp, { redirect_uri: uri });
    expect((await rp.authorize()).page?.find('input[name="loginName"]')).not.toBeNull();
  });

  it('of the client that asks: one of another client is none [AUT-018]', async () => {
    await expectPage(web1, { redirect_uri: 'https://rp2.test/cb' });
  });
});

describe('Registering a redirect URI', () => {
  const DANGEROUS = [
    'javascript:x()',
    'JaVaScRiPt:x()',
    'data:text/html,x',
    'vbscript:x',
    'file:///x',
    'blob:x',
    'http:evil',
    'https://',
  ];

  it.each(['redirectUris', 'postLogoutRedirectUris'])(
    'refuses in %s what runs a script, is a file or no address, and stores nothing [AUT-011]',
    async (field) => {
      const before = await world.contents();
      for (const uri of DANGEROUS) {
        await expect(world.add.client({ projectId: await world.cast.projectP, [field]: [uri] })).rejects.toMatchObject({
          kind: 'InvalidArgument',
        });
      }
      expect(await world.contents()).toBe(before);
    },
  );

  it('names every URI that is wrong, by its place', async () => {
    const wrong = world.add.client({
      projectId: await world.cast.projectP,
      redirectUris: ['https://a.test/', 'javascript:x()', 'https://a.test/#f'],
    });
    await expect(wrong).rejects.toMatchObject({
      violations: [{ field: 'redirectUris[1]' }, { field: 'redirectUris[2]' }],
    });
  });

  it('refuses a fragment [AUT-006]', async () => {
    await expect(
      world.add.client({ projectId: await world.cast.projectP, redirectUris: ['https://rp1.test/cb#f'] }),
    ).rejects.toMatchObject({ kind: 'InvalidArgument' });
  });

  it('refuses http for a web application outside development mode [AUT-015]', async () => {
    const input = { projectId: await world.cast.projectP, redirectUris: ['http://rp1.test/cb'] };
    await expect(world.add.client(input)).rejects.toMatchObject({ kind: 'InvalidArgument' });
    expect(await world.add.client({ ...input, devMode: true })).toBeDefined();
  });
});

describe('Loopback redirects of native clients: RFC 8252 §7.3', () => {
  it.each(['http://127.0.0.1:51004/cb', 'http://[::1]:51004/cb'])(
    'take any port, and bind the code to it: %s [AUT-012]',
    async (uri) => {
      const alice = await world.cast.alice;
      const code = await nat1.code(alice, { redirect_uri: uri });
      expectToken400(await nat1.redeem(code), 'invalid_grant');
      expectToken400(
        await nat1.redeem(await nat1.code(alice, { redirect_uri: uri }), {
          redirect_uri: uri.replace('51004', '51005'),
        }),
        'invalid_grant',
      );
      expect((await nat1.redeem(await nat1.code(alice, { redirect_uri: uri }), { redirect_uri: uri })).status).toBe(
        200,
      );
    },
  );

  it('have a fixed port for web clients [AUT-013]', async () => {
    const rp = new RelyingParty(
      world,
      await world.add.client({
        projectId: await world.cast.projectP,
        devMode: true,
        redirectUris: ['http://localhost:3000/cb'],
      }),
    );
    await expectPage(rp, { redirect_uri: 'http://localhost:3001/cb' });
    expect((await rp.authorize()).page?.status).toBe(200);
  });

  it.each([
    'http://127.0.0.1.evil.test/cb',
    'http://127.1/cb',
    'http://0x7f000001/cb',
    'http://127.000.000.001:80/cb',
    'HTTP://127.0.0.1:9/cb',
    'https://127.0.0.1:9/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:9/x/../cb',
    'http://127.0.0.1::9/cb',
  ])('are loopback and nothing else: %s [AUT-014]', async (uri) => {
    await expectPage(nat1, { redirect_uri: uri });
  });

  it('go to a custom scheme as registered', async () => {
    nat1.pkce = newPkce();
    const arrival = await nat1.enter(
      await nat1.authorize({ redirect_uri: 'com.example.app:/cb' }),
      await world.cast.alice,
    );
    expect(arrival.redirect).toMatch(/^com\.example\.app:\/cb\?code=/);
  });
});

describe('client_id', () => {
  it.each([undefined, '', 'nobody', ...XSS])(
    'that names no client gets a page with the value escaped: %p [AUT-018]',
    async (clientId) => {
      await expectPage(web1, { client_id: clientId }, clientId);
    },
  );

  it('of an application that does not sign users in gets a page', async () => {
    await expectPage(web1, { client_id: (await world.cast.api1).clientId });
  });
});

describe('A redirect_uri of great length', () => {
  it.each<[string, string]>([
    ['10,000 characters', `https://rp1.test/${'a'.repeat(9983)}`],
    ['nested escapes', `https://rp1.test/${'%25'.repeat(1500)}`],
    ['2,000 dot segments', `https://rp1.test${'/..'.repeat(2000)}/`],
  ])('is refused in 200 ms of processor time: %s [AUT-017]', async (_, uri) => {
    const path = web1.authorizePath({ redirect_uri: uri });
    const statuses: number[] = [];
    const cpuMs = await cpuMsOf(async () => statuses.push((await sendUnchecked(world.origin, { path })).status));
    for (const status of statuses) expect([400, 414, 431]).toContain(status);
    expect(cpuMs).toBeLessThan(200);
  });
});

it('answers a valid request with a code that goes to that address alone', async () => {
  const arrival = await web1.enter(await web1.authorize(), await world.cast.alice);
  expect(arrival.redirect?.startsWith('https://rp1.test/cb?code=')).toBe(true);
  expect(Object.keys(answerOf(arrival.redirect!)).sort()).toEqual(['code', 'iss', 'state']);
});
