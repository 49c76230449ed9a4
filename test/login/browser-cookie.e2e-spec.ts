import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { Browser } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import { send, sendBytes } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { begin, beginPassword, pageOf } from './turns.js';

const NAME = '__Host-gatehouse';
const pageScripts = (html: string): string[] => html.match(/<script[^>]*>/gu) ?? [];

let world: World;
let alice: TestPerson;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ publicUrl: 'https://id.test' });
  alice = await world.cast.alice;
});

afterAll(() => world.close());

beforeEach(async () => {
  web1 = new RelyingParty(world, await world.cast.web1);
});

/** What a silent request with this cookie header is answered. */
async function silently(cookie: string): Promise<string | undefined> {
  const reply = await send(world.origin, { path: web1.authorizePath({ prompt: 'none' }), headers: { Cookie: cookie } });
  return new URL(reply.location!).searchParams.get('error') ?? 'signed in';
}

describe('The cookie of the browser', () => {
  it('gets another value at each sign-in, and a planted one opens nothing [LOG-004]', async () => {
    const attacker = web1.elsewhere();
    await begin(attacker);
    const planted = attacker.browser.cookies.get(NAME)!;
    web1.browser.cookies.set(NAME, planted);
    expect((await web1.signIn(alice)).code).toBeDefined();
    const own = web1.browser.cookies.get(NAME)!;
    expect(own).not.toBe(planted);
    expect(await silently(`${NAME}=${planted}`)).toBe('login_required');
    expect(await silently(`${NAME}=${own}`)).toBe('signed in');

    const invented = 'A'.repeat(43);
    const stranger = web1.elsewhere();
    stranger.browser.cookies.set(NAME, invented);
    expect((await stranger.signIn(alice)).code).toBeDefined();
    expect(stranger.browser.cookies.get(NAME)).not.toBe(invented);
    expect(await silently(`${NAME}=${invented}`)).toBe('login_required');

    world.clock.advance('1s');
    await web1.signIn(alice, { prompt: 'login' });
    expect(web1.browser.cookies.get(NAME)).not.toBe(own);
    expect(await silently(`${NAME}=${own}`)).toBe('login_required');
  });

  it('counts as absent if a sub-domain has planted another one, and the sign-in continues [LOG-005]', async () => {
    await web1.signIn(alice);
    const own = web1.browser.cookies.get(NAME)!;
    for (const cookie of [`${NAME}=planted; ${NAME}=${own}`, `${NAME}=${own}; ${NAME}=planted`, `gatehouse=${own}`]) {
      expect(await silently(cookie)).toBe('login_required');
      const reply = await send(world.origin, { path: web1.authorizePath(), headers: { Cookie: cookie } });
      expect([reply.status, reply.headers['set-cookie']?.length]).toEqual([200, 1]);
    }
    expect(await silently(`gatehouse=planted; other=1; ${NAME}=${own}`)).toBe('signed in');
  });

  it('is random, short, and bound to this host, to https and to no script [LOG-006]', async () => {
    const set = async (): Promise<string[]> => {
      const client = web1.elsewhere();
      const first = await client.authorizeOnce();
      const last = await client.browser.submitOnce(await beginPassword(client, 'alice'), { password: alice.password });
      return [first, last].flatMap((reply) => reply.headers['set-cookie'] ?? []);
    };
    const lines = [...(await set()), ...(await set())];
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(line).toMatch(
        /^__Host-gatehouse=[A-Za-z0-9_-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
    }
    expect(new Set(lines).size).toBe(4);
  });

  it.each<[string, (value: string) => string]>([
    ['with a bit flipped', (value) => `${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}`],
    ['cut', (value) => value.slice(0, 20)],
    ['empty', () => ''],
    ['of 12 kB', () => 'x'.repeat(12_288)],
    ['swapped in half with another one', (value) => `${value.slice(0, 21)}${'x'.repeat(22)}`],
    ['beside 200 others', (value) => `x; ${Array.from({ length: 200 }, (_, n) => `c${n}=1`).join('; ')}; y=${value}`],
  ])('%s is not a session, and not an error [LOG-007]', async (_, change) => {
    await web1.signIn(alice);
    expect(await silently(`${NAME}=${change(web1.browser.cookies.get(NAME)!)}`)).toBe('login_required');
  });

  it('that is not text is not a session, and not an error [LOG-007]', async () => {
    const lines = [`GET ${paths.hub} HTTP/1.1`, 'Host: id.test', 'Connection: close', `Cookie: ${NAME}=`];
    const answer = await sendBytes(
      world.origin,
      Buffer.concat([Buffer.from(lines.join('\r\n')), Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('\r\n\r\n')]),
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('Every page', () => {
  it('cannot be framed, runs no script but our own files, loads nothing from elsewhere and is not stored [LOG-008, LOG-009, LOG-010]', async () => {
    const { browser } = web1;
    await web1.signIn(alice);
    world.clock.advance('1s');
    const pages = [
      await begin(web1, { prompt: 'login' }),
      await begin(web1, { prompt: 'select_account' }),
      await begin(web1, { prompt: 'create' }),
      await beginPassword(web1.elsewhere(), 'nobody'),
      pageOf(await browser.get(paths.hub)),
      pageOf(await browser.get(paths.signedOut)),
      pageOf(await browser.get(`${paths.hub}?authRequestID=unknown`)),
      pageOf(await browser.get('/ui/login/nothing-here')),
      pageOf(await browser.post(paths.password, {})),
      pageOf(await new Browser(world).get(`${paths.hub}?authRequestID=1`)),
    ];
    for (const { reply } of pages) {
      const policy = reply.header('content-security-policy')!;
      expect(policy).toMatch(/^default-src 'none'; .*base-uri 'none'; frame-ancestors 'none'$/);
      expect(policy).not.toMatch(/unsafe|\*|object-src/);
      const [script] = pageScripts(reply.text);
      expect(policy.includes('script-src')).toBe(script !== undefined);
      if (script !== undefined) expect(policy).toContain("; script-src 'self';");
      expect(reply.headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'no-store',
        'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
      });
      expect(reply.header('access-control-allow-origin')).toBeUndefined();
      expect(
        reply.text.replace(
          /(?:<script src="\/ui\/login\/assets\/(?:login|webauthn|passkey)\.js\?v=[\w-]{12}" defer><\/script>)+/u,
          '',
        ),
      ).not.toMatch(/<script|\sstyle=|\son[a-z]+=|(?:src|href)="(?:https?:)?\/\//i);
    }
  });

  it('lets its forms lead to the application of its request, and nowhere else', async () => {
    const policy = (await begin(web1)).reply.header('content-security-policy');
    expect(policy).toContain("form-action 'self' https://rp1.test;");
    const native = new RelyingParty(world, await world.cast.nat1);
    const own = (await begin(native, { redirect_uri: 'com.example.app:/cb' })).reply.header('content-security-policy');
    expect(own).toContain("form-action 'self' com.example.app:;");
  });

  it('shows nothing personal after signing out, back button included [LOG-010]', async () => {
    await web1.signIn(alice);
    const tokens = await web1.tokens(alice);
    const before = pageOf(await web1.browser.get(paths.hub));
    expect(before.text).toContain('Alice Liddell');
    await web1.endSession({ id_token_hint: tokens.id_token });
    const after = pageOf(await web1.browser.get(before.path));
    expect(after.text).not.toContain('Alice');
  });
});

describe('The script of the pages', () => {
  it('is a file, kept for good under an address with a hash of its content, on the pages of a sign-in', async () => {
    const password = await beginPassword(web1, 'nobody');
    const src = password.find('script')?.getAttribute('src');
    expect(src).toMatch(/^\/ui\/login\/assets\/login\.js\?v=[\w-]{12}$/);
    const script = await web1.browser.get(src!);
    expect(pageOf(script).reply.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const first = (await begin(web1)).all('script').map((each) => each.getAttribute('src')?.replace(/\?.*/, ''));
    expect(first).toEqual([paths.script, paths.webauthnScript, paths.passkeyScript]);
  });
});

describe('A page that ends a sign-in', () => {
  it('leads on, and can be read in another language', async () => {
    const ended = [
      pageOf(await web1.browser.get(`${paths.hub}?authRequestID=unknown`)),
      pageOf(await web1.browser.post(paths.password, {})),
      pageOf(await web1.browser.get('/ui/login/nothing-here')),
    ];
    for (const page of ended) {
      expect(page.find('main a')?.getAttribute('href')).toBe(paths.hub);
      const { action, method } = page.forms.at(-1)!;
      expect(page.find('footer button[value="de"]')).not.toBeNull();
      const german = pageOf(await web1.browser.get(`${action}?ui_locales=de`));
      expect([method, german.find('html')?.getAttribute('lang')]).toEqual(['GET', 'de']);
    }
  });
});
