import { Injectable } from '@nestjs/common';
import { type Condition, searched, textMatches } from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import type { Places } from '../../user/permission/rights.js';
import { cut, type Found, MOST_SHOWN, MOST_SORTED, readBounded } from './bounded-read.js';

export interface FoundApplication {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly orgId: string;
  readonly orgName: string;
  /** Whether it, its project and their organization are active. */
  readonly isActive: boolean;
  /** The last day on which it got tokens, in UTC: `2026-11-29`. Null if there was none in a quarter of a year. */
  readonly lastUsedOn: string | null;
}

const NAME = searched('c.name');

/** Finds applications by a part of their name, or by their client id; without a text, those that came last. */
@Injectable()
export class ApplicationSearch {
  constructor(private readonly database: Database) {}

  /**
   * @param places where the reader may read applications
   * @param orgId only those of an organization
   * @throws DomainError DeadlineExceeded `list.too_slow`
   */
  async find(places: Places, orgId: string | undefined, text: string): Promise<Found<FoundApplication>> {
    const how = [...text].length < 3 ? 'starts_with_ignore_case' : 'contains_ignore_case';
    const rows = await readBounded<FoundApplication>(this.database, (bind) => {
      const visible = isVisible(places, orgId)(bind);
      const from = `SELECT c.id FROM client c JOIN project p ON p.id = c.project_id WHERE ${visible}`;
      const found =
        text === ''
          ? `${from} ORDER BY c.id DESC LIMIT ${MOST_SHOWN + 1}`
          : `(${from} AND ${textMatches(NAME, how, text)(bind)} LIMIT ${MOST_SORTED})
             UNION
             ${from} AND c.client_id = ${bind(text)}`;
      return `WITH found AS MATERIALIZED (${found})
        SELECT c.id, c.client_id AS "clientId", c.name, p.id AS "projectId", p.name AS "projectName",
          o.id AS "orgId", o.name AS "orgName",
          c.state = 'active' AND p.state = 'active' AND o.state = 'active' AS "isActive",
          (SELECT max(d.day)::text FROM day_count d WHERE d.what = 'token' AND d.of_id = c.client_id) AS "lastUsedOn"
        FROM found f
        JOIN client c ON c.id = f.id
        JOIN project p ON p.id = c.project_id
        JOIN org o ON o.id = p.org_id
        ORDER BY lower(c.name), c.id
        LIMIT ${MOST_SHOWN + 1}`;
    });
    return cut(rows);
  }
}

function isVisible(places: Places, orgId: string | undefined): Condition {
  return (bind) => {
    const ofOrg = orgId === undefined ? 'true' : `p.org_id = ${bind(orgId)}`;
    if (places === 'everywhere') return ofOrg;
    const { orgIds, projectIds } = places;
    return `${ofOrg} AND (p.org_id = ANY (${bind(orgIds)}) OR p.id = ANY (${bind(projectIds)}))`;
  };
}
