import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  type ArrivedMail,
  type MailReceiver,
  mailTransportContract,
} from '../../../src/extension/testing/contract/mail-transport.contract.js';
import { Secret } from '../../../src/foundation/config/secret.js';
import { DevelopmentMailbox } from '../../../src/mail/mailbox/development-mailbox.js';
import {
  MailFailed,
  MailRefused,
  type MailTransport,
  type OutgoingMail,
} from '../../../src/mail/transport/mail-transport.js';
import { SmtpTransport } from '../../../src/mail/transport/smtp.transport.js';
import { serverOfOperator } from '../../../src/mail/transport/smtp-server.js';
import { MailServer } from '../../support/mail-server.js';
import { startWorld } from '../../support/world.js';
import { brokenIn } from './broken.js';

const server = await MailServer.open();
const world = await startWorld();
afterAll(async () => {
  server.behaviour.hold = undefined;
  await server.close();
  await world.close();
});

const ofSmtp: MailReceiver = {
  arrived: () =>
    server.taken.map(({ messageId = '', envelope, subject = '', text = '', html = '', attachments }) => ({
      messageId,
      to: envelope.to,
      subject,
      text,
      html,
      images: attachments.map(({ mimeType, content }) => ({
        contentType: mimeType,
        content: Buffer.from(content as ArrayBuffer),
      })),
    })),
  answer: (how) => {
    server.behaviour.refuseRecipient =
      how === 'refuse' ? () => '550 5.1.1 No such mailbox' : how === 'busy' ? () => '450 4.2.1 Busy' : undefined;
    server.behaviour.hold = how === 'silent' ? () => sleep(8_000, undefined, { ref: false }) : undefined;
  },
};

describe('The transport by SMTP keeps the contract', () => {
  const cases = mailTransportContract({
    make: () => new SmtpTransport(serverOfOperator(new Secret(server.url)), 2),
    receiver: ofSmtp,
    secrets: ['p&ss-of-smtp'],
  });
  for (const { name, run } of cases) it(name, run);
});

describe('The development mailbox keeps the contract', () => {
  const mailbox = () => world.get(DevelopmentMailbox);
  const cases = mailTransportContract({
    make: mailbox,
    receiver: {
      arrived: async () =>
        (await mailbox().list()).map(
          ({ headers, recipient, subject, textBody, htmlBody }): ArrivedMail => ({
            messageId: headers['Message-ID'] ?? '',
            to: [recipient],
            subject,
            text: textBody,
            html: htmlBody,
            images: [...htmlBody.matchAll(/"data:([^;]+);base64,([^"]+)"/g)].map(
              ([, contentType = '', content = '']) => ({
                contentType,
                content: Buffer.from(content, 'base64'),
              }),
            ),
          }),
        ),
    },
  });
  for (const { name, run } of cases) it(name, run);
});

describe('The contract tells what is wrong with a transport', () => {
  /** A receiver in this process. */
  const arrived: ArrivedMail[] = [];
  let how = 'take';
  const take = ({ messageId, to, subject, text, html, images }: OutgoingMail, at: readonly string[] = [to]): void => {
    if (how === 'refuse') throw new MailRefused('No such mailbox');
    if (how === 'busy') throw new MailFailed('Busy');
    arrived.push({ messageId, to: at, subject, text, html, images });
  };
  const receiver: MailReceiver = { arrived: () => arrived, answer: (next) => void (how = next) };
  const good = async (mail: OutgoingMail, signal: AbortSignal): Promise<void> => {
    if (how === 'silent')
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    take(mail);
  };
  const sending = (send: MailTransport['send'], close: MailTransport['close'] = () => undefined) =>
    mailTransportContract({ make: () => ({ send, close }), receiver, secrets: ['key-4711'] });
  const socketOf = async (): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => resolve(socket));
      socket.on('error', () => undefined);
    });

  it('and nothing about a good one', async () => {
    expect(await brokenIn(sending(good))).toEqual({});
  });

  it.each<[string, MailTransport['send'], RegExp, RegExp]>([
    [
      'throws',
      () => Promise.reject(new Error('no library')),
      /arrives whole/,
      /^send throws although the receiver takes mails: Error: no library$/,
    ],
    [
      'sends nothing',
      async () => undefined,
      /arrives whole/,
      /^send has resolved, and no mail with the Message-ID <contract-.*> has arrived\.$/,
    ],
    [
      'loses letters',
      async (mail) => take({ ...mail, subject: Buffer.from(mail.subject, 'latin1').toString() }),
      /arrives whole/,
      /^The subject that arrives is /,
    ],
    [
      'leaves images out',
      async (mail) => take({ ...mail, images: [] }),
      /arrives whole/,
      /^The image of the mail does not arrive as it was\.$/,
    ],
    [
      'makes its own Message-ID',
      async (mail) => take({ ...mail, messageId: `<${arrived.length}@own>` }),
      /same Message-ID/,
      /^The Message-ID of a second try is "<\d+@own>" instead of /,
    ],
    [
      'reads a list of addresses',
      async (mail) => take(mail, mail.to.split(/[,;]/)),
      /one recipient/,
      /^A mail to one address arrives at 2: /,
    ],
    [
      'swallows refusals',
      (mail, signal) => good(mail, signal).catch(() => undefined),
      /MailRefused/,
      /^send resolves although the receiver has not taken the mail: it would be lost\.$/,
    ],
    [
      'tries refusals again',
      (mail, signal) => good(mail, signal).catch((error: Error) => Promise.reject(new Error(error.message))),
      /MailRefused/,
      /^A refusal for good is Error: No such mailbox, and no MailRefused/,
    ],
    [
      'gives up what is busy',
      (mail, signal) => good(mail, signal).catch(() => Promise.reject(new MailRefused('Busy'))),
      /can succeed later/,
      /^What can succeed later is a MailRefused/,
    ],
    [
      'does not hear the signal',
      async (mail) => (how === 'silent' ? new Promise(() => undefined) : take(mail)),
      /the signal/,
      /^send goes on 3 s after its signal was aborted\.$/,
    ],
    [
      'shows its key',
      (mail, signal) =>
        good(mail, signal).catch((error: Error) => Promise.reject(new MailRefused(`${error.message} (key-4711)`))),
      /no error shows/,
      /^An error shows secret 1 of the transport/,
    ],
  ])('that %s', async (_, send, only, message) => {
    const found = await brokenIn(sending(send), only);
    expect(Object.values(found)).toEqual([expect.stringMatching(message)]);
  });

  it('that mixes up mails at the same time', async () => {
    let last: OutgoingMail;
    const found = await brokenIn(
      sending(async (mail) => {
        last = mail; // a field of the transport, in place of a variable of the call
        await sleep(5);
        take({ ...mail, to: last.to });
      }),
      /do not mix/,
    );
    expect(Object.values(found)).toEqual([
      expect.stringMatching(/^Of a mail that is sent beside others, what arrives is /),
    ]);
  });

  it('that leaves a connection open', async () => {
    const sockets: Socket[] = [];
    const found = await brokenIn(
      sending(async (mail) => {
        sockets.push(await socketOf());
        take(mail);
      }),
      /leaves nothing open/,
    );
    for (const socket of sockets) socket.destroy();
    expect(Object.values(found)).toEqual([
      expect.stringMatching(/^5 s after close it keeps the process from ending: .*TCPSocketWrap/),
    ]);
  });
});
