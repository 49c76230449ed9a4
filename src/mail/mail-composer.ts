import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { Vault } from '../foundation/crypto/vault.js';
import { Clock } from '../foundation/time/clock.js';
import type { MessageLanguage } from '../text/message-catalogue/catalogue.js';
import type { MessageText } from '../text/message-catalogue/message-text.js';
import { type ResolvedText, TextService } from '../text/text.service.js';
import { placeOfCode } from '../user/outbox/outbox.js';
import type { MailDetails, MailKind } from '../user/outbox/outbox-mail.entity.js';
import type { ClaimedMail } from '../user/outbox/outbox-queue.js';
import { UserDirectory } from '../user/user-directory.js';
import { MailLabels } from './mail-label.js';
import { linkOf } from './mail-link.js';
import { renderMail } from './mail-template.js';
import { valuesOf } from './mail-values.js';
import { registrationNotice } from './notice/registration-notice.js';
import { securityNotice } from './notice/security-notice.js';
import { webhookNotice } from './notice/webhook-notice.js';
import type { ComposedMail } from './transport/transport-in-use.js';

const LOGO = 'logo';

type Notice = Extract<MailKind, `${string}Notice`>;

/** Mails whose texts cannot be changed. */
const NOTICES: Readonly<Record<Notice, (language: MessageLanguage, details: MailDetails) => MessageText>> = {
  registrationNotice: (language) => registrationNotice(language),
  securityNotice: (language, { change, about }) => securityNotice(language, change, about),
  webhookNotice: (language) => webhookNotice(language),
};

function isNotice(kind: MailKind): kind is Notice {
  return Object.hasOwn(NOTICES, kind);
}

/** Composes the mails in the outbox: in the user's language, with the texts and the look of their organization. */
@Injectable()
export class MailComposer {
  constructor(
    private readonly users: UserDirectory,
    private readonly texts: TextService,
    private readonly labels: MailLabels,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly issuer: IssuerConfig,
  ) {}

  /**
   * @throws DomainError NotFound `user.not_found`; Internal `vault.unreadable` for a code that was sealed with a lost
   * master key
   */
  async compose(mail: ClaimedMail): Promise<ComposedMail> {
    const { publicUrl } = this.issuer;
    const user = await this.users.get(mail.orgId, mail.userId);
    const code = mail.code === null ? '' : this.vault.open(mail.code, placeOfCode(mail.id, mail.userId));
    const resolved = await this.resolve(mail, user.preferredLanguage);
    const label = await this.labels.of(mail.orgId);
    const url = linkOf(publicUrl, mail, user, code);
    const values = valuesOf(mail, { user, code, url, publicUrl, language: resolved.language, brand: label.name });
    const rendered = renderMail({ ...resolved, values, url, label, logoSrc: label.logo && `cid:${LOGO}` });
    return {
      ...rendered,
      id: mail.id,
      messageId: `<${mail.id}@${new URL(publicUrl).hostname}>`,
      date: this.clock.now(),
      to: mail.recipient,
      language: resolved.language,
      images: label.logo ? [{ cid: LOGO, contentType: label.logo.contentType, content: label.logo.content }] : [],
    };
  }

  private async resolve({ kind, orgId, details }: ClaimedMail, languageTag: string): Promise<ResolvedText> {
    if (!isNotice(kind)) return this.texts.resolve(kind, orgId, languageTag);
    const { language } = await this.texts.resolve('passwordChange', orgId, languageTag);
    return { language, text: NOTICES[kind](language, details) };
  }
}
