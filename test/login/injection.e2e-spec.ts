import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import type { Page } from '../support/browser.js';
import { send, sendBytes } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { begin, beginPassword, expectRefused, pageOf, requestIdOf } from './turns.js';

/** What would run, if anything evaluated or rendered it. `src/page/pages.spec.ts` shows more of it on every page. */
const PAYLOADS = ['"><script>x()</script>', "'onmouseover=x()//", '\u2028</script>'] as const;

let world: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  await world.cast.alice;
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

const OWN_SCRIPT = /<script src="\/ui\/login\/assets\/login\.js\?v=[\w-]{12}" defer><\/script>/;

/** Elements and attributes that our pages have; whatever else appears was brought in. */
function expectHarmless(page: Page): void {
  const html = page.reply.text.replace(OWN_SCRIPT, '');
  const tags = [...html.matchAll(/<\/?([a-z][a-z\d]*)/gi)].map(([, tag]) => tag!.toLowerCase());
  expect(tags.filter((tag) => /^(script|iframe|object|embed|base|img|style)$/.test(tag))).toEqual([]);
  for (const element of page.all('*')) {
    for (const [name, value] of Object.entries(element.attributes)) {
      expect([name, /^on|^style$/i.test(name)]).toEqual([name, false]);
      if (/^(href|action|src|formaction)$/i.test(name))
        expect([name, value]).toEqual([name, expect.stringMatching(/^(\/|#|https:\/\/rp1\.test)/)]);
    }
  }
}

describe('Text from outside', () => {
  it.each(PAYLOADS)('is only text wherever a page repeats it: %j [LOG-013]', async (payload) => {
    const first = await begin(web1, { state: payload, ui_locales: payload, login_hint: payload });
    const pages = [
      first,
      await begin(web1, { login_hint: payload, prompt: 'select_account' }),
      pageOf(await web1.browser.get(web1.authorizePath({ client_id: payload }))),
      pageOf(await web1.browser.get(web1.authorizePath({ redirect_uri: payload }))),
      pageOf(await web1.browser.get(`${paths.hub}?authRequestID=${encodeURIComponent(payload)}`)),
      pageOf(
        await web1.browser.get(
          `${paths.hub}?error=${encodeURIComponent(payload)}&error_description=${encodeURIComponent(payload)}`,
        ),
      ),
      pageOf(
        await web1.browser.get(`/ui/login/${encodeURIComponent(payload)}?userID=${encodeURIComponent(payload)}&code=1`),
      ),
      pageOf(await web1.browser.submit(first, { loginName: payload, password: 'x' })),
      pageOf(await web1.browser.submit(await begin(web1), { loginName: payload })),
      pageOf(
        await web1.browser.submit(await begin(web1, { prompt: 'create' }), {
          email: payload,
          firstName: payload,
          lastName: payload,
          userName: payload,
          password: 'x',
          passwordRepeat: 'x',
        }),
      ),
    ];
    for (const page of pages) expectHarmless(page);
    expect(pages.at(-1)!.forms[0]!.fields['email']).toBe(payload);
  });

  it.each(PAYLOADS)('is only text wherever it was stored: %j [LOG-015]', async (payload) => {
    const org = await world.add.org(undefined, payload);
    const projectId = await world.add.project({ orgId: org.id, name: payload });
    const client = new RelyingParty(
      world,
      await world.add.client({ projectId, name: payload, consentPage: true, redirectUris: ['https://rp1.test/cb'] }),
    );
    const person = await world.add.person({ orgId: org.id, passwordChangeRequired: true });
    const name = payload.replaceAll(/[\u2028]/g, '');
    await world.add.profile(person.id, { firstName: name, lastName: name, displayName: name });
    const scope = `openid urn:service:iam:org:id:${org.id}`;
    const first = await begin(client, { prompt: 'consent', scope });
    const change = pageOf(
      await client.browser.submit(await beginPassword(client, person.loginName, { scope, prompt: 'consent' }), {
        password: person.password,
      }),
    );
    const consent = pageOf(
      await client.browser.submit(change, {
        oldPassword: person.password,
        newPassword: 'New-Password-123',
        newPasswordRepeat: 'New-Password-123',
      }),
    );
    const accounts = await begin(client, { scope, prompt: 'select_account' });
    const register = await begin(client, { scope, prompt: 'create' });
    const lobby = pageOf(await client.browser.get(paths.hub));
    for (const page of [first, change, consent, accounts, register, lobby]) expectHarmless(page);
    expect(consent.text).toContain(folded(payload));
    expect(accounts.find('.account-name')?.text).toBe(name);
  });

  it.each([
    '{{.LastName}}',
    "{{constructor.constructor('return process')()}}",
    '${7*7}',
    '<%= 7*7 %>',
    '#{7*7}',
    '{{#each this}}',
    '{client}',
    '$&',
  ])('is not evaluated as a template: %s [LOG-016]', async (firstName) => {
    const person = await world.add.person({
      orgId: (await world.cast.orgA).id,
      profile: { firstName, lastName: 'Last', displayName: firstName },
    });
    await web1.signIn(person);
    world.clock.advance('1s');
    const page = await begin(web1, { prompt: 'select_account' });
    expect(page.find('.account-name')?.text).toBe(firstName);
  });

  it('given as an error by the caller is not shown as ours [LOG-014]', async () => {
    const said = 'Call 555-0100 and tell them your password';
    for (const path of [paths.hub, paths.signedOut, '/ui/login/error', paths.loginName]) {
      const { text } = pageOf(
        await web1.browser.get(
          `${path}?error=${encodeURIComponent(said)}&error_description=${encodeURIComponent(said)}`,
        ),
      );
      expect(text).not.toContain('555-0100');
    }
  });
});

/** As a page is read. */
function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

describe('The files of the pages', () => {
  it('are served with their type, to be kept for good', async () => {
    const page = await begin(web1);
    const href = page.find('link[rel="stylesheet"]')!.getAttribute('href')!;
    const css = await web1.browser.request('GET', href);
    expect([css.status, css.header('content-type'), css.header('cache-control')]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    const icon = await web1.browser.request('GET', paths.icon);
    expect([icon.status, icon.header('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
  });

  it.each([
    '/ui/login/../../etc/passwd',
    '/ui/login/assets/../../../etc/passwd',
    '/ui/login/assets/..%2f..%2f..%2fetc%2fpasswd',
    '/ui/login/assets/..%5c..%5cetc%5cpasswd',
    '/ui/login/assets/login.css%00.html',
    '/ui/login/assets/%00.css',
    '/ui/login/assets/',
    '/ui/login/assets/login.css/..',
    '/ui/login//assets/login.css',
    '/ui/login/assets/%2e%2e/login.css',
    '/ui/login/assets/en.json',
  ])('do not lead to another file: %s [LOG-022]', async (path) => {
    const reply = await send(world.origin, { path });
    expect(reply.status).toBe(404);
    expect(reply.text).not.toMatch(/root:|\.card\b/);
  });

  it.each(['/ui/login/%ff', '/ui/login/%zz', '/ui/login/%'])(
    'and a path that cannot be read is refused: %s [LOG-022]',
    async (path) => {
      const answer = await sendBytes(
        world.origin,
        `GET ${path} HTTP/1.1\r\nHost: id.test\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1.1 40[04] /);
    },
  );
});

describe('The language of a page', () => {
  it('is that of its own request, however many are shown at once [LOG-023]', async () => {
    const own = { de: 'Anmelden', en: 'Sign in' } as const;
    const requests = await Promise.all(
      Array.from({ length: 9 }, async (_, n) => {
        const language = (['de', 'en', 'da'] as const)[n % 3]!;
        const client = web1.elsewhere();
        const page = await begin(client, { ui_locales: language });
        return { client, language: language === 'da' ? ('en' as const) : language, id: requestIdOf(page) };
      }),
    );
    const shown = await Promise.all(
      Array.from({ length: 45 }, async (_, n) => {
        const { client, language, id } = requests[n % requests.length]!;
        return { language, page: pageOf(await client.browser.get(`${paths.hub}?authRequestID=${id}`)) };
      }),
    );
    for (const { language, page } of shown) {
      expect(page.reply.header('content-language')).toBe(language);
      expect(page.find('html')?.getAttribute('lang')).toBe(language);
      expect(page.find('h1')?.text).toBe(own[language]);
      expect(page.text).not.toContain(language === 'de' ? 'Login name' : 'Anmeldename');
    }
  });

  it('is one of ui_locales, else of the browser, also on pages of refusals', async () => {
    web1.browser.acceptLanguage = 'da, de;q=0.5';
    expect((await begin(web1, { ui_locales: 'se en' })).reply.header('content-language')).toBe('en');
    expect((await begin(web1)).reply.header('content-language')).toBe('de');
    const refused = await web1.browser.request('GET', `${paths.hub}?authRequestID=1`);
    expectRefused(refused, 404);
    expect(refused.header('content-language')).toBe('de');
  });
});
