import { ENGLISH_LOGIN_TEXTS, type LoginScreen, type LoginTexts } from '../../text/login-catalogue/catalogue.js';
import { LOGIN_SCREENS } from '../../text/login-screens.js';
import { onlyOwn, withBlanks } from '../../text/login-text.js';
import { findMessageLanguage } from '../../text/message-catalogue/catalogue.js';
import {
  isShortMessage,
  type MessageKind,
  type MessageText,
  TEMPLATE_FIELDS,
  TEXT_PARTS,
} from '../../text/message-catalogue/message-text.js';
import { templateProblem } from '../../text/template.js';
import type { CustomLoginTexts } from '../../text/text.entity.js';
import { LANGUAGE_UNSUPPORTED } from '../../text/text.errors.js';
import { type Field, type Fields, Message, part, text } from '../document/field.js';
import { orgStage } from './org.part.js';
import { type DocumentPart, definePart, type Section, textOf } from './part.js';
import { refersTo, type Stage } from './stage.js';

const COLUMNS = ['title', 'pre_header', 'subject', 'greeting', 'text', 'button_text', 'footer_text'] as const;

const messageTextStage: Stage = {
  table: 'message_text',
  name: 'a message text',
  key: ['owner_id', 'kind', 'language'],
  columns: COLUMNS,
  ownerOf: (t) => `${t}.owner_id`,
  checks: [refersTo('owner_id', orgStage)],
};

const loginTextStage: Stage = {
  table: 'login_text',
  name: 'texts of the login pages',
  key: ['owner_id', 'language'],
  columns: ['texts'],
  ownerOf: (t) => `${t}.owner_id`,
  checks: [refersTo('owner_id', orgStage)],
};

const LANGUAGE = text(1, { min: 1, max: 200 });

/** The language tag as it is stored. */
function languageOf(tag: string, section: Section): string {
  const found = tag === '' ? undefined : findMessageLanguage(tag, 'exactly');
  if (found === undefined && tag !== '')
    section.faults.add(`${section.path}.language`, LANGUAGE_UNSUPPORTED.description);
  return found ?? tag;
}

/**
 * The described system stores any template, and exports the texts for a claimed domain as those for passwordless
 * registration. A text with an unknown placeholder is not imported, because the message would show the placeholder
 * itself.
 */
function unfillable(kind: MessageKind, given: Partial<MessageText>): string | undefined {
  for (const name of TEXT_PARTS) {
    const problem = templateProblem(given[name] ?? '', TEMPLATE_FIELDS[kind]);
    if (problem !== undefined) return `${name} ${problem}`;
  }
  return undefined;
}

function messagePart(member: string, number: number, kind: MessageKind, type: string): DocumentPart {
  const bounded = (no: number, maxBytes: number): Field<string> => text(no, { maxBytes });
  const long = text(kind === 'verifySmsOtp' ? 2 : 6, isShortMessage(kind) ? { max: 800 } : { maxBytes: 40_000 });
  const fields =
    kind === 'verifySmsOtp'
      ? { language: LANGUAGE, text: long }
      : {
          language: LANGUAGE,
          title: bounded(2, 2_000),
          preHeader: bounded(3, 2_000),
          subject: bounded(4, 2_000),
          greeting: bounded(5, 4_000),
          text: long,
          buttonText: bounded(7, 4_000),
          footerText: bounded(8, 8_000),
        };
  return definePart<Fields>({
    member,
    number,
    stages: [messageTextStage],
    message: new Message<Fields>(fields, ['language']),
    take(entry, section) {
      const given = entry as Partial<MessageText> & { readonly language: string };
      const language = languageOf(given.language, section);
      const columns = Object.fromEntries(TEXT_PARTS.map((name, index) => [COLUMNS[index]!, given[name] ?? '']));
      const leftOut = unfillable(kind, given);
      section.stage(
        messageTextStage,
        { owner_id: section.orgId, kind, language, ...columns },
        { type, id: `${section.orgId}_${given.language}`, leftOut },
      );
    },
    select: `SELECT language, ${COLUMNS.join(', ')}
      FROM message_text
      WHERE owner_id = :orgId AND kind = '${kind}'
      ORDER BY language`,
    toEntry: (row) => ({
      language: textOf(row, 'language'),
      ...Object.fromEntries(TEXT_PARTS.map((name, index) => [name, textOf(row, COLUMNS[index]!)])),
    }),
  });
}

export const messageParts: readonly DocumentPart[] = [
  messagePart('initMessages', 25, 'init', 'init_message'),
  messagePart('passwordResetMessages', 26, 'passwordReset', 'password_reset_message'),
  messagePart('verifyEmailMessages', 27, 'verifyEmail', 'verify_email_message'),
  messagePart('verifyPhoneMessages', 28, 'verifyPhone', 'verify_phone_message'),
  messagePart('domainClaimedMessages', 29, 'domainClaimed', 'domain_claimed_message'),
  messagePart('passwordlessRegistrationMessages', 30, 'passwordlessRegistration', 'passwordless_registration_message'),
  messagePart('verifySmsOtpMessages', 37, 'verifySmsOtp', 'verify_sms_otp_message'),
  messagePart('verifyEmailOtpMessages', 38, 'verifyEmailOtp', 'verify_email_otp_message'),
  messagePart('inviteUserMessages', 39, 'inviteUser', 'invite_user_message'),
  // An extension that the described system ignores.
  messagePart('passwordChangeMessages', 100, 'passwordChange', 'password_change_message'),
];

/** All texts of the screens are short. */
const SCREEN_TEXT = { max: 500 };
/** Members that earlier versions of the described system wrote. */
const FORMER = {
  ignored: ['tosLink', 'privacyLink', 'privacyPolicyLink', 'helpLink', 'tosConfirmAnd', 'externalLoginDescription'],
};
const screens: Fields = Object.fromEntries(
  Object.entries(ENGLISH_LOGIN_TEXTS).map(([screen, fields]) => {
    const message = new Message(
      Object.fromEntries(
        Object.keys(fields).map((field) => [
          field,
          text(LOGIN_SCREENS[screen as LoginScreen].fields[field]![0], SCREEN_TEXT),
        ]),
      ),
      [],
      FORMER,
    );
    return [screen, part(LOGIN_SCREENS[screen as LoginScreen].number, message)];
  }),
);

/** An entry of `loginTexts`. */
export const LOGIN_TEXT = new Message<Fields>({ language: LANGUAGE, ...screens }, ['language']);

export const loginTextPart: DocumentPart = definePart<Fields>({
  member: 'loginTexts',
  number: 24,
  stages: [loginTextStage],
  message: LOGIN_TEXT,
  take(entry, section) {
    const { language: tag, ...given } = entry as { readonly language: string };
    const language = languageOf(tag, section);
    const said = Object.fromEntries(
      Object.entries(given).filter(([, screen]) => screen !== undefined),
    ) as CustomLoginTexts;
    section.stage(
      loginTextStage,
      { owner_id: section.orgId, language, texts: onlyOwn(withBlanks(said)) },
      { type: 'login_texts', id: `${section.orgId}_${tag}` },
    );
  },
  select: 'SELECT language, texts FROM login_text WHERE owner_id = :orgId ORDER BY language',
  toEntry: (row) => ({ language: textOf(row, 'language'), ...(row['texts'] as LoginTexts) }),
});
