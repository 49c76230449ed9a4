import { readFileSync } from 'node:fs';
import { Controller, Get, Inject, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Open } from '../../foundation/http/access.js';
import { sendJson } from '../../foundation/http/json.js';
import { CHOSEN_TRANSPORT, type MailTransport } from '../transport/mail-transport.js';
import { DevelopmentMailbox } from './development-mailbox.js';
import { MAILBOX, renderMailbox, renderMessage } from './mailbox.page.js';
import type { MailboxMessage } from './mailbox-message.entity.js';

const STYLESHEET = readFileSync(new URL('./mailbox.css', import.meta.url));

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * A mail in its frame cannot run or fetch anything and has no origin. Mails have inline styles, which are therefore
 * allowed here and nowhere else; links open in a new window.
 */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
  'sandbox allow-popups allow-popups-to-escape-sandbox';

/**
 * The development mailbox. Anybody who can reach the port may read it, like the terminal; a foreign page may not, which
 * would need a host name of its own for this machine (DNS rebinding).
 */
@Open()
@Controller(MAILBOX)
export class MailboxController {
  constructor(
    @Inject(CHOSEN_TRANSPORT) private readonly transport: MailTransport | null,
    private readonly issuer: IssuerConfig,
  ) {}

  @Get()
  async list(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const messages = await this.mailbox(request).list();
    response.setHeader('Vary', 'Accept');
    if (request.accepts(['html', 'json']) === 'json') sendJson(response, { messages: messages.map(toJson) });
    else sendPage(response, renderMailbox(messages), PAGE_POLICY);
  }

  @Get('mailbox.css')
  stylesheet(@Res() response: ExpressResponse): void {
    response.type('text/css; charset=utf-8').send(STYLESHEET);
  }

  @Get(':id')
  async message(
    @Req() request: ExpressRequest,
    @Param('id') id: string,
    @Res() response: ExpressResponse,
  ): Promise<void> {
    sendPage(response, renderMessage(await this.find(request, id), this.issuer.publicUrl), PAGE_POLICY);
  }

  @Get(':id/html')
  async html(@Req() request: ExpressRequest, @Param('id') id: string, @Res() response: ExpressResponse): Promise<void> {
    const { htmlBody } = await this.find(request, id);
    response.setHeader('X-Frame-Options', 'SAMEORIGIN');
    sendPage(response, htmlBody.replace('<head>', '<head><base target="_blank">'), MAIL_POLICY);
  }

  private async find(request: ExpressRequest, id: string): Promise<MailboxMessage> {
    const message = await this.mailbox(request).find(id);
    if (!message) throw new NotFoundException();
    return message;
  }

  private mailbox({ headers: { host = '' } }: ExpressRequest): DevelopmentMailbox {
    if (!(this.transport instanceof DevelopmentMailbox)) throw new NotFoundException();
    if (host !== new URL(this.issuer.publicUrl).host && !isAddress(host)) throw new NotFoundException();
    return this.transport;
  }
}

/** Whether a host is an address, or a name that no one else can point to this machine. */
function isAddress(host: string): boolean {
  return /^(localhost|\d+\.\d+\.\d+\.\d+|\[[\da-f:]+\])(:\d+)?$/i.test(host);
}

function sendPage(response: ExpressResponse, page: string, policy: string): void {
  response.setHeader('Content-Security-Policy', policy);
  response.type('text/html; charset=utf-8').send(page);
}

function toJson({
  id,
  sentAt,
  recipient,
  subject,
  textBody,
  htmlBody,
  headers,
}: MailboxMessage): Record<string, unknown> {
  return { id, date: sentAt.toISOString(), to: recipient, subject, text: textBody, html: htmlBody, headers };
}
