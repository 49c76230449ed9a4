import { setTimeout as sleep } from 'node:timers/promises';
import { MailRefused, type MailTransport, type OutgoingMail } from '../../../mail/transport/mail-transport.js';
import { broken, type ContractCase, leftOpenBy, require, requirement, requireSame, shown } from './contract.js';

/** A mail as it has arrived. @public */
export interface ArrivedMail {
  readonly messageId: string;
  /** For whom it was given to the receiver: the envelope of SMTP, or what stands for it. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly images: ReadonlyArray<{ readonly contentType: string; readonly content: Uint8Array }>;
}

/** The other end of a transport, in the hands of a test. @public */
export interface MailReceiver {
  /** Every mail since it began. */
  arrived(): Promise<readonly ArrivedMail[]> | readonly ArrivedMail[];
  /**
   * What it does with mails from now on: takes them, refuses them for good, asks to try again later, or never answers.
   * Without it the receiver always takes mails, and the cases about failures are left out.
   */
  answer?(how: 'take' | 'refuse' | 'busy' | 'silent'): void | Promise<void>;
}

/** @public */
export interface MailTransportContractInput {
  /** A new transport that sends to the receiver; it is closed afterwards. */
  readonly make: () => MailTransport;
  readonly receiver: MailReceiver;
  /** Keys and passwords of the transport, which no error may show. */
  readonly secrets?: readonly string[];
}

/** A send with a receiver that answers at once. */
const LIMIT_MS = 20_000;
/** Aborts: one perhaps before there is a connection, one once the receiver has the mail, on a busy machine too. */
const ABORTS_MS = [50, 1_000];
/** The time from the abort to the rejection. */
const REJECTION_MS = 3_000;
const CLOSE_MS = 5_000;
/** Resources that the receiver and the running test keep open. */
const OF_OTHERS = /^Timeout$|Server|Immediate|FSReq/;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Addresses that a careless header or list would take for several recipients. */
const HOSTILE = [
  'one@mail.test, two@mail.test',
  'one@mail.test;two@mail.test',
  '"one, two"@mail.test',
  'one@mail.test\r\nBcc: two@mail.test',
  '<one@mail.test> <two@mail.test>',
];

let mails = 0;

/**
 * What every mail transport keeps: a mail arrives whole, under its own Message-ID at each try, at one recipient
 * whatever the address contains; a refusal for good is `MailRefused`, anything else another error; the signal ends a
 * send; no error shows a key; mails at the same time do not mix; `close` leaves nothing open.
 *
 * It cannot prove that a mail reaches a mailbox behind the receiver, nor that the receiver drops a second copy.
 * @public
 */
export function mailTransportContract(input: MailTransportContractInput): readonly ContractCase[] {
  const on =
    (check: (transport: MailTransport, at: MailTransportContractInput) => Promise<void>) => async (): Promise<void> => {
      await input.receiver.answer?.('take');
      const transport = input.make();
      try {
        await check(transport, input);
      } finally {
        await input.receiver.answer?.('take');
        await transport.close();
      }
    };
  const failures = [
    requirement('mail transport: a refusal for good is MailRefused', on(refused)),
    requirement('mail transport: what can succeed later is another error', on(busy)),
    requirement('mail transport: the signal ends a send that hangs', on(aborted)),
    requirement('mail transport: no error shows a key', on(noKeys)),
  ];
  return [
    requirement('mail transport: a mail arrives whole, with both bodies, images and every script', on(whole)),
    requirement('mail transport: each try has the same Message-ID', on(sameId)),
    requirement('mail transport: one recipient, whatever the address or the subject contains', on(oneRecipient)),
    requirement('mail transport: mails at the same time do not mix', on(atOnce)),
    ...(input.receiver.answer ? failures : []),
    requirement('mail transport: close leaves nothing open', () => closes(input)),
  ];
}

function mail(over: Partial<OutgoingMail> = {}): OutgoingMail {
  mails += 1;
  const id = `contract-${process.pid}-${mails}`;
  return {
    id,
    messageId: `<${id}@gatehouse.test>`,
    date: new Date(1_800_000_000_000),
    from: 'Acme <no-reply@acme.test>',
    to: `user-${mails}@mail.test`,
    subject: `Mail ${mails}`,
    text: 'Hello.\n',
    html: '<p>Hello.</p>',
    language: 'en',
    images: [],
    ...over,
  };
}

async function send(transport: MailTransport, given: OutgoingMail): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  await transport.send(given, limit).catch((error: unknown) => {
    broken(
      limit.aborted
        ? `send takes longer than ${LIMIT_MS / 1000} s.`
        : `send throws although the receiver takes mails: ${String(error)}`,
      {
        cause: error,
      },
    );
  });
}

async function arrivedAs(given: OutgoingMail, { receiver }: MailTransportContractInput): Promise<ArrivedMail[]> {
  return (await receiver.arrived()).filter(({ messageId }) => messageId === given.messageId);
}

