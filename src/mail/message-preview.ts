import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { durationIn } from '../foundation/language/duration-text.js';
import { toDataUrl } from '../org/policy/label.service.js';
import {
  isShortMessage,
  type MessageKind,
  type MessageText,
  type TemplateValues,
} from '../text/message-catalogue/message-text.js';
import { TextService } from '../text/text.service.js';
import { EMAIL_CODE_LIFETIME_SECONDS } from '../user/factor/email-codes.js';
import { CODE_LIFETIME_SECONDS } from '../user/user-codes.js';
import { MailLabels } from './mail-label.js';
import { type RenderedMail, renderMail, renderShortMessage } from './mail-template.js';

export interface PreviewedMessage extends RenderedMail {
  readonly language: string;
}

/** How long the code of a message is valid. */
const LIFETIME_SECONDS: Partial<Readonly<Record<MessageKind, number>>> = {
  init: CODE_LIFETIME_SECONDS.init,
  inviteUser: CODE_LIFETIME_SECONDS.init,
  verifyEmail: CODE_LIFETIME_SECONDS.email,
  passwordReset: CODE_LIFETIME_SECONDS.password_reset,
  passwordlessRegistration: CODE_LIFETIME_SECONDS.passkey,
};

/** Shows a message with sample values, before anything is stored. */
@Injectable()
export class MessagePreview {
  constructor(
    private readonly texts: TextService,
    private readonly labels: MailLabels,
    private readonly issuer: IssuerConfig,
  ) {}

  /**
   * The message to users of an owner (an organization or the instance), with the parts of `text` that are not empty.
   * Short messages have neither subject nor HTML.
   * @throws DomainError InvalidArgument `request.invalid` as when a text is stored
   */
  async render(kind: MessageKind, ownerId: string, languageTag: string, text: MessageText): Promise<PreviewedMessage> {
    const resolved = await this.texts.resolveUnsaved(kind, ownerId, languageTag, text);
    const { language } = resolved;
    const url = `${this.issuer.publicUrl}/ui/login`;
    const expiry = durationIn(language, LIFETIME_SECONDS[kind] ?? EMAIL_CODE_LIFETIME_SECONDS);
    const values = this.sampleValues(expiry, ownerId, url);
    if (isShortMessage(kind)) return { language, subject: '', html: '', text: renderShortMessage(resolved, values) };
    const label = await this.labels.of(ownerId);
    return { language, ...renderMail({ ...resolved, values, url, label, logoSrc: toDataUrl(label.logo) }) };
  }

  /** A value for each template field of any kind. */
  private sampleValues(expiry: string, ownerId: string, url: string): TemplateValues {
    const { hostname } = new URL(this.issuer.publicUrl);
    const email = 'given.family@example.com';
    const loginName = 'given.family@example.com';
    const phone = '+41 00 000 00 00';
    const date = '2026-01-31T12:00:00Z';
    return {
      Code: 'K7QX2M',
      OTP: '40718263',
      VerifyURL: url,
      Expiry: expiry,
      Domain: hostname,
      TempUsername: 'given.family@temporary.example.com',
      Username: 'given.family@example.com',
      ApplicationName: 'Application',
      UserName: 'given.family',
      FirstName: 'Given',
      LastName: 'Family',
      NickName: 'Nick',
      DisplayName: 'Given Family',
      LastEmail: email,
      VerifiedEmail: email,
      LastPhone: phone,
      VerifiedPhone: phone,
      PreferredLoginName: loginName,
      LoginName: loginName,
      LoginNames: loginName,
      UserID: '312909075212468225',
      OrgID: ownerId,
      ChangeDate: date,
      CreationDate: date,
    };
  }
}
