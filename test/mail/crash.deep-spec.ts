import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { MailWorker } from '../../src/mail/mail-worker.js';
import type { TestPerson } from '../support/builders.js';
import { MailServer, mailingBy } from '../support/mail-server.js';
import { Processes, settingsBeside } from '../support/processes.js';
import { startWorld, type World } from '../support/world.js';

/** Makes people and causes of mails, and sends none itself. */
let world: World;
let server: MailServer;
const processes = new Processes(() => ({ ...settingsBeside(world), ...mailingBy(server) }));

beforeAll(async () => {
  server = await MailServer.open();
  world = await startWorld({
    realTime: true,
    env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'no-reply@acme.test' },
  });
  await world.get(MailWorker).onModuleDestroy();
});
afterEach(async () => {
  await processes.end();
  server.taken.length = 0;
  server.behaviour.onData = undefined;
});
afterAll(async () => {
  await world.close();
  await server.close();
});

/** Leads to a mail that only the processes under test can send. */
async function causeMail(person: TestPerson): Promise<void> {
  await world.add.newPassword(person.id, 'Other-Horse-8');
}

it('kill -9 between sending and writing it down: the mail comes twice, under one Message-ID, and never not at all', async () => {
  const person = await world.add.person({ orgId: world.firstStart.orgId });
  let begun = (): void => undefined;
  const taken = new Promise<void>((resolve) => {
    begun = resolve;
  });
  server.behaviour.onData = async () => {
    begun();
    await sleep(60_000, undefined, { ref: false }); // the mail is accepted, without a confirmation
  };
  const first = await processes.start();
  await causeMail(person);
  await taken;
  await first.kill();
  server.behaviour.onData = undefined;
  expect(await world.rows('SELECT state FROM outbox WHERE user_id = $1', [person.id])).toEqual([{ state: 'waiting' }]);
  await world.rows('UPDATE outbox SET due_at = now() WHERE user_id = $1', [person.id]); // what three minutes of waiting come to
  await processes.start();
  const mails = await server.until(2);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
  expect(mails.map(({ envelope }) => envelope.to)).toEqual([[person.email], [person.email]]);
});

it('SIGTERM: a mail under way finishes, and what became of it is written down', async () => {
  const person = await world.add.person({ orgId: world.firstStart.orgId });
  let begun = (): void => undefined;
  const taken = new Promise<void>((resolve) => {
    begun = resolve;
  });
  server.behaviour.onData = async () => {
    begun();
    await sleep(500);
  };
  const service = await processes.start();
  await causeMail(person);
  await taken;
  service.signal('SIGTERM');
  expect(await service.exit).toMatchObject({ code: 0 });
  expect(await world.rows('SELECT state FROM outbox WHERE user_id = $1', [person.id])).toEqual([{ state: 'sent' }]);
  expect(server.taken).toHaveLength(1);
});
