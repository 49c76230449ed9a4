import type { AccountChange } from '../../foundation/outbox/outbox-mail.entity.js';
import { type MessageLanguage, textsIn } from '../../text/message-catalogue/catalogue.js';
import type { MessageText } from '../../text/message-text.js';
import notices from './security-notice.json' with { type: 'json' };

type Notices = Readonly<Record<'title' | 'tail' | AccountChange, string>>;

const NOTICES: Readonly<Record<MessageLanguage, Notices>> = notices;

/**
 * Sent to the owner of an account when something has changed by which people sign in to it. Not a kind of message whose
 * text can be changed; greeting and button are those of another notice. `change` is absent only for a row of a later
 * version.
 */
export function securityNotice(language: MessageLanguage, change: AccountChange | undefined): MessageText {
  const { title, tail, ...sentences } = NOTICES[language];
  const text = change === undefined ? tail : `${sentences[change]} ${tail}`;
  return { ...textsIn(language).passwordChange, title, preHeader: title, subject: title, text };
}
