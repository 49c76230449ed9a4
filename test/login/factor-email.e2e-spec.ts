import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { PersonService } from '../../src/user/person.service.js';
import { UserService } from '../../src/user/user.service.js';
import type { Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { lastMailTo, linkIn, mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { afterPassword, newcomerUnder, proofOf, setPolicy, turnTo, WRONG, withApp } from './factor-turns.js';
import { buttonsOf, errorsOf, pageOf } from './turns.js';

const LISTED = { secondFactors: ['otp' as const, 'otp_email' as const] };

let world: World;
let web1: RelyingParty;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld({ loginLimits: 'on' });
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('2h');
  web1 = new RelyingParty(world, await world.cast.web1);
  person = await newcomerUnder(world, { ...LISTED, forceMfa: true });
});

/** The code of the newest mail, which no log may hold. */
async function mailedCode(): Promise<string> {
  const { text } = await lastMailTo(world, person.email);
  const code = /\b\d{8}\b/.exec(text)?.[0];
  if (code === undefined) throw new Error(`The mail has no code:\n${text}`);
  world.plant(code);
  return code;
}

const other = (code: string): string => String((Number(code) + 1) % 100_000_000).padStart(8, '0');

async function setUp(client = web1): Promise<Page> {
  return pageOf(await client.browser.submit(await afterPassword(client, person), { factor: 'otp_email' }));
}

/** With the factor set up, and in a browser that has not proved it. */
async function heldElsewhere(): Promise<{ client: RelyingParty; asked: Page }> {
  await web1.browser.submit(await setUp(), { code: await mailedCode() });
  const client = web1.elsewhere();
  return { client, asked: await afterPassword(client, person) };
}

