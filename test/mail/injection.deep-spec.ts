import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'node-html-parser';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { MailServer, mailingBy, type TakenMail } from '../support/mail-server.js';
import { startWorld, type World } from '../support/world.js';

let server: MailServer;
let world: World;
let org: TestOrg;
let api: AdminApi;

beforeAll(async () => {
  server = await MailServer.open();
  world = await startWorld({ publicUrl: 'https://id.test', env: mailingBy(server) });
  org = await world.cast.orgA;
  ({ api } = await callerWith(world, org, ['ORG_OWNER']));
});
afterEach(() => {
  server.taken.length = 0;
});
afterAll(async () => {
  await world.close();
  await server.close();
});

const profile = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  firstName: 'Ilse',
  lastName: 'Brandt',
  ...over,
});

/** The mail that a new person is sent; undefined when there is none. */
async function mailFor(
  person: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<{ verdict: number; mail: TakenMail | undefined }> {
  const userName = uniqueName('inject');
  const reply = await api.ask(
    'POST',
    '/management/v1/users/human',
    { userName, profile: profile(), email: { email: `${userName}@mail.test` }, ...person },
    headers,
  );
  await world.get(MailWorker).run();
  return { verdict: reply.status, mail: server.taken.at(-1) };
}

function headersIn({ raw }: TakenMail): string {
  return raw.slice(0, raw.indexOf('\r\n\r\n'));
}

/** Zero-width spaces keep names from being read as addresses; they are not seen. */
function visible(text: string): string {
  return text.replaceAll('\u200b', '');
}

const VOID_OF_HEADERS = /^(bcc|cc|to: .*evil|x-evil)/im;

describe('Names that would be headers [LOG-019]', () => {
  it.each([
    'Brandt\r\nBcc: x@evil.test',
    'Brandt%0d%0aBcc: x@evil.test',
    'Brandt\u0085Bcc: x@evil.test',
    'Brandt\u2028Bcc: x@evil.test',
    'Brandt\nX-Evil: 1',
  ])('last name %j: refused, or one recipient and no new header', async (lastName) => {
    const { verdict, mail } = await mailFor({ profile: profile({ lastName }) });
    expect([200, 400]).toContain(verdict);
    if (!mail) return;
    expect(mail.envelope.to).toHaveLength(1);
    expect(headersIn(mail)).not.toMatch(VOID_OF_HEADERS);
  });

  it.each(['Hello {{.FirstName}}\r\nBcc: x@evil.test', 'Hello\u2028Bcc: x@evil.test'])(
    'a subject %j: one recipient and no new header',
    async (subject) => {
      await api.ask('PUT', '/management/v1/text/message/init/en', { subject });
      const { mail } = await mailFor({ profile: profile({ firstName: 'Ada' }) });
      expect(mail!.envelope.to).toHaveLength(1);
      expect(mail!.bcc ?? []).toEqual([]);
      expect(headersIn(mail!)).not.toMatch(VOID_OF_HEADERS);
      await api.ask('DELETE', '/management/v1/text/message/init/en');
    },
  );

  it.each([
    'a@rp1.test\r\nRCPT TO:<x@evil.test>',
    'a@rp1.test, x@evil.test',
    'a@rp1.test;x@evil.test',
    '"a@rp1.test, x"@evil.test',
    'a@rp1.test <x@evil.test>',
    'a@rp1.test\u0000x@evil.test',
    'a@rp1.test%0aRCPT TO:x@evil.test',
    '<a@rp1.test>',
    'group: a@rp1.test, x@evil.test;',
  ])('an address %j: refused', async (email) => {
    const { verdict, mail } = await mailFor({ email: { email } });
    expect([verdict, mail]).toEqual([400, undefined]);
  });

  it.each(['a%x@rp1.test', "o'brien@rp1.test", 'a+b@rp1.test', 'ä@rp1.test', 'a@bücher.test', '-oQ@rp1.test'])(
    'an address %j: one recipient, that one',
    async (email) => {
      const { mail } = await mailFor({ email: { email } });
      expect(mail!.envelope.to).toEqual([
        email === 'a@bücher.test' ? expect.stringMatching(/^a@(xn--bcher-kva|bücher)\.test$/) : email,
      ]);
    },
  );
});

describe('What people call themselves stays text [LOG-015, LOG-016, LOG-018]', () => {
  it('a link and a picture as a first name', async () => {
    const firstName = '<a href="https://evil.test">Click</a><img src=//evil.test/p>';
    const { mail } = await mailFor({ profile: profile({ firstName }) });
    const page = parse(mail!.html!);
    expect(page.querySelectorAll('img, script')).toEqual([]);
    expect(
      page
        .querySelectorAll('[href], [src]')
        .map((one) => one.getAttribute('href') ?? one.getAttribute('src'))
        .filter((url) => url!.includes('evil')),
    ).toEqual([]);
    for (const form of [mail!.text!, mail!.html!]) expect(form).not.toMatch(/\/\/evil|evil\.test/);
    expect(visible(mail!.text!)).toContain(`Hello ${firstName} Brandt,`);
  });

  it.each([
    '{{.LastName}}',
    "{{constructor.constructor('return process')()}}",
    '${7*7}',
    '<%= 7*7 %>',
    '#{7*7}',
    '{{#each this}}',
  ])('a first name %j is printed as it is', async (firstName) => {
    const { mail } = await mailFor({ profile: profile({ firstName }) });
    expect(visible(mail!.text!)).toContain(`Hello ${firstName} Brandt,`);
  });
});

describe('Texts of an organization [LOG-017]', () => {
  it.each(['{{.Password}}', '{{.Code.x}}', '{{range .}}', 'a {{ b', '{{.OTP}}'])(
    '%j is refused when it is stored',
    async (text) => {
      expect(await api.verdict('PUT', '/management/v1/text/message/init/en', { text })).toBe('400 text');
    },
  );

  it('1 MB is refused', async () => {
    expect(await api.verdict('PUT', '/management/v1/text/message/init/en', { text: 'x'.repeat(1_000_000) })).toMatch(
      /^4(00|13)/,
    );
  });

  it('what they hold is text, not HTML, and is filled in once', async () => {
    await api.call('PUT', '/management/v1/text/message/init/en', {
      text: '<b>{{.FirstName}}</b> <script>alert(1)</script> {{.Code}}',
    });
    const { mail } = await mailFor({ profile: profile({ firstName: '{{.Code}}' }) });
    expect(mail!.html).not.toContain('<script');
    expect(visible(mail!.text!)).toMatch(/<b>\{\{\.Code\}\}<\/b> <script>alert\(1\)<\/script> [A-Z0-9]{6}/);
    await api.call('DELETE', '/management/v1/text/message/init/en');
  });
});

describe('Links lead to the public URL, regardless of the host in the request [LOG-020]', () => {
  it.each([
    { Host: 'evil.test' },
    { 'X-Forwarded-Host': 'evil.test' },
    { Forwarded: 'host=evil.test;proto=http' },
    { 'X-Forwarded-Proto': 'http' },
    { 'X-Original-Host': 'evil.test' },
    { Origin: 'https://evil.test' },
    { 'X-Forwarded-Server': 'evil.test', 'X-HTTP-Host-Override': 'evil.test' },
  ])('%j', async (headers) => {
    const { verdict, mail } = await mailFor({}, headers);
    expect(verdict).toBe(200);
    const links = parse(mail!.html!)
      .querySelectorAll('a')
      .map((link) => link.getAttribute('href')!);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(link).toMatch(/^https:\/\/id\.test\/ui\/login\//);
    expect(mail!.raw).not.toContain('evil.test');
  });
});
