import { type MessageLanguage, textsIn } from '../../text/message-catalogue/catalogue.js';
import type { MessageText } from '../../text/message-text.js';
import notices from './webhook-notice.json' with { type: 'json' };

const NOTICES: Readonly<Record<MessageLanguage, Pick<MessageText, 'title' | 'text'>>> = notices;

/**
 * Sent to the owners of an organization or of the instance when a webhook of theirs was switched off because of its
 * receiver. Not a kind of message whose text can be changed; greeting and button are those of another notice.
 */
export function webhookNotice(language: MessageLanguage): MessageText {
  const { title, text } = NOTICES[language];
  return { ...textsIn(language).passwordChange, title, preHeader: title, subject: title, text };
}
