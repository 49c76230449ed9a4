import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'node-html-parser';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { MailServer, mailingBy } from '../support/mail-server.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';

let server: MailServer;
let world: World;
let replica: World;
let org: TestOrg;
let api: AdminApi;

beforeAll(async () => {
  server = await MailServer.open();
  world = await startWorld({ env: mailingBy(server) });
  replica = await startWorld({ replicaOf: world, env: mailingBy(server) });
  org = await world.cast.orgA;
  ({ api } = await callerWith(world, org, ['ORG_OWNER']));
});

afterEach(() => {
  server.taken.length = 0;
  Object.assign(server.behaviour, {
    delayMs: 0,
    hold: undefined,
    refuseRecipient: undefined,
    refuseData: undefined,
    refuseSender: undefined,
    onData: undefined,
  });
});

afterAll(async () => {
  await replica.close();
  await world.close();
  await server.close();
});

/** A person who has to set the account up; answers the address. */
async function add(over: Record<string, unknown> = {}): Promise<string> {
  const userName = uniqueName('mail');
  const email = `${userName}@mail.test`;
  await api.call('POST', '/management/v1/users/human', {
    userName,
    profile: { firstName: 'Ilse', lastName: 'Brandt', preferredLanguage: 'de' },
    email: { email },
    ...over,
  });
  return email;
}

async function stateOf(email: string): Promise<string> {
  const [row] = await world.rows<{ state: string; tries: number; reason: string }>(
    'SELECT state, tries, reason FROM outbox WHERE recipient = $1 ORDER BY id DESC LIMIT 1',
    [email],
  );
  return `${row?.state} ${row?.tries} ${row?.reason}`.trim();
}

/** Lets the mails leave, in both processes. */
async function settle(): Promise<void> {
  await Promise.all([world.get(MailWorker).run(), replica.get(MailWorker).run()]);
}

describe('A mail as the mail server gets it', () => {
  it('is sent right after the change, in both forms, and declares that it was sent automatically', async () => {
    const email = await add();
    const [mail] = await server.until(1);
    expect(mail).toMatchObject({
      envelope: { from: 'no-reply@acme.test', to: [email] },
      from: { name: 'Acme', address: 'no-reply@acme.test' },
      to: [{ address: email }],
      subject: 'Richten Sie Ihr Konto ein',
    });
    const header = (name: string): string | undefined => mail!.headers.find(({ key }) => key === name)?.value;
    expect(header('auto-submitted')).toBe('auto-generated'); // RFC 3834 §5
    expect(header('content-type')).toMatch(/^multipart\/alternative/);
    expect(header('content-language')).toBe('de');
    expect(header('message-id')).toMatch(/^<\d+@127\.0\.0\.1>$/);
    expect(Date.parse(header('date')!)).toBe(world.clock.now().getTime());
    expect(header('x-mailer')).toBeUndefined();
    const link = parse(mail!.html!).querySelector('a')!.getAttribute('href')!.replaceAll('&amp;', '&');
    expect(mail!.text).toContain(link);
    expect(mail!.text).toContain('Guten Tag Ilse Brandt,');
    const { searchParams } = new URL(link);
    expect(searchParams.get('code')).toMatch(/^[A-Z0-9]{6}$/);
    await settle();
    expect(await stateOf(email)).toBe('sent 1');
  });

  it('is queued without a notification: PostgreSQL commits transactions that notify one after the other', async () => {
    const statements = await statementsDuring(add);
    const names = statements.map((text) => text.split(':')[0]);
    expect([names.includes('outbox.add'), names.includes('change.notify')]).toEqual([true, false]);
    await server.until(1);
  });

  it('keeps no code once it has left', async () => {
    const email = await add();
    await settle();
    expect(await world.rows('SELECT code FROM outbox WHERE recipient = $1', [email])).toEqual([{ code: null }]);
  });
});

describe('Mails of long ago', () => {
  it('are forgotten after 30 days, whatever became of them', async () => {
    const email = await add();
    await settle();
    world.clock.advance('29d');
    await world.get(HousekeepingService).run();
    expect(await stateOf(email)).toBe('sent 1');
    world.clock.advance('2d');
    await world.get(HousekeepingService).run();
    expect(await world.rows('SELECT 1 FROM outbox WHERE recipient = $1', [email])).toEqual([]);
    world.clock.set();
  });
});

