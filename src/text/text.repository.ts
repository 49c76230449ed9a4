import { Injectable } from '@nestjs/common';
import { columnsOf, insertInto } from '../foundation/database/columns.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { HISTORY } from '../foundation/database/recorded.js';
import { type Given, type Queryable, type Statement, statement } from '../foundation/database/statement.js';
import type { EventMark } from '../foundation/event/journal.js';
import type { MessageKind, MessageText } from './message-catalogue/message-text.js';
import { CustomLoginText, type CustomLoginTexts, CustomMessageText } from './text.entity.js';

const MESSAGE_PROPERTIES = [
  'ownerId',
  'kind',
  'language',
  'title',
  'preHeader',
  'subject',
  'greeting',
  'text',
  'buttonText',
  'footerText',
  ...HISTORY,
] as const;
const LOGIN_PROPERTIES = ['ownerId', 'language', 'texts', ...HISTORY] as const;

const MESSAGE = columnsOf(CustomMessageText, 't', MESSAGE_PROPERTIES);
const LOGIN = columnsOf(CustomLoginText, 't', LOGIN_PROPERTIES);

const FIND_MESSAGES = statement(
  'message_text.find',
  `SELECT ${MESSAGE}
   FROM message_text t
   WHERE t.owner_id = ANY (:ownerIds) AND t.kind = :kind AND t.language = :language`,
).rows<Raw<CustomMessageText>>();
const LOCK_MESSAGE = statement(
  'message_text.lock',
  `SELECT ${MESSAGE}
   FROM message_text t
   WHERE t.owner_id = :ownerId AND t.kind = :kind AND t.language = :language
   FOR UPDATE`,
).rows<Raw<CustomMessageText>>();
const PUT_MESSAGE = statement<CustomMessageText>(
  'message_text.put',
  `${insertInto(CustomMessageText, MESSAGE_PROPERTIES)}
   ON CONFLICT (owner_id, kind, language) DO UPDATE SET
     title = excluded.title,
     pre_header = excluded.pre_header,
     subject = excluded.subject,
     greeting = excluded.greeting,
     text = excluded.text,
     button_text = excluded.button_text,
     footer_text = excluded.footer_text,
     sequence = excluded.sequence,
     change_date = excluded.change_date`,
);
const REMOVE_MESSAGE = statement(
  'message_text.remove',
  'DELETE FROM message_text WHERE owner_id = :ownerId AND kind = :kind AND language = :language',
);
const MESSAGES_THERE = statement(
  'message_text.there',
  'SELECT t.kind, t.language FROM message_text t WHERE t.owner_id = :ownerId ORDER BY t.kind, t.language',
).rows<{ kind: MessageKind; language: string }>();
const LOGINS_THERE = statement(
  'login_text.there',
  'SELECT t.language FROM login_text t WHERE t.owner_id = :ownerId ORDER BY t.language',
).rows<{ language: string }>();
const LOCK_MESSAGES_OF = statement(
  'message_text.of_owner',
  `SELECT ${MESSAGE}
   FROM message_text t
   WHERE t.owner_id = :ownerId
   ORDER BY t.kind, t.language
   FOR UPDATE`,
).rows<Raw<CustomMessageText>>();

const FIND_LOGIN = statement(
  'login_text.find',
  `SELECT ${LOGIN}
   FROM login_text t
   WHERE t.owner_id = ANY (:ownerIds) AND t.language = :language`,
).rows<Raw<CustomLoginText>>();
const LOCK_LOGIN = statement(
  'login_text.lock',
  `SELECT ${LOGIN}
   FROM login_text t
   WHERE t.owner_id = :ownerId AND t.language = :language
   FOR UPDATE`,
).rows<Raw<CustomLoginText>>();
const PUT_LOGIN = statement<CustomLoginText>(
  'login_text.put',
  `${insertInto(CustomLoginText, LOGIN_PROPERTIES)}
   ON CONFLICT (owner_id, language) DO UPDATE SET
     texts = excluded.texts,
     sequence = excluded.sequence,
     change_date = excluded.change_date`,
);
const REMOVE_LOGIN = statement(
  'login_text.remove',
  'DELETE FROM login_text WHERE owner_id = :ownerId AND language = :language',
);
const LOCK_LOGINS_OF = statement(
  'login_text.of_owner',
  `SELECT ${LOGIN}
   FROM login_text t
   WHERE t.owner_id = :ownerId
   ORDER BY t.language
   FOR UPDATE`,
).rows<Raw<CustomLoginText>>();

