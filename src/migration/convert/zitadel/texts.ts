import { findMessageLanguage } from '../../../text/message-catalogue/catalogue.js';
import { isShortMessage, type MessageKind } from '../../../text/message-catalogue/message-text.js';
import { type Stored, textOf } from '../../part/part.js';
import type { Entry, ListName, ShortLists } from '../document.js';
import type { TableFacts } from './layout.js';
import { textOfKey } from './login-keys.js';
import type { Source, SourceOrg } from './source.js';

const MESSAGES: TableFacts = {
  table: 'message_texts',
  needs: ['aggregate_id', 'instance_id', 'type', 'language', 'title', 'pre_header', 'subject', 'greeting', 'text'],
  may: ['button_text', 'footer_text'],
};
const LOGIN_TEXTS: TableFacts = {
  table: 'custom_texts',
  needs: ['aggregate_id', 'instance_id', 'template', 'language', 'key', 'text'],
};
const LOGIN = 'Login';

type MessageList = Extract<ListName, `${string}Messages`>;
const LISTS: Readonly<Record<string, readonly [list: MessageList, kind: MessageKind]>> = {
  InitCode: ['initMessages', 'init'],
  PasswordReset: ['passwordResetMessages', 'passwordReset'],
  VerifyEmail: ['verifyEmailMessages', 'verifyEmail'],
  VerifyPhone: ['verifyPhoneMessages', 'verifyPhone'],
  VerifySMSOTP: ['verifySmsOtpMessages', 'verifySmsOtp'],
  VerifyEmailOTP: ['verifyEmailOtpMessages', 'verifyEmailOtp'],
  DomainClaimed: ['domainClaimedMessages', 'domainClaimed'],
  PasswordlessRegistration: ['passwordlessRegistrationMessages', 'passwordlessRegistration'],
  PasswordChange: ['passwordChangeMessages', 'passwordChange'],
  InviteUser: ['inviteUserMessages', 'inviteUser'],
};
const MAX_SHORT_CHARACTERS = 800;
const MAX_SCREEN_CHARACTERS = 500;

/** The texts of messages and pages that organizations have written, or the instance for all of them. */
export class TextReader {
  private readonly ofInstance = new Map<string, readonly Stored[]>();

  constructor(
    private readonly source: Source,
    private readonly inherits: boolean,
  ) {}

  async of(org: SourceOrg): Promise<ShortLists> {
    return { ...(await this.messagesOf(org)), loginTexts: await this.loginTextsOf(org) };
  }

  private async messagesOf(org: SourceOrg): Promise<ShortLists> {
    const { report } = this.source;
    const own = await this.rows(MESSAGES, org);
    const lists: { [Name in MessageList]?: Array<Entry<Name>> } = {};
    const known = new Set<string>();
    for (const row of own) {
      const [type, tag] = [textOf(row, 'type'), textOf(row, 'language')];
      const language = findMessageLanguage(tag, 'exactly');
      const [list, kind] = LISTS[type] ?? [];
      if (list === undefined || kind === undefined || language === undefined) {
        report.note('Texts of messages of another kind or language: left out', `${org.name} ${type} ${tag}`);
        continue;
      }
      // Those of the organization come first.
      if (known.has(`${list} ${language}`)) continue;
      known.add(`${list} ${language}`);
      const text = textOf(row, 'text');
      if (isShortMessage(kind) && [...text].length > MAX_SHORT_CHARACTERS) {
        report.note('Texts of short messages that are too long: left out', `${org.name} ${type} ${tag}`);
        continue;
      }
      const entries = (lists[list] ??= []);
      entries.push(
        kind === 'verifySmsOtp'
          ? { language, text }
          : {
              language,
              text,
              title: textOf(row, 'title'),
              preHeader: textOf(row, 'pre_header'),
              subject: textOf(row, 'subject'),
              greeting: textOf(row, 'greeting'),
              buttonText: textOf(row, 'button_text'),
              footerText: textOf(row, 'footer_text'),
            },
      );
    }
    return lists;
  }

  private async loginTextsOf(org: SourceOrg): Promise<Array<Entry<'loginTexts'>>> {
    const { report } = this.source;
    const byLanguage = new Map<string, Record<string, Record<string, string>>>();
    for (const row of await this.rows(LOGIN_TEXTS, org)) {
      if (textOf(row, 'template') !== LOGIN) continue;
      const [tag, key, text] = [textOf(row, 'language'), textOf(row, 'key'), textOf(row, 'text')];
      const language = findMessageLanguage(tag, 'exactly');
      const found = textOfKey(key);
      if (language === undefined || found === undefined || [...text].length > MAX_SCREEN_CHARACTERS) {
        report.note(
          'Texts of pages that are too long, or of another page or language: left out',
          `${org.name} ${key} ${tag}`,
        );
        continue;
      }
      const texts = byLanguage.get(language) ?? {};
      byLanguage.set(language, texts);
      const page = (texts[found.screen] ??= {});
      // Those of the organization come first.
      page[found.member] ??= text;
    }
    return [...byLanguage].map(([language, texts]) => ({ language, ...texts }));
  }

  /** The rows of the organization, and after them those of the instance. */
  private async rows(facts: TableFacts, { id }: SourceOrg): Promise<readonly Stored[]> {
    const own = await this.rowsOf(facts, id);
    if (!this.inherits) return own;
    const known = this.ofInstance.get(facts.table) ?? (await this.rowsOf(facts, this.source.instance.id));
    this.ofInstance.set(facts.table, known);
    return [...own, ...known];
  }

  private async rowsOf(facts: TableFacts, ownerId: string): Promise<readonly Stored[]> {
    const { database, instance } = this.source;
    const found = database.layout.findIfAny(facts);
    if (!found) return [];
    return database.all(
      `SELECT ${found.columns('t')} FROM ${found.name} t
       WHERE t.instance_id = :instanceId AND t.aggregate_id = :ownerId
       ORDER BY ${facts === MESSAGES ? 't.type, t.language' : 't.language, t.key'}`,
      { instanceId: instance.id, ownerId },
    );
  }
}
