import type { MessageLanguage } from '../../text/message-catalogue/catalogue.js';
import type { MessageText } from '../../text/message-catalogue/message-text.js';
import { type NoticeTexts, noticeIn } from './notice.js';
import notices from './registration-notice.json' with { type: 'json' };

const TEXTS: NoticeTexts = notices;

/**
 * Sent to the owner of an address or name that was used for another registration. The visitor does not learn of it
 * (LOG-027), so the owner is.
 */
export function registrationNotice(language: MessageLanguage): MessageText {
  return noticeIn(language, TEXTS);
}