/** The driver returns a bigint as a string. */
type Raw<Row> = Omit<Row, 'sequence'> & { readonly sequence: string };

/** Custom texts. Reads with `tx` lock their rows, so that concurrent changes wait. */
@Injectable()
export class TextRepository {
  constructor(private readonly database: Database) {}

  /** Texts of any of the owners. */
  async findMessages(ownerIds: readonly string[], kind: MessageKind, language: string): Promise<CustomMessageText[]> {
    return read(this.database, FIND_MESSAGES, { ownerIds, kind, language });
  }

  /** Which texts of messages an owner has. */
  async messagesOf(ownerId: string): Promise<ReadonlyArray<{ readonly kind: MessageKind; readonly language: string }>> {
    return this.database.query(MESSAGES_THERE, { ownerId });
  }

  /** The languages in which an owner has texts of the login pages. */
  async loginsOf(ownerId: string): Promise<readonly string[]> {
    return (await this.database.query(LOGINS_THERE, { ownerId })).map(({ language }) => language);
  }

  async lockMessage(
    tx: Transaction,
    ownerId: string,
    kind: MessageKind,
    language: string,
  ): Promise<CustomMessageText | undefined> {
    const [row] = await read(tx, LOCK_MESSAGE, { ownerId, kind, language });
    return row;
  }

  async lockMessagesOf(tx: Transaction, ownerId: string): Promise<CustomMessageText[]> {
    return read(tx, LOCK_MESSAGES_OF, { ownerId });
  }

  async putMessage(
    tx: Transaction,
    ownerId: string,
    kind: MessageKind,
    language: string,
    text: MessageText,
    mark: EventMark,
  ): Promise<void> {
    await tx.query(PUT_MESSAGE, {
      ownerId,
      kind,
      language,
      title: text.title,
      preHeader: text.preHeader,
      subject: text.subject,
      greeting: text.greeting,
      text: text.text,
      buttonText: text.buttonText,
      footerText: text.footerText,
      sequence: mark.sequence,
      creationDate: mark.at,
      changeDate: mark.at,
    });
  }

  async removeMessage(tx: Transaction, ownerId: string, kind: MessageKind, language: string): Promise<void> {
    await tx.query(REMOVE_MESSAGE, { ownerId, kind, language });
  }

  /** Texts of any of the owners. */
  async findLogin(ownerIds: readonly string[], language: string): Promise<CustomLoginText[]> {
    return read(this.database, FIND_LOGIN, { ownerIds, language });
  }

  async lockLogin(tx: Transaction, ownerId: string, language: string): Promise<CustomLoginText | undefined> {
    const [row] = await read(tx, LOCK_LOGIN, { ownerId, language });
    return row;
  }

  async lockLoginsOf(tx: Transaction, ownerId: string): Promise<CustomLoginText[]> {
    return read(tx, LOCK_LOGINS_OF, { ownerId });
  }

  async putLogin(
    tx: Transaction,
    ownerId: string,
    language: string,
    texts: CustomLoginTexts,
    mark: EventMark,
  ): Promise<void> {
    await tx.query(PUT_LOGIN, {
      ownerId,
      language,
      texts,
      sequence: mark.sequence,
      creationDate: mark.at,
      changeDate: mark.at,
    });
  }

  async removeLogin(tx: Transaction, ownerId: string, language: string): Promise<void> {
    await tx.query(REMOVE_LOGIN, { ownerId, language });
  }
}

async function read<Row extends { sequence: bigint }, Values extends object>(
  on: Queryable,
  sql: Statement<Values, Raw<Row>>,
  ...values: Given<Values>
): Promise<Row[]> {
  const rows = await on.query(sql, ...values);
  return rows.map((row) => ({ ...row, sequence: BigInt(row.sequence) }) as unknown as Row);
}
