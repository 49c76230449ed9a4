import { type MessageLanguage, textsIn } from '../../text/catalogue/catalogue.js';
import type { MessageText } from '../../text/message-text.js';
import notices from './registration-notice.json' with { type: 'json' };

const NOTICES: Readonly<Record<MessageLanguage, Pick<MessageText, 'title' | 'text'>>> = notices;

/**
 * What somebody reads with whose address, or name, somebody else wanted to register. Whoever registers is not told (LOG-027), so
 * the owner is. It is no kind of message whose text can be changed; greeting and button are those of another notice.
 */
export function registrationNotice(language: MessageLanguage): MessageText {
  const { title, text } = NOTICES[language];
  return { ...textsIn(language).passwordChange, title, preHeader: title, subject: title, text };
}
