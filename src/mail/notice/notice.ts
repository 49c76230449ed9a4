import { type MessageLanguage, textsIn } from '../../text/message-catalogue/catalogue.js';
import type { MessageText } from '../../text/message-catalogue/message-text.js';

/** The texts of a mail that is not a kind of message whose text can be changed, in each language. */
export type NoticeTexts = Readonly<Record<MessageLanguage, Pick<MessageText, 'title' | 'text'>>>;

/** A notice in a language; greeting and button are those of the notice of a changed password. */
export function noticeIn(language: MessageLanguage, texts: NoticeTexts): MessageText {
  const { title, text } = texts[language];
  return { ...textsIn(language).passwordChange, title, preHeader: title, subject: title, text };
}
