import { type MessageLanguage, textsIn } from '../../text/message-catalogue/catalogue.js';
import type { MessageText } from '../../text/message-text.js';
import notices from './registration-notice.json' with { type: 'json' };

const NOTICES: Readonly<Record<MessageLanguage, Pick<MessageText, 'title' | 'text'>>> = notices;

/**
 * Sent to the owner of an address or name that was used for another registration. The visitor does not learn of it (LOG-027), so
 * the owner is. Not a kind of message whose text can be changed; greeting and button are those of another notice.
 */
export function registrationNotice(language: MessageLanguage): MessageText {
  const { title, text } = NOTICES[language];
  return { ...textsIn(language).passwordChange, title, preHeader: title, subject: title, text };
}
