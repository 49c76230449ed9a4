/* The receiver of docs/extending/webhooks.md, in Python: it takes what Gatehouse delivers, and nothing else. See README.md. */
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { codeBlocksOf } from '../../test/support/code-blocks.ts';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial, until } from './machine.mjs';
import { Api } from './traffic.mjs';

const PAGE = new URL('../../docs/extending/webhooks.md', import.meta.url).pathname;
const WEBHOOKS = '/management/v1/webhooks';
const LIMIT_SECONDS = 300;

await trial(async (machine) => {
  const [serverPort, port, receiverPort] = [machine.port(), machine.port(), machine.port()];
  const server = await machine.startPostgres('server', serverPort);
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  // In production, receivers are called by https only.
  const service = await machine.startService(port, {
    DATABASE_URL: server.url,
    NODE_ENV: 'development',
    DEMO_PORT: 'off',
    OUTBOUND_ALLOW: '127.0.0.1',
  });
  const api = new Api(service);
  const url = `http://127.0.0.1:${receiverPort}/gatehouse`;
  const { id, secret } = await api.call('POST', WEBHOOKS, { url, types: ['user.human.added'] });

  const { code } = codeBlocksOf(PAGE).find(({ name }) => name === 'receiver.py');
  const file = join(machine.folder, 'receiver.py');
  writeFileSync(file, code.replace('8080', String(receiverPort)));
  const receiver = machine.start('python3', [file], { env: { WEBHOOK_SECRET: secret } });
  await until(
    () => listens(receiverPort),
    () => `the receiver:\n${receiver.text}`,
  );
  const arrived = () => receiver.text.match(/^evt_\S+ user\.human\.added \S+$/gm) ?? [];
  const arrive = (count) =>
    until(
      () => arrived().length >= count,
      () => `delivery ${count}:\n${receiver.text}`,
    );

  const tested = await api.call('POST', `${WEBHOOKS}/${id}/_test`, {});
  promise(receiver.text.includes(' webhook.test '), `the test of the webhook arrives: ${JSON.stringify(tested)}`);
  await api.addPeople(1);
  await arrive(1);
  promise(true, `an event arrives within seconds: ${arrived()[0]}`);

  const now = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({ type: 'user.removed', data: { aggregateId: '7' } });
  const signed = (seconds, by = secret) => ({
    'webhook-id': 'evt_7',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signatureOf(`evt_7.${seconds}.${body}`, by)}`,
  });
  const unsigned = { 'webhook-id': 'evt_7', 'webhook-timestamp': String(now) };
  const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const cases = [
    [204, 'signed now', signed(now), body],
    [204, 'with a signature of an earlier secret before it', both(signed(now, other), signed(now)), body],
    [204, 'signed within the limit', signed(now - LIMIT_SECONDS + 30), body],
    [401, 'a body that was changed', signed(now), body.replace('removed', 'added')],
    [401, 'another id', { ...signed(now), 'webhook-id': 'evt_8' }, body],
    [401, 'signed an hour ago', signed(now - 3_600), body],
    [401, 'signed five seconds longer ago than the limit', signed(now - LIMIT_SECONDS - 5), body],
    [401, 'signed for an hour from now', signed(now + 3_600), body],
    [401, 'signed an hour ago, with the time of now', { ...signed(now - 3_600), 'webhook-timestamp': `${now}` }, body],
    [401, 'a time that is none', { ...signed(now), 'webhook-timestamp': '\xb2' }, body],
    [401, 'a time of 400 digits', signed('9'.repeat(400)), body],
    [401, 'a time of 5,000 digits', signed('9'.repeat(5_000)), body],
    [401, 'signed by another secret', signed(now, other), body],
    [401, 'no signature', unsigned, body],
    [401, 'no headers', {}, body],
  ];
  for (const [expected, what, headers, content] of cases) {
    const { status } = await fetch(url, { method: 'POST', headers, body: content });
    promise(status === expected, `${what}: ${status}`);
  }

  // No client of HTTP sends these.
  for (const length of ['x', '-1', '65537', '9'.repeat(5_000)]) {
    const status = await statusFor(receiverPort, length);
    promise(status === 400, `a length of ${length.slice(0, 20)}: ${status}`);
  }
  promise(!receiver.text.includes('Traceback'), 'no request raises an error in the receiver');

  // For a day, each call has a signature by the old secret, which the receiver still has.
  await api.call('POST', `${WEBHOOKS}/${id}/secret`, {});
  await api.call('POST', '/management/v1/users/human/_import', {
    userName: 'later',
    profile: { firstName: 'A', lastName: 'B' },
    email: { email: 'later@example.com', isEmailVerified: true },
  });
  await arrive(2);
  promise(true, 'an event after the secret was changed arrives at a receiver with the old one');
});

function signatureOf(content, secret) {
  return createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(content)
    .digest('base64');
}

function both({ 'webhook-signature': first }, { 'webhook-signature': second, ...others }) {
  return { ...others, 'webhook-signature': `${first} ${second}` };
}

function statusFor(port, length) {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${length}\r\n\r\n`),
    );
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on('data', (chunk) => (text += chunk));
    socket.once('error', reject);
    socket.once('close', () => resolve(Number(text.split(' ')[1])));
  });
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true) ?? socket.destroy());
    socket.once('error', () => resolve(false));
  });
}
