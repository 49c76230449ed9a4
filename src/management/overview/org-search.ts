import { Injectable } from '@nestjs/common';
import { allOf, type Condition, searched, textMatches } from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import { cut, type Found, isWithin, MOST_SHOWN, MOST_SORTED, readBounded, type VisibleOrgs } from './bounded-read.js';

export interface FoundOrg {
  readonly id: string;
  readonly name: string;
  readonly primaryDomain: string;
  readonly isActive: boolean;
}

const NAME = searched('n.name');
const DOMAIN = searched('d.domain');

/** Finds organizations by parts of their names and domains; without a text, those that came last. */
@Injectable()
export class OrgSearch {
  constructor(private readonly database: Database) {}

  /** @throws DomainError DeadlineExceeded `list.too_slow` */
  async find(orgs: VisibleOrgs, text: string): Promise<Found<FoundOrg>> {
    const rows = await readBounded<FoundOrg>(this.database, (bind) => {
      const found =
        text === ''
          ? `SELECT o.id FROM org o WHERE ${isWithin('o.id', orgs)(bind)} ORDER BY o.creation_date DESC LIMIT ${MOST_SHOWN + 1}`
          : matching(orgs, text)(bind);
      return `WITH found AS MATERIALIZED (${found})
        SELECT o.id, o.name, o.state = 'active' AS "isActive",
          coalesce((SELECT d.domain FROM org_domain d WHERE d.org_id = o.id AND d.is_primary), '') AS "primaryDomain"
        FROM found f
        JOIN org o ON o.id = f.id
        ORDER BY lower(o.name), o.id
        LIMIT ${MOST_SHOWN + 1}`;
    });
    return cut(rows);
  }
}

/** The ids of those of the organizations whose name or a domain contains the text, or begins with it if it is short. */
function matching(orgs: VisibleOrgs, text: string): Condition {
  const how = [...text].length < 3 ? 'starts_with_ignore_case' : 'contains_ignore_case';
  const named = allOf([isWithin('n.id', orgs), textMatches(NAME, how, text)]);
  const withDomain = allOf([isWithin('d.org_id', orgs), textMatches(DOMAIN, how, text)]);
  return (bind) => `(SELECT n.id FROM org n WHERE ${named(bind)} LIMIT ${MOST_SORTED})
    UNION
    (SELECT d.org_id FROM org_domain d WHERE ${withDomain(bind)} LIMIT ${MOST_SORTED})`;
}