async function whole(transport: MailTransport, at: MailTransportContractInput): Promise<void> {
  const given = mail({
    subject: 'Grüße aus Zürich, 日本語, العربية',
    text: 'Ünïcödé: 日本語 العربية\n.\nafter a dot, and a line of its own\n',
    html: '<p>Ünïcödé: 日本語 <img src="cid:logo" alt=""></p>',
    images: [{ cid: 'logo', contentType: 'image/png', content: PIXEL }],
  });
  await send(transport, given);
  const [found] = await arrivedAs(given, at);
  if (!found) return broken(`send has resolved, and no mail with the Message-ID ${given.messageId} has arrived.`);
  requireSame(found.subject, given.subject, 'The subject that arrives');
  requireSame(found.text.trim(), given.text.trim(), 'The text that arrives');
  require(found.html.includes(
    'Ünïcödé: 日本語',
  ), `The HTML that arrives is ${shown(found.html)} instead of ${shown(given.html)}.`);
  const image = found.images.find(({ contentType }) => contentType === 'image/png');
  require(image !== undefined &&
    Buffer.from(image.content).equals(PIXEL), 'The image of the mail does not arrive as it was.');
}

async function sameId(transport: MailTransport, at: MailTransportContractInput): Promise<void> {
  const given = mail();
  await send(transport, given);
  await send(transport, given);
  const ofUser = (await at.receiver.arrived()).filter(({ to }) => to.includes(given.to));
  require(ofUser.length > 0, 'No mail has arrived.');
  for (const { messageId } of ofUser) requireSame(messageId, given.messageId, 'The Message-ID of a second try');
}

async function oneRecipient(transport: MailTransport, at: MailTransportContractInput): Promise<void> {
  const hostile = [...HOSTILE.map((to) => mail({ to })), mail({ subject: 'Hello\r\nBcc: two@mail.test\r\n\r\nBody' })];
  const before = (await at.receiver.arrived()).length;
  for (const given of hostile) await transport.send(given, AbortSignal.timeout(LIMIT_MS)).catch(() => undefined); // refusing is fine
  const arrived = (await at.receiver.arrived()).slice(before);
  for (const { to } of arrived) require(to.length === 1, `A mail to one address arrives at ${to.length}: ${shown(to)}`);
  const strangers = arrived.filter(({ to }) => to[0] === 'two@mail.test');
  require(strangers.length === 0, 'An address or a subject with a line break adds a recipient: two@mail.test.');
  require(arrived.length <= hostile.length, `${hostile.length} mails arrive as ${arrived.length}.`);
}

async function atOnce(transport: MailTransport, at: MailTransportContractInput): Promise<void> {
  const given = Array.from({ length: 5 }, () => mail());
  await Promise.all(given.map((one) => send(transport, one)));
  for (const one of given) {
    const found = await arrivedAs(one, at);
    requireSame(
      found.map(({ to, subject }) => [to, subject]),
      [[[one.to], one.subject]],
      'Of a mail that is sent beside others, what arrives',
    );
  }
}

/** The error with which a send rejects. */
async function failureOf(
  transport: MailTransport,
  given = mail(),
  signal = AbortSignal.timeout(LIMIT_MS),
): Promise<unknown> {
  let failure: unknown;
  let isSent = false;
  await transport.send(given, signal).then(
    () => (isSent = true),
    (error: unknown) => (failure = error),
  );
  return isSent ? broken('send resolves although the receiver has not taken the mail: it would be lost.') : failure;
}

async function refused(transport: MailTransport, { receiver }: MailTransportContractInput): Promise<void> {
  await receiver.answer!('refuse');
  const failure = await failureOf(transport);
  require(failure instanceof
    MailRefused, `A refusal for good is ${String(failure)}, and no MailRefused: it is tried again for days.`);
}

async function busy(transport: MailTransport, { receiver }: MailTransportContractInput): Promise<void> {
  await receiver.answer!('busy');
  const failure = await failureOf(transport);
  require(!(failure instanceof MailRefused), 'What can succeed later is a MailRefused: the mail is given up.');
  await receiver.answer!('take');
  await send(transport, mail());
}

async function aborted(transport: MailTransport, { receiver }: MailTransportContractInput): Promise<void> {
  await receiver.answer!('silent');
  for (const afterMs of ABORTS_MS) {
    const stop = new AbortController();
    const sending = failureOf(transport, mail(), stop.signal);
    sending.catch(() => undefined); // it is awaited below
    await sleep(afterMs);
    stop.abort(new Error('The contract has aborted it.'));
    const isOver = await Promise.race([sending.then(() => true), sleep(REJECTION_MS, false)]);
    require(isOver, `send goes on ${REJECTION_MS / 1000} s after its signal was aborted.`);
  }
}

async function noKeys(transport: MailTransport, { receiver, secrets = [] }: MailTransportContractInput): Promise<void> {
  for (const how of ['refuse', 'busy'] as const) {
    await receiver.answer!(how);
    const failure = await failureOf(transport);
    const said = [String(failure), JSON.stringify(failure), failure instanceof Error ? String(failure.cause) : ''].join(
      ' ',
    );
    for (const [index, secret] of secrets.entries())
      require(!said.includes(secret), `An error shows secret ${index + 1} of the transport, and errors are logged.`);
  }
}

async function closes({ make, receiver }: MailTransportContractInput): Promise<void> {
  await receiver.answer?.('take');
  const use = async (): Promise<void> => {
    const transport = make();
    await send(transport, mail());
    await transport.close();
  };
  const left = await leftOpenBy(use, OF_OTHERS, CLOSE_MS);
  require(left.length === 0, `${CLOSE_MS / 1000} s after close it keeps the process from ending: ${left.join(', ')}.`);
}
