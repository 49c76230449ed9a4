import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MailServer } from '../support/mail-server.js';
import { OTHER_PASSWORD, RECEIVER, SMTP, SmtpStage } from './smtp-stage.js';

let stage: SmtpStage;
beforeAll(async () => {
  stage = await SmtpStage.start();
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

describe('An owner of the instance who is not the operator', () => {
  it.each(['10.0.0.1:25', '169.254.169.254', '[::ffff:10.0.0.1]:25', '[fd00::9]'])(
    'aims no mail at the network of the service, by address: %s [ADM-045]',
    async (host) => {
      expect(await stage.owner.verdict('POST', SMTP, { ...stage.plain(), host })).toBe('400 outbound.address_refused');
      expect(await stage.owner.verdict('POST', `${SMTP}/_test`, { ...stage.plain(), ...RECEIVER, host })).toBe(
        '400 outbound.address_refused',
      );
    },
  );

  it('nor by name: a test says the same whether or not a server is there [ADM-045]', async () => {
    const said = await stage.messageOf(`${SMTP}/_test`, { ...stage.plain(), ...RECEIVER, host: 'internal.test:25' });
    expect(said).toMatch(/internal\.test:25 is not contacted.*OUTBOUND_ALLOW/);
    expect(said).not.toContain('10.9');
    await stage.activate(await stage.add({ ...stage.plain(), host: 'internal.test:25' }));
    expect(await stage.mailFrom(stage.world)).toMatch(/^waiting internal\.test:25 is not contacted/);
  });

  it('learns nothing of what answers there unless it is a mail server [ADM-045]', async () => {
    const other: Server = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.9\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const said = await stage.messageOf(`${SMTP}/_test`, { ...stage.plain(), ...RECEIVER, host: `127.0.0.1:${port}` });
    expect(said).not.toContain('SSH');
    await new Promise((resolve) => other.close(resolve));
    expect(
      await stage.messageOf(`${SMTP}/_test`, { ...stage.plain(), ...RECEIVER, host: `provider.test:${port}` }),
    ).toBe(`The e-mail was not sent: The connection to provider.test:${port} failed or was lost. (mail.test_not_sent)`);
  });

  it('has no stored password sent to another server or as another user [ADM-046]', async () => {
    const id = await stage.add(stage.guarded());
    const [settings, tried] = [stage.guarded(), stage.tried()].map((one) => ({ ...one, password: '' }));
    for (const over of [
      { host: `other.test:${stage.closed.port}` },
      { host: `provider.test:${stage.open.port}` },
      { user: 'other' },
    ]) {
      expect(await stage.owner.verdict('PUT', `${SMTP}/${id}`, { ...settings, ...over })).toBe('400 password');
      expect(await stage.owner.verdict('POST', `${SMTP}/_test`, { ...tried, ...over, ...RECEIVER, id })).toBe(
        '400 password',
      );
    }
    expect(stage.offered).toEqual([]);
    await stage.owner.call('PUT', `${SMTP}/${id}`, { ...settings, user: '' });
    await stage.owner.call('PUT', `${SMTP}/${id}`, settings);
    expect(await stage.owner.verdict('POST', `${SMTP}/${id}/_test`, RECEIVER)).toBe('400 mail.test_not_sent');
    expect(stage.offered).toEqual([]); // It was forgotten with its user.
  });

  it('finds the password in no answer, event, export or message, also if the server repeats it [ADM-047]', async () => {
    const id = await stage.add(stage.guarded());
    stage.accepted = OTHER_PASSWORD;
    const said = await stage.messageOf(`${SMTP}/${id}/_test`, RECEIVER);
    expect(said).toMatch(/^The e-mail was not sent: 535 .*No user has \[secret\], \[secret\]/);
    await stage.owner.call('PUT', `${SMTP}/${id}/password`, { password: OTHER_PASSWORD });
    await stage.activate(id);
    await stage.mailFrom(stage.world);
    const texts = [
      JSON.stringify(await stage.owner.call('GET', `${SMTP}/${id}`)),
      JSON.stringify(await stage.owner.call('POST', '/admin/v1/events/_search', { limit: 1_000 })),
      JSON.stringify(
        await stage.owner.call('POST', '/admin/v1/export', {
          orgIds: [stage.org.id],
          withPasswords: true,
          timeout: '30s',
        }),
      ),
      await stage.world.contents(),
    ];
    expect(texts.flatMap((text) => stage.world.secretsIn(text)).filter((one) => one.includes('mail-server'))).toEqual(
      [],
    );
  });

  it('sends no password to a server that offers no encryption, nor to one whose certificate is of another [ADM-048]', async () => {
    const stripped = await MailServer.open({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      onAuth: ({ password }, _session, done) => {
        stage.offered.push(password ?? '');
        done(null, { user: 'x' });
      },
    });
    const answers = [
      { host: `provider.test:${stripped.port}` },
      { host: `127.0.0.1:${stripped.port}` },
      { host: `wrong.test:${stage.closed.port}`, tls: false },
    ].map(async (over) => stage.owner.verdict('POST', `${SMTP}/_test`, { ...stage.tried(), ...RECEIVER, ...over }));
    expect(await Promise.all(answers)).toEqual(Array(3).fill('400 mail.test_not_sent'));
    expect([stage.offered, stripped.taken, stage.closed.taken]).toEqual([[], [], []]);
    await stripped.close();
  });
});
