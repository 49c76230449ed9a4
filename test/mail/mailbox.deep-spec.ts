import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'node-html-parser';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { PersonService } from '../../src/user/person.service.js';
import { UserService } from '../../src/user/user.service.js';
import { UserMails } from '../../src/user/user-mails.js';
import { EDITOR } from '../support/builders.js';
import { type Reply, send } from '../support/http.js';
import { codeIn, lastMailTo, mailsIn, mailsTo } from '../support/mails.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let orgId: string;

beforeAll(async () => {
  world = await startWorld();
  orgId = (await world.cast.orgA).id;
});
afterAll(() => world.close());

const JSON_WANTED = { Accept: 'application/json' };
const get = (path: string, headers: Record<string, string> = {}): Promise<Reply> =>
  send(world.origin, { path, headers });

async function add(userName: string, firstName = 'Ilse'): Promise<void> {
  await world.transaction((tx) =>
    world
      .get(PersonService)
      .add(tx, { orgId, userName, email: `${userName}@mail.test`, profile: { firstName, lastName: 'Brandt' } }, EDITOR),
  );
}

describe('GET /dev/mail', () => {
  it('lists as JSON which mails were sent to whom, newest first', async () => {
    await add('first');
    world.clock.advance('1s');
    await add('second');
    const messages = await mailsIn(world);
    expect(messages.map(({ to }) => to).slice(0, 2)).toEqual(['second@mail.test', 'first@mail.test']);
    const [mail] = messages;
    codeIn(world, mail!);
    expect(Object.keys(mail!).sort()).toEqual(['date', 'headers', 'html', 'id', 'subject', 'text', 'to']);
    expect(Date.parse(mail!.date)).toBe(world.clock.now().getTime());
    expect(mail!.headers).toMatchObject({
      'Auto-Submitted': 'auto-generated',
      To: 'second@mail.test',
      Subject: mail!.subject,
      'Content-Language': 'en',
    });
    expect(mail!.html).toContain('<!doctype html>');
    expect((await get('/dev/mail', JSON_WANTED)).header('vary')).toContain('Accept');
  });

  it('shows a page to browsers, which leads to each mail', async () => {
    const page = await get('/dev/mail', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(page.header('content-type')).toBe('text/html; charset=utf-8');
    expect(page.header('content-security-policy')).toContain("default-src 'none'; style-src 'self'; frame-src 'self'");
    const links = parse(page.text)
      .querySelectorAll('li a')
      .map((link) => link.getAttribute('href')!);
    const mail = await get(links[0]!);
    expect(mail.status).toBe(200);
    const document = parse(mail.text, { blockTextElements: { script: true, style: true } });
    expect(document.querySelector('pre')!.textContent).toContain('Hello Ilse Brandt,');
    expect(document.querySelector('pre a')!.getAttribute('href')).toContain(`${world.issuer}/ui/login/user/init`);
    expect(document.querySelector('iframe')!.getAttribute('sandbox')).toBe(
      'allow-popups allow-popups-to-escape-sandbox',
    );
    const html = await get(document.querySelector('iframe')!.getAttribute('src')!);
    expect(html.header('content-security-policy')).toMatch(/^default-src 'none'.*sandbox allow-popups/);
    expect(html.header('content-security-policy')).not.toMatch(/script-src|allow-scripts|allow-same-origin/);
    expect(html.header('x-frame-options')).toBe('SAMEORIGIN');
    expect(html.text).toContain('<base target="_blank">');
  });

  it('shows what people call themselves as text', async () => {
    await add('markup', '<img src=x onerror=alert(1)>');
    const { id } = await lastMailTo(world, 'markup@mail.test');
    for (const path of [`/dev/mail/${id}`, `/dev/mail/${id}/html`])
      expect(parse((await get(path)).text).querySelectorAll('img, script')).toEqual([]);
  });

  it('does not know other mails, nor their paths', async () => {
    for (const path of ['/dev/mail/1', '/dev/mail/1/html', '/dev/mail/%2e%2e', '/dev/mail/mailbox.js'])
      expect((await get(path)).status).toBe(404);
    expect((await get('/dev/mail/mailbox.css')).header('content-type')).toBe('text/css; charset=utf-8');
  });

  it('keeps the newest 200', async () => {
    const person = await world.add.person({ orgId });
    await world.transaction(async (tx) => {
      const user = await world.get(UserService).get(tx, person.id);
      for (let sent = 0; sent < 205; sent += 1) await world.get(UserMails).tellPasswordChanged(tx, user);
    });
    expect(await mailsTo(world, person.email)).toHaveLength(200);
    expect(await mailsIn(world)).toHaveLength(200);
  });

  it('is not there for a page that has this machine called by a name of its own (DNS rebinding)', async () => {
    expect((await get('/dev/mail', { ...JSON_WANTED, Host: 'evil.test' })).status).toBe(404);
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000', new URL(world.issuer).host]) {
      expect((await get('/dev/mail', { ...JSON_WANTED, Host: host })).status).toBe(200);
    }
  });
});

describe('Elsewhere than in development', () => {
  it('there is no mailbox, mails wait for a mail server, and the log reports it once', async () => {
    const production = await startWorld({
      publicUrl: 'https://id.test',
      env: {
        NODE_ENV: 'production',
        DATABASE_URL: 'postgres://stands-for-what-is-given',
        MASTER_KEY: 'a master key that only tests use',
        LOGIN_LIMITS: 'on',
      },
    });
    const person = await production.add.person({ orgId: production.firstStart.orgId });
    await production.add.newPassword(person.id, 'Other-Horse-8');
    await production.add.newPassword(person.id, 'Third-Horse-9');
    await production.get(MailWorker).run();
    expect((await send(production.origin, { path: '/dev/mail', headers: JSON_WANTED })).status).toBe(404);
    expect(await production.rows('SELECT state, tries FROM outbox')).toEqual(
      Array(2).fill({ state: 'waiting', tries: 0 }),
    );
    expect(production.logText().match(/no mail server is set/g)).toHaveLength(1);
    await production.close();
  });
});
