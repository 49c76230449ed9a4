import { Injectable } from '@nestjs/common';
import { allOf, equals } from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import { toStoredEmail } from '../../org/email-address.js';
import type { UserKind, UserState } from '../../user/user.entity.js';
import { NAMES_SHOWN } from '../../user/user-columns.js';
import { parseLoginName, toNameKey } from '../../user/user-name.js';
import { idsByLoginName, mentionsAll } from '../../user/user-search.js';
import { cut, type Found, isWithin, MOST_SHOWN, MOST_SORTED, readBounded, type VisibleOrgs } from './bounded-read.js';

export interface FoundPerson {
  readonly id: string;
  readonly orgName: string;
  readonly kind: UserKind;
  readonly state: UserState;
  readonly displayName: string;
  readonly preferredLoginName: string;
  readonly email: string;
}

/** More words than a name has. */
const MOST_WORDS = 6;

/** Finds people and service users as one remembers them: by parts of names and addresses. */
@Injectable()
export class PeopleSearch {
  constructor(private readonly database: Database) {}

  /**
   * Those of whom each word is a part of some name or address, or begins a word of one if it is shorter than three
   * characters; those with the text as their login name; and the one with it as their id. A whole address is not looked
   * for as a part of longer ones.
   * @throws DomainError DeadlineExceeded `list.too_slow`
   */
  async find(orgs: VisibleOrgs, text: string): Promise<Found<FoundPerson>> {
    const words = text
      .split(/[\s,;]+/u)
      .filter((word) => word !== '')
      .slice(0, MOST_WORDS);
    if (words.length === 0) return { rows: [], hasMore: false };
    const { nameKey, localKey, domain } = parseLoginName(text);
    // The empty address is that of all who have none.
    const addressKey = domain === '' ? null : toNameKey(toStoredEmail(text.trim()));
    const rows = await readBounded<FoundPerson>(this.database, (bind, isByText) => {
      const visible = isWithin('u.org_id', orgs, isByText)(bind);
      const isMentioned = mentionsAll(words)(bind);
      const isAddressee = allOf([isWithin('e.org_id', orgs, true), equals('e.email_key', addressKey)])(bind);
      const byLoginName = idsByLoginName(bind(nameKey), bind(localKey), bind(domain));
      return `WITH addressee AS MATERIALIZED (SELECT e.id FROM user_account e WHERE ${isAddressee}),
        found AS MATERIALIZED (
          SELECT a.id FROM addressee a
          UNION
          (SELECT u.id
           FROM user_account u
           WHERE ${visible} AND ${isMentioned} AND NOT EXISTS (SELECT 1 FROM addressee)
           LIMIT ${MOST_SORTED})
          UNION
          SELECT u.id FROM user_account u WHERE ${visible} AND u.id IN (${byLoginName})
          UNION
          SELECT u.id FROM user_account u WHERE ${visible} AND u.id = ${bind(text.trim())})
        SELECT u.id, o.name AS "orgName", u.kind, u.state, u.email, ${NAMES_SHOWN}
        FROM found f
        JOIN user_account u ON u.id = f.id
        JOIN org o ON o.id = u.org_id
        ORDER BY lower(CASE u.kind WHEN 'human' THEN u.display_name ELSE u.service_name END), u.id
        LIMIT ${MOST_SHOWN + 1}`;
    });
    return cut(rows);
  }
}
