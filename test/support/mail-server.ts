import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { certificate, key } from '../idp/certificate.js';

/** One mail as the server took it. */
export interface TakenMail extends Email {
  /** What SMTP said of whom it is for, whatever the mail itself says. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
  readonly raw: string;
}

/** How the server answers at the moment: tests change it while it runs. */
export interface Behaviour {
  /** Before each answer to a recipient. */
  delayMs?: number;
  /** Before the answer to a recipient: it comes once this has resolved. */
  hold?: ((address: string) => Promise<void>) | undefined;
  /** Instead of taking a recipient: `450 …` or `550 …`. */
  refuseRecipient?: ((address: string) => string | undefined) | undefined;
  /** Instead of taking a message. */
  refuseData?: string | undefined;
  refuseSender?: string | undefined;
  /** After a message was taken and before that is said. */
  onData?: (() => Promise<void>) | undefined;
}

/** A real, independent mail server (`smtp-server`). */
export class MailServer {
  readonly taken: TakenMail[] = [];
  readonly behaviour: Behaviour = {};
  /** How many sessions were begun. */
  sessions = 0;

  private constructor(
    private readonly server: SMTPServer,
    readonly port: number,
  ) {}

  static async open(options: SMTPServerOptions & { port?: number } = {}): Promise<MailServer> {
    const { port = 0, ...own } = options;
    // eslint-disable-next-line prefer-const -- the handlers need it before it can be made
    let self: MailServer;
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      closeTimeout: 500,
      key,
      cert: certificate,
      onConnect: (_session, done) => {
        self.sessions += 1;
        done();
      },
      onMailFrom: (_address, _session, done) => done(toError(self.behaviour.refuseSender)),
      onRcptTo: ({ address }, _session, done) => {
        void sleep(self.behaviour.delayMs ?? 0)
          .then(() => self.behaviour.hold?.(address))
          .then(() => done(toError(self.behaviour.refuseRecipient?.(address))));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on(
          'end',
          () =>
            void self.take(Buffer.concat(chunks), session).then(() => done(toError(self.behaviour.refuseData)), done),
        );
      },
      ...own,
    });
    server.on('error', () => undefined); // broken connections are what some tests are about
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    self = new MailServer(server, (server.server.address() as AddressInfo).port);
    return self;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** Waits until it has taken so many. @throws Error after ten seconds */
  async until(count: number): Promise<readonly TakenMail[]> {
    for (let waited = 0; this.taken.length < count; waited += 20) {
      if (waited > 10_000) throw new Error(`The mail server has taken ${this.taken.length} of ${count} mails.`);
      await sleep(20);
    }
    return this.taken;
  }

  private async take(
    raw: Buffer,
    session: {
      envelope: { mailFrom: unknown; rcptTo: ReadonlyArray<{ address: string }> };
      secure?: boolean;
      user?: unknown;
    },
  ): Promise<void> {
    if (this.behaviour.refuseData !== undefined) return;
    const email = await PostalMime.parse(raw);
    const { address: from } = session.envelope.mailFrom as { address: string };
    this.taken.push({
      ...email,
      raw: raw.toString(),
      envelope: { from, to: session.envelope.rcptTo.map(({ address }) => address) },
      isEncrypted: session.secure === true,
      user: session.user as string | undefined,
    });
    await this.behaviour.onData?.();
  }
}

/** `550 5.1.1 No such mailbox` as smtp-server wants it. */
function toError(answer: string | undefined): Error | null {
  if (answer === undefined) return null;
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}

/** The settings of a service that sends by this server. */
export function mailingBy(server: MailServer, query = ''): Record<string, string> {
  return { SMTP_URL: `${server.url}${query}`, MAIL_FROM: 'Acme <no-reply@acme.test>' };
}
