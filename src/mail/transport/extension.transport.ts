import type { PartCalls } from '../../foundation/extension/part-calls.js';
import type { Filled } from '../../foundation/extension/seam.js';
import { asExtension } from '../../foundation/log/running-extension.js';
import { MAIL_TRANSPORT, MailFailed, MailRefused, type MailTransport, type OutgoingMail } from './mail-transport.js';

/** Longer than any signal that a mail is sent with, which ends it. */
const LIMIT_MS = 95_000;

/**
 * The transport of an extension: timed, and what fails is logged and counted under its name. That a mail is refused,
 * now or for good, is an answer of the server behind it and no failure of the extension.
 */
export class ExtensionTransport implements MailTransport {
  constructor(
    private readonly of: Filled<MailTransport>,
    private readonly calls: PartCalls,
  ) {}

  /** @throws MailRefused, MailFailed */
  async send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    const call = { seam: MAIL_TRANSPORT, of: this.of, limitMs: LIMIT_MS };
    const answer = await this.calls
      .call(call, async (transport, limit) => {
        try {
          await Promise.race([transport.send(mail, AbortSignal.any([signal, limit])), aborted(signal)]);
        } catch (error) {
          if (error instanceof MailRefused || error instanceof MailFailed) return error;
          if (signal.aborted && !isLate(signal)) return new MailFailed('The service was stopped meanwhile.');
          throw error;
        }
        return undefined;
      })
      .catch(() => new MailFailed(`${this.of.name} failed; the log of the service says why.`)); // logged and counted
    if (answer) throw answer;
  }

  async close(): Promise<void> {
    await asExtension(this.of.extension, async () => this.of.part.close());
  }
}

/** A transport that takes no notice of its signal must not hold what waits behind it. */
async function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function isLate({ reason }: AbortSignal): boolean {
  return (reason as Error).name === 'TimeoutError';
}
