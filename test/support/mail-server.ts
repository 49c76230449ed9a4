import type { SMTPServerOptions } from 'smtp-server';
import { MailServer as PublishedMailServer } from '../../src/extension/testing/mail-server.js';
import { certificate, key } from '../idp/certificate.js';

export { mailingBy, type TakenMail } from '../../src/extension/testing/mail-server.js';

/** As teams get it, with a certificate that the tests of TLS know. */
export class MailServer extends PublishedMailServer {
  static override async open(options: SMTPServerOptions & { port?: number } = {}): Promise<MailServer> {
    return PublishedMailServer.openWith({ key, cert: certificate, ...options });
  }
}