describe('A mail server that does not do as it should', () => {
  it('slow: one mail waits for it, others do not', async () => {
    let slow: string | undefined;
    const { promise: othersHaveLeft, resolve: goOn } = Promise.withResolvers<void>();
    server.behaviour.hold = async (address) => {
      slow ??= address;
      if (address === slow) await othersHaveLeft;
    };
    const emails = await Promise.all(Array.from({ length: 6 }, () => add()));
    await server.until(5).finally(goOn);
    await settle();
    expect(server.taken.map(({ envelope }) => envelope.to[0]).sort()).toEqual([...emails].sort());
  });

  it('busy (450): the mail is tried again, later each time, and leaves once, with the same code', async () => {
    server.behaviour.refuseRecipient = () => '450 4.2.0 Greylisted, try again later';
    const email = await add();
    await settle();
    expect(await stateOf(email)).toBe('waiting 1 450 4.2.0 Greylisted, try again later');
    await settle();
    expect(await stateOf(email)).toMatch(/^waiting 1/);
    world.clock.advance('5s');
    await settle();
    expect(await stateOf(email)).toMatch(/^waiting 2/);
    server.behaviour.refuseRecipient = undefined;
    world.clock.advance('5s');
    await settle();
    expect(await stateOf(email)).toMatch(/^waiting 2/);
    world.clock.advance('10s');
    await settle();
    expect(await stateOf(email)).toBe('sent 3');
    expect(server.taken).toHaveLength(1);
  });

  it.each([
    [
      'does not know the recipient',
      { refuseRecipient: () => '550 5.1.1 No such mailbox' },
      'The mail server rejected it: 550 5.1.1 No such mailbox',
    ],
    [
      'does not take the message',
      { refuseData: '554 5.7.1 Looks like spam' },
      'The mail server rejected it: 554 5.7.1 Looks like spam',
    ],
  ])('%s: the mail is dead at once, with the reason', async (_, behaviour, reason) => {
    Object.assign(server.behaviour, behaviour);
    const email = await add();
    await settle();
    expect(await stateOf(email)).toBe(`dead 1 ${reason}`);
    world.clock.advance('1m');
    Object.assign(server.behaviour, { refuseRecipient: undefined, refuseData: undefined });
    await settle();
    expect(server.taken).toEqual([]);
  });

  it("does not like the sender, which is not the mail's fault: it waits", async () => {
    server.behaviour.refuseSender = '550 5.7.1 Sender not allowed';
    const email = await add();
    await settle();
    expect(await stateOf(email)).toMatch(/^waiting 1 .*Sender not allowed/);
    server.behaviour.refuseSender = undefined;
    world.clock.advance('5s');
    await settle();
    expect(await stateOf(email)).toBe('sent 2');
  });

  it('is away for longer than the code lives: the mail is dead, and does not leave with a code that opens nothing', async () => {
    server.behaviour.refuseRecipient = () => '451 4.3.0 Out of order';
    const email = await add();
    await settle();
    server.behaviour.refuseRecipient = undefined;
    world.clock.advance('73h');
    await settle();
    expect(await stateOf(email)).toBe(
      'dead 2 The code expired before the e-mail could be sent. 451 4.3.0 Out of order',
    );
    expect(server.taken).toEqual([]);
  });

  it('gives up after about a day if there is no code that could expire', async () => {
    const person = await world.add.person({ orgId: org.id });
    server.behaviour.refuseRecipient = () => '451 4.3.0 Out of order';
    await world.add.newPassword(person.id, 'Other-Horse-8');
    for (let tries = 0; tries < 14; tries += 1) {
      await settle();
      world.clock.advance('4h');
    }
    await settle();
    expect(await stateOf(person.email)).toBe('dead 14 451 4.3.0 Out of order');
  });
});

describe('Several processes', () => {
  it('empty one outbox together, and each mail leaves once', async () => {
    server.behaviour.delayMs = 5;
    const emails = await Promise.all(Array.from({ length: 15 }, () => add()));
    await Promise.all([settle(), settle()]);
    await server.until(15);
    await settle();
    expect(server.taken.map(({ envelope }) => envelope.to.join()).sort()).toEqual([...emails].sort());
    expect(await world.rows("SELECT 1 FROM outbox WHERE state = 'waiting'")).toEqual([]);
  });

  it('a mail whose process has died in the middle is sent by another one, when its time is over', async () => {
    const email = await add();
    await settle();
    server.taken.length = 0;
    // As kill -9 leaves it: begun, and nothing said of how it ended.
    await world.rows("UPDATE outbox SET state = 'waiting', due_at = $2 WHERE recipient = $1", [
      email,
      new Date(world.clock.now().getTime() + 60_000),
    ]);
    await settle();
    expect(server.taken).toEqual([]);
    world.clock.advance('61s');
    await settle();
    expect(server.taken.map(({ envelope }) => envelope.to)).toEqual([[email]]);
  });
});

describe('A process that stops', () => {
  it('lets mails finish that are under way, and writes down what became of them', async () => {
    const slow = await MailServer.open();
    slow.behaviour.delayMs = 300;
    const person = await world.add.person({ orgId: org.id });
    const stopping = await startWorld({ replicaOf: world, env: mailingBy(slow) });
    await stopping.add.newPassword(person.id, 'Other-Horse-8'); // the process that queues it notices first
    while (!/ 1\b/.test(await stateOf(person.email))) await sleep(5); // until one of them has begun
    await stopping.close();
    expect([...slow.taken, ...server.taken]).toHaveLength(1);
    expect(await stateOf(person.email)).toBe('sent 1');
    await slow.close();
  });
});
