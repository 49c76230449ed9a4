import { Injectable } from '@nestjs/common';
import { Database } from '../foundation/database/database.js';
import { Logger } from '../foundation/log/logger.js';
import { UserMails } from '../user/user-mails.js';
import type { BulkConnection } from './part/bulk-connection.js';
import { staging } from './part/stage.js';

/** Mails per transaction; its locks block others. */
const BATCH = 100;
/** Users of the document who must set their account up before they can sign in and have no code for that yet. */
const WAITING = `SELECT u.id, u.org_id AS "orgId", u.email
    FROM user_account u
    JOIN ${staging('user_account')} s ON s.id = u.id AND s._org = u.org_id
    WHERE s._verdict IS NULL OR s._verdict = 'same'`;
const NEXT = `SELECT w.*
  FROM (${WAITING}) w
  JOIN user_account u ON u.id = w.id
  WHERE u.kind = 'human'
    AND u.state = 'initial'
    AND u.email <> ''
    AND u.id > :last
    AND NOT EXISTS (SELECT 1 FROM user_code c WHERE c.user_id = u.id AND c.kind = 'init')
  ORDER BY u.id
  LIMIT ${BATCH}`;

interface Addressee {
  readonly id: string;
  readonly orgId: string;
  readonly email: string;
}

/** Sends imported users the mail with which they set their accounts up, after the import is committed. */
@Injectable()
export class InitMails {
  constructor(
    private readonly database: Database,
    private readonly mails: UserMails,
    private readonly log: Logger,
  ) {}

  /**
   * Sends one mail to each user without a code, so that repeating the import sends what is left. The import stands even
   * if this fails.
   */
  async send(connection: BulkConnection): Promise<void> {
    let sent = 0;
    try {
      for (let last = ''; ; ) {
        const people = await connection.query<Addressee>(NEXT, { last });
        if (people.length === 0) break;
        await this.database.transaction(async (tx) => {
          for (const person of people) await this.mails.sendCode(tx, person, 'init');
        });
        sent += people.length;
        last = people.at(-1)!.id;
      }
      this.log.info({ sent }, 'wrote the mails of an import');
    } catch (error) {
      this.log.warn({ err: error, sent }, 'not all mails of an import were written: send it again');
    }
  }
}
