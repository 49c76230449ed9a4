import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SMTPServer, SMTPServerOptions } from 'smtp-server';
import { optionalPackage } from './optional-package.js';

/** @public */
export interface MailAddress {
  readonly name: string;
  readonly address?: string;
}

/** One mail as the server took it. @public */
export interface TakenMail {
  readonly subject?: string;
  readonly messageId?: string;
  readonly date?: string;
  readonly from?: MailAddress;
  readonly to?: readonly MailAddress[];
  readonly cc?: readonly MailAddress[];
  readonly bcc?: readonly MailAddress[];
  readonly text?: string;
  readonly html?: string;
  readonly headers: ReadonlyArray<{ readonly key: string; readonly value: string }>;
  readonly attachments: ReadonlyArray<{
    readonly mimeType: string;
    readonly contentId?: string;
    readonly content: ArrayBuffer | Uint8Array | string;
  }>;
  /** What SMTP said of whom it is for, whatever the mail itself says. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
  readonly raw: string;
}

/** How the server answers at the moment: tests change it while it runs. @public */
export interface MailBehaviour {
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

/** A real, independent mail server (npm `smtp-server`). @public */
export class MailServer {
  readonly taken: TakenMail[] = [];
  readonly behaviour: MailBehaviour = {};
  /** How many sessions were begun. */
  sessions = 0;

  readonly port: number;
  private readonly server: SMTPServer;

  /** @internal Use `open`. */
  protected constructor(server: SMTPServer, port: number) {
    this.server = server;
    this.port = port;
  }

  static async open(): Promise<MailServer> {
    return MailServer.openWith({});
  }

  /** @internal */
  static async openWith(options: SMTPServerOptions & { port?: number }): Promise<MailServer> {
    const { port = 0, ...own } = options;
    // oxlint-disable-next-line prefer-const -- the handlers need it before it can be made
    let self: MailServer;
    const { SMTPServer: Server }: { readonly SMTPServer: typeof SMTPServer } = optionalPackage(
      'smtp-server',
      MAIL_SERVER,
    );
    const server = new Server({
      disabledCommands: ['AUTH', 'STARTTLS'],
      closeTimeout: 500,
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
    const { default: parser }: { readonly default: Parser } = optionalPackage('postal-mime', MAIL_SERVER);
    const email = await parser.parse(raw);
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

const MAIL_SERVER = 'The mail server of gatehouse/testing';

interface Parser {
  parse(raw: Buffer): Promise<Omit<TakenMail, 'envelope' | 'isEncrypted' | 'user' | 'raw'>>;
}

/** `550 5.1.1 No such mailbox` as smtp-server wants it. */
function toError(answer: string | undefined): Error | null {
  if (answer === undefined) return null;
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}

/** The settings of a service that sends by this server. @public */
export function mailingBy(server: MailServer, query = ''): Record<string, string> {
  return { SMTP_URL: `${server.url}${query}`, MAIL_FROM: 'Acme <no-reply@acme.test>' };
}
