import { Injectable } from '@nestjs/common';
import { MailFailed, MailRefused, type MailTransport, type OutgoingMail } from 'gatehouse';
import { MailSettings } from './mail.settings.js';

/** Hands mails to a service that sends them, by one request each. */
@Injectable()
export class HttpMail implements MailTransport {
  constructor(private readonly settings: MailSettings) {}

  async send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    const { id, messageId, from, to, subject, text, html, images } = mail;
    const attachments = images.map(({ cid, contentType, content }) => ({
      contentId: cid,
      contentType,
      content: content.toString('base64'),
    }));
    const response = await fetch(this.settings.url, {
      method: 'POST',
      signal,
      redirect: 'error',
      headers: {
        Authorization: `Bearer ${this.settings.key.reveal()}`,
        'Content-Type': 'application/json',
        // The same at each attempt, so that the service sends the mail once.
        'Idempotency-Key': id,
      },
      body: JSON.stringify({ messageId, from, to: [to], subject, text, html, attachments }),
    });
    await response.body?.cancel();
    if (response.ok) return;
    const said = `The mail service answers with the status ${response.status}.`;
    throw response.status === 422 ? new MailRefused(said) : new MailFailed(said);
  }

  close(): void {
    // Each request ends by itself.
  }
}