describe('A code by e-mail as a second factor', () => {
  it('is set up by the first one', async () => {
    const page = await setUp();
    expect(page.text).toContain(`We have sent a code to p•••@mail.test.`);
    expect(page.text).not.toContain(person.email);
    const back = linkIn(await lastMailTo(world, person.email));
    expect(pageOf(await web1.browser.get(back.href)).heading).toBe(page.heading);
    const code = await mailedCode();
    const wrong = pageOf(await web1.browser.submit(page, { code: other(code) }));
    expect(errorsOf(wrong)).toEqual([WRONG]);
    expect(await proofOf(web1, await web1.browser.submit(wrong, { code: ` ${code} ` }))).toMatchObject({
      amr: ['pwd', 'otp', 'mfa'],
    });
  });

  it('is sent when the user requests it, not by opening a page, and can be used once', async () => {
    const { client, asked } = await heldElsewhere();
    const before = (await mailsTo(world, person.email)).length;
    expect([asked.text, asked.find('#code')]).toEqual([
      expect.stringContaining('We can send a code to p•••@mail.test.'),
      null,
    ]);
    const sent = pageOf(await client.browser.submit(asked, { decision: 'send' }));
    expect((await mailsTo(world, person.email)).length).toBe(before + 1);
    const code = await mailedCode();
    expect(client.toAnswer(await client.browser.submit(sent, { code })).code).toBeDefined();
    const late = web1.elsewhere();
    const page = await afterPassword(late, person);
    expect(errorsOf(pageOf(await late.browser.post(paths.emailCode, { ...page.forms[0]!.fields, code })))).toEqual([
      WRONG,
    ]);
  });

  it('is worth nothing once the person has another address than the one that it went to', async () => {
    const { client, asked } = await heldElsewhere();
    const sent = pageOf(await client.browser.submit(asked, { decision: 'send' }));
    const code = await mailedCode();
    await world.transaction(async (tx) => {
      await world
        .get(PersonService)
        .changeEmail(tx, await world.get(UserService).get(tx, person.id), `new-${person.email}`, true, EDITOR);
    });
    expect(errorsOf(pageOf(await client.browser.submit(sent, { code })))).toEqual([WRONG]);
  });

  it('works in the session that asked for it alone', async () => {
    const { client, asked } = await heldElsewhere();
    const sent = pageOf(await client.browser.submit(asked, { decision: 'send' }));
    const code = await mailedCode();
    const thief = web1.elsewhere();
    const page = await afterPassword(thief, person);
    expect(pageOf(await thief.browser.post(paths.emailCode, { ...page.forms[0]!.fields, code })).heading).toContain(
      'Enter your code',
    );
    expect(client.toAnswer(await client.browser.submit(sent, { code })).code).toBeDefined();
  });

  it('is worth nothing after five minutes, or once a new one is sent', async () => {
    const { client, asked } = await heldElsewhere();
    const first = pageOf(await client.browser.submit(asked, { decision: 'send' }));
    const old = await mailedCode();
    const second = pageOf(await client.browser.submit(first, { decision: 'send' }));
    const code = await mailedCode();
    expect(errorsOf(pageOf(await client.browser.submit(second, { code: old })))).toEqual([WRONG]);
    world.clock.advance('5m');
    const expired = pageOf(await client.browser.submit(second, { code }));
    expect([errorsOf(expired), expired.text]).toEqual([[WRONG], expect.stringContaining('We can send a code')]);
  });

  it('signs in one of two windows that send it at once', async () => {
    const { client, asked } = await heldElsewhere();
    const sent = pageOf(await client.browser.submit(asked, { decision: 'send' }));
    const code = await mailedCode();
    const [row] = await world.rows<{ spent: string }>(
      "SELECT count(*) AS spent FROM event WHERE type = 'session.second_factor_checked'",
    );
    await Promise.all([1, 2, 3].map(() => client.browser.submitOnce(sent, { code })));
    const [after] = await world.rows<{ spent: string }>(
      "SELECT count(*) AS spent FROM event WHERE type = 'session.second_factor_checked'",
    );
    expect(Number(after!.spent) - Number(row!.spent)).toBe(1);
  });

  it('is dead after ten wrong tries [LOG-037]', async () => {
    const { client, asked } = await heldElsewhere();
    const sent = pageOf(await client.browser.submit(asked, { decision: 'send' }));
    const code = await mailedCode();
    for (let tries = 0; tries < 10; tries += 1) {
      client.browser.headers = {};
      expect((await client.browser.submit(sent, { code: other(code) })).page?.status).toBe(400);
    }
    world.clock.advance('4m');
    expect(pageOf(await client.browser.submit(sent, { code })).status).toBe(429);
    const [row] = await world.rows<{ code_tries: number }>(
      "SELECT code_tries FROM auth_factor WHERE user_id = $1 AND kind = 'otp_email'",
      [person.id],
    );
    expect(row!.code_tries).toBe(10);
  });

  it('is sent twenty times an hour at most [LOG-039]', async () => {
    const { client, asked } = await heldElsewhere();
    let page = asked;
    for (let sent = 1; sent < 20; sent += 1) page = pageOf(await client.browser.submit(page, { decision: 'send' }));
    expect(page.status).toBe(200);
    const refused = pageOf(await client.browser.submit(page, { decision: 'send' }));
    expect([refused.status, errorsOf(refused)]).toEqual([
      400,
      ['We have sent you many codes already. Please wait a while before you ask for another one.'],
    ]);
    expect(
      await world.rows("SELECT 1 FROM outbox WHERE user_id = $1 AND kind = 'verifyEmailOtp'", [person.id]),
    ).toHaveLength(20);
    expect(client.toAnswer(await client.browser.submit(page, { code: await mailedCode() })).code).toBeDefined();
  });

  it('is offered in addition to the app, and users can switch between them', async () => {
    const { client } = await heldElsewhere();
    const app = await withApp(world, person);
    const late = client.elsewhere();
    const totp = await afterPassword(late, person);
    const byMail = await turnTo(late, totp, 'Get a code by e-mail');
    const sent = pageOf(await late.browser.submit(byMail, { decision: 'send' }));
    expect(sent.path).toContain('/ui/login/mfa/email/verify');
    const back = await turnTo(late, sent, 'Use the authenticator app');
    expect(back.find('#code')).not.toBeNull();
    expect(late.toAnswer(await late.browser.submit(sent, { code: await mailedCode() })).code).toBeDefined();
    expect(app.code()).toMatch(/^\d{6}$/);
  });

  it('is no longer a factor of a user whose address has changed and is not verified', async () => {
    const { asked } = await heldElsewhere();
    expect(asked.text).toContain('We can send a code');
    await world.transaction(async (tx) => {
      const user = await world.get(UserService).get(tx, person.id);
      await world.get(PersonService).changeEmail(tx, user, 'evil@mail.test', false, EDITOR);
    });
    const late = web1.elsewhere();
    const page = pageOf(await late.enter(await late.authorize(), person));
    expect(page.text).not.toContain('We can send a code');
  });

  it('can be left for the app while it is set up, and offered again', async () => {
    const page = await setUp();
    const offer = pageOf(await web1.browser.submit(page, { decision: 'back' }));
    expect(buttonsOf(offer)).toEqual(['Use an authenticator app', 'Get codes by e-mail']);
    await setPolicy(world, person.orgId, { secondFactors: ['otp'] });
    expect(pageOf(await web1.browser.submit(offer, { factor: 'otp_email' })).status).toBe(400);
  });
});
