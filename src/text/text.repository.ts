import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../foundation/database/database.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import type { EventMark } from '../foundation/event/journal.js';
import type { MessageKind, MessageText } from './message-text.js';
import type { CustomLoginText, CustomMessageText, OwnLoginTexts } from './text.entity.js';

const HISTORY = 'sequence, creation_date AS "creationDate", change_date AS "changeDate"';
const MESSAGE = `owner_id AS "ownerId", kind, language, title, pre_header AS "preHeader", subject, greeting, text,
  button_text AS "buttonText", footer_text AS "footerText", ${HISTORY}`;
const LOGIN = `owner_id AS "ownerId", language, texts, ${HISTORY}`;

const FIND_MESSAGES = statement(
  'message_text.find',
  `SELECT ${MESSAGE} FROM message_text WHERE owner_id = ANY ($1) AND kind = $2 AND language = $3`,
);
const LOCK_MESSAGE = statement(
  'message_text.lock',
  `SELECT ${MESSAGE} FROM message_text WHERE owner_id = $1 AND kind = $2 AND language = $3 FOR UPDATE`,
);
const PUT_MESSAGE = statement(
  'message_text.put',
  `INSERT INTO message_text (owner_id, kind, language, title, pre_header, subject, greeting, text, button_text, footer_text,
     sequence, creation_date, change_date)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
   ON CONFLICT (owner_id, kind, language) DO UPDATE SET title = excluded.title, pre_header = excluded.pre_header,
     subject = excluded.subject, greeting = excluded.greeting, text = excluded.text, button_text = excluded.button_text,
     footer_text = excluded.footer_text, sequence = excluded.sequence, change_date = excluded.change_date`,
);
const REMOVE_MESSAGE = statement(
  'message_text.remove',
  'DELETE FROM message_text WHERE owner_id = $1 AND kind = $2 AND language = $3',
);
const LOCK_MESSAGES_OF = statement(
  'message_text.of_owner',
  `SELECT ${MESSAGE} FROM message_text WHERE owner_id = $1 ORDER BY kind, language FOR UPDATE`,
);

const FIND_LOGIN = statement(
  'login_text.find',
  `SELECT ${LOGIN} FROM login_text WHERE owner_id = ANY ($1) AND language = $2`,
);
const LOCK_LOGIN = statement(
  'login_text.lock',
  `SELECT ${LOGIN} FROM login_text WHERE owner_id = $1 AND language = $2 FOR UPDATE`,
);
const PUT_LOGIN = statement(
  'login_text.put',
  `INSERT INTO login_text (owner_id, language, texts, sequence, creation_date, change_date) VALUES ($1, $2, $3, $4, $5, $5)
   ON CONFLICT (owner_id, language) DO UPDATE SET texts = excluded.texts, sequence = excluded.sequence, change_date = excluded.change_date`,
);
const REMOVE_LOGIN = statement('login_text.remove', 'DELETE FROM login_text WHERE owner_id = $1 AND language = $2');
const LOCK_LOGINS_OF = statement(
  'login_text.of_owner',
  `SELECT ${LOGIN} FROM login_text WHERE owner_id = $1 ORDER BY language FOR UPDATE`,
);

/** The driver returns a bigint as a string. */
type Raw<Row> = Omit<Row, 'sequence'> & { readonly sequence: string };

/** Custom texts. Reads with `tx` lock their rows, so that concurrent changes wait. */
@Injectable()
export class TextRepository {
  constructor(private readonly database: Database) {}

  /** Texts of any of the owners. */
  async findMessages(ownerIds: readonly string[], kind: MessageKind, language: string): Promise<CustomMessageText[]> {
    return read(this.database, FIND_MESSAGES, [ownerIds, kind, language]);
  }

  async lockMessage(
    tx: Transaction,
    ownerId: string,
    kind: MessageKind,
    language: string,
  ): Promise<CustomMessageText | undefined> {
    const [row] = await read<CustomMessageText>(tx, LOCK_MESSAGE, [ownerId, kind, language]);
    return row;
  }

  async lockMessagesOf(tx: Transaction, ownerId: string): Promise<CustomMessageText[]> {
    return read(tx, LOCK_MESSAGES_OF, [ownerId]);
  }

  async putMessage(
    tx: Transaction,
    ownerId: string,
    kind: MessageKind,
    language: string,
    text: MessageText,
    mark: EventMark,
  ): Promise<void> {
    await tx.query(PUT_MESSAGE, [
      ownerId,
      kind,
      language,
      text.title,
      text.preHeader,
      text.subject,
      text.greeting,
      text.text,
      text.buttonText,
      text.footerText,
      mark.sequence,
      mark.at,
    ]);
  }

  async removeMessage(tx: Transaction, ownerId: string, kind: MessageKind, language: string): Promise<void> {
    await tx.query(REMOVE_MESSAGE, [ownerId, kind, language]);
  }

  /** Texts of any of the owners. */
  async findLogin(ownerIds: readonly string[], language: string): Promise<CustomLoginText[]> {
    return read(this.database, FIND_LOGIN, [ownerIds, language]);
  }

  async lockLogin(tx: Transaction, ownerId: string, language: string): Promise<CustomLoginText | undefined> {
    const [row] = await read<CustomLoginText>(tx, LOCK_LOGIN, [ownerId, language]);
    return row;
  }

  async lockLoginsOf(tx: Transaction, ownerId: string): Promise<CustomLoginText[]> {
    return read(tx, LOCK_LOGINS_OF, [ownerId]);
  }

  async putLogin(
    tx: Transaction,
    ownerId: string,
    language: string,
    texts: OwnLoginTexts,
    mark: EventMark,
  ): Promise<void> {
    await tx.query(PUT_LOGIN, [ownerId, language, texts, mark.sequence, mark.at]);
  }

  async removeLogin(tx: Transaction, ownerId: string, language: string): Promise<void> {
    await tx.query(REMOVE_LOGIN, [ownerId, language]);
  }
}

async function read<Row extends { sequence: bigint }>(
  on: Queryable,
  sql: Parameters<Queryable['query']>[0],
  values: Parameters<Queryable['query']>[1],
): Promise<Row[]> {
  const rows = await on.query<Raw<Row>>(sql, values);
  return rows.map((row) => ({ ...row, sequence: BigInt(row.sequence) }) as unknown as Row);
}
