import { type MessageLanguage, textsIn } from '../../text/message-catalogue/catalogue.js';
import type { MessageText } from '../../text/message-catalogue/message-text.js';
import type { AccountChange } from '../../user/outbox/outbox-mail.entity.js';
import notices from './security-notice.json' with { type: 'json' };

type Sentences = Readonly<Record<AccountChange, string>>;
type Notices = Sentences & Readonly<Record<'title' | 'tail', string>>;

/** Matches the name at the end of a sentence, behind what it belongs to. */
const NAME = /\s?[:\uFF1A]\s?\{\{\.About\}\}/u;

const NOTICES: Readonly<Record<MessageLanguage, Notices>> = notices;

/**
 * Sent to the owner of an account when something has changed by which people sign in to it. Not a kind of message whose
 * text can be changed; greeting and button are those of another notice. `change` is absent only for a row of a later
 * version, `about` also where what has changed has no name of its own.
 */
export function securityNotice(
  language: MessageLanguage,
  change: AccountChange | undefined,
  about: string | undefined,
): MessageText {
  const { title, tail, ...sentences } = NOTICES[language];
  const whole = textOf(sentences, tail, change);
  const text = about === undefined ? whole.replace(NAME, '') : whole;
  return { ...textsIn(language).passwordChange, title, preHeader: title, subject: title, text };
}

/** The owner of an account that is closed cannot change its password: its sentence says what to do instead. */
function textOf(sentences: Sentences, tail: string, change: AccountChange | undefined): string {
  if (change === undefined) return tail;
  return change === 'accountClosed' ? sentences.accountClosed : `${sentences[change]} ${tail}`;
}
