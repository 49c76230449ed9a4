import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from '../support/code-host.js';
import { freePort } from '../support/free-port.js';

/** What was sent. */
interface ReceivedMail {
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A mail service that takes mails over HTTP. */
export class MailApi {
  private constructor(
    readonly url: string,
    private readonly server: Server,
    private readonly mails: readonly ReceivedMail[],
  ) {}

  static async start(): Promise<MailApi> {
    const mails: ReceivedMail[] = [];
    const server = createServer((request, response) => {
      void request.toArray().then((chunks) => {
        mails.push({ authorization: request.headers.authorization, body: chunks.join('') });
        answer(response, 202, {});
      });
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new MailApi(`http://127.0.0.1:${port}/send`, server, mails);
  }

  async firstMail(): Promise<ReceivedMail> {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
      const [first] = this.mails;
      if (first !== undefined) return first;
    }
    throw new Error('No mail has come within 30 seconds.');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
