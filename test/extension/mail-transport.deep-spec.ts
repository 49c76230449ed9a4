import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { ExtensionTransport } from '../../src/mail/transport/extension.transport.js';
import {
  CHOSEN_TRANSPORT,
  MAIL_TRANSPORT,
  MailFailed,
  MailRefused,
  type MailTransport,
  type OutgoingMail,
} from '../../src/mail/transport/mail-transport.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { freePort } from '../support/free-port.js';
import { sendUnchecked } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';

/** What the transport does next; usually it takes the mail. */
let does: ((mail: OutgoingMail, signal: AbortSignal) => Promise<void>) | undefined;

@Injectable()
class Pigeons implements MailTransport {
  async send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    await does?.(mail, signal);
  }

  close(): void {}
}

@Module({ providers: [Pigeons] })
class PostModule {}

const post = defineExtension({
  id: 'post',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: PostModule,
  provides: [provide(MAIL_TRANSPORT, Pigeons)],
});

let world: World;
let api: AdminApi;
let metricsOrigin: string;
beforeAll(async () => {
  const port = await freePort();
  metricsOrigin = `http://127.0.0.1:${port}`;
  world = await startWorld({ extensions: [post], env: { METRICS_PORT: String(port) } });
  api = (await callerWith(world, await world.cast.orgA, ['IAM_OWNER'])).api;
});
afterEach(() => {
  does = undefined;
});
afterAll(() => world.close());

const sendTest = async (): Promise<unknown> =>
  api.call('POST', '/admin/v1/mails/_test', { receiverAddress: 'somebody@mail.test' });

/** How often the transport was called, and how often it failed by the list of extensions and by the metrics. */
async function counted(): Promise<{ calls: number; listed: number; measured: number }> {
  const { text } = await sendUnchecked(metricsOrigin, { path: '/metrics' });
  const { result } = await api.call('GET', '/admin/v1/extensions');
  const of = (figure: string): number =>
    Number(new RegExp(`^${figure}\\{extension="post",seam="MAIL_TRANSPORT"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const { failures } = result[0].seams.find(({ seam }: { seam: string }) => seam === 'MAIL_TRANSPORT');
  return {
    calls: of('gatehouse_extension_seconds_count'),
    listed: failures,
    measured: of('gatehouse_extension_failures_total'),
  };
}

describe('A mail transport of an extension', () => {
  it.each<[string, typeof does, unknown, number]>([
    ['that takes a mail is timed', undefined, { ok: true, reason: '' }, 0],
    [
      'that refuses one has not failed',
      () => Promise.reject(new MailRefused('No such mailbox.')),
      { ok: false, reason: 'No such mailbox.' },
      0,
    ],
    [
      'whose server is busy has not failed',
      () => Promise.reject(new MailFailed('Try again.')),
      { ok: false, reason: 'Try again.' },
      0,
    ],
    [
      'that throws has failed',
      () => Promise.reject(new TypeError('no pigeon for somebody@mail.test')),
      { ok: false, reason: 'Pigeons failed; the log of the service says why.' },
      1,
    ],
    [
      'that throws at once has failed',
      () => {
        throw new TypeError('no pigeon');
      },
      { ok: false, reason: 'Pigeons failed; the log of the service says why.' },
      1,
    ],
  ])('%s', async (_, next, answer, failures) => {
    const before = await counted();
    const lines = world.logText().length;
    does = next;
    expect(await sendTest()).toEqual(answer);
    expect(await counted()).toEqual({
      calls: before.calls + 1,
      listed: before.listed + failures,
      measured: before.measured + failures,
    });
    const named = world
      .logText()
      .slice(lines)
      .split('\n')
      .filter((line) => line.includes('an extension failed'))
      .map((line) => JSON.parse(line) as object);
    expect(named).toEqual(
      failures === 0 ? [] : [expect.objectContaining({ extension: 'post', seam: 'MAIL_TRANSPORT', part: 'Pigeons' })],
    );
  });

  it('sends also while an SMTP configuration is active, and is what administrators see', async () => {
    const { id } = await api.call<{ id: string }>('POST', '/admin/v1/smtp', {
      senderAddress: 'a@b.test',
      host: 'smtp.acme.example',
    });
    await api.call('POST', `/admin/v1/smtp/${id}/_activate`, {});
    expect(await sendTest()).toEqual({ ok: true, reason: '' });
    expect(await api.call('GET', '/admin/v1/settings/mail')).toMatchObject({
      transport: 'MAIL_TRANSPORT_KIND_EXTENSION',
      smtpConfigId: '',
    });
  });

  it('that takes no notice of its signal is left behind: that is a failure if it was late, and none if the service stops', async () => {
    does = () => new Promise(() => undefined);
    const transport = world.application.get<MailTransport>(CHOSEN_TRANSPORT, { strict: false });
    expect(transport).toBeInstanceOf(ExtensionTransport);
    const before = await counted();
    await expect(transport.send({} as OutgoingMail, AbortSignal.timeout(20))).rejects.toThrow(MailFailed);
    expect((await counted()).listed).toBe(before.listed + 1);
    const stop = new AbortController();
    const sent = transport.send({} as OutgoingMail, stop.signal);
    stop.abort();
    await expect(sent).rejects.toThrow('The service was stopped meanwhile.');
    expect((await counted()).listed).toBe(before.listed + 1);
  });
});
