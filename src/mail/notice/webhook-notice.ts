import type { MessageLanguage } from '../../text/message-catalogue/catalogue.js';
import type { MessageText } from '../../text/message-catalogue/message-text.js';
import { type NoticeTexts, noticeIn } from './notice.js';
import notices from './webhook-notice.json' with { type: 'json' };

const TEXTS: NoticeTexts = notices;

/**
 * Sent to the owners of an organization or of the instance when a webhook of theirs was switched off because of its
 * receiver.
 */
export function webhookNotice(language: MessageLanguage): MessageText {
  return noticeIn(language, TEXTS);
}
