import { Injectable } from '@nestjs/common';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { SUBJECT_JOINS, type Subject, subjectColumn } from './claims/subject.js';
import type { Wanted } from './token-status.js';

const FIND = statement(
  'subject.find',
  `SELECT ${subjectColumn(':projectIds', ':metadata', ':groups')}
   FROM user_account u
   ${SUBJECT_JOINS}
   WHERE u.id = :userId AND u.state = 'active'`,
).rows<{ subject: Subject }>();

/** Reads the user of a token that is about to be issued, if nothing has done so yet. */
@Injectable()
export class SubjectReader {
  constructor(private readonly database: Database) {}

  async find(userId: string, wanted: Wanted): Promise<Subject | undefined> {
    const [row] = await this.database.query(FIND, {
      userId,
      projectIds: wanted.projectIds ?? null,
      metadata: wanted.metadata ?? false,
      groups: wanted.groups ?? false,
    });
    return row?.subject;
  }
}
