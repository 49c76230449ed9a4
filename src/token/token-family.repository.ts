import { Injectable } from '@nestjs/common';
import type { ClaimsRequest } from '../auth-request/claims-request.js';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { SUBJECT_JOINS, type Subject, subjectColumn } from './subject.js';

/** A family with its user. */
export interface LivingFamily {
  readonly subject: Subject;
  readonly familyId: string;
  readonly generation: number;
  readonly clientId: string;
  readonly grantedScopes: readonly string[];
  readonly claims: ClaimsRequest | null;
  readonly authTime: Date;
  readonly amr: readonly string[];
  readonly acrRequested: boolean;
  /** Null once the login session has ended: the family stays valid without it. */
  readonly livingSessionId: string | null;
}

/** A family's own facts, for explaining why it was refused. */
export interface FamilyRow {
  readonly clientId: string;
  readonly generation: number;
  readonly scopes: readonly string[];
  readonly spentAt: Date;
  readonly idleExpiresAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

const FAMILY_COLUMNS = `f.id AS "familyId", f.generation, f.client_id AS "clientId", f.scopes AS "grantedScopes", f.claims,
  f.auth_time AS "authTime", f.amr, f.acr_requested AS "acrRequested", s.id AS "livingSessionId"`;

const SESSION_JOIN = 'LEFT JOIN session s ON s.id = f.session_id AND s.ended_at IS NULL';

/** $1 family, $2 generation, $3 client, $4 now, $5 idle seconds, $6 requested scope, $7 projects, $8 metadata scope. */
const IS_LIVING = `f.client_id = $3 AND f.revoked_at IS NULL AND f.expires_at > $4 AND f.idle_expires_at > $4
  AND $6::text[] <@ f.scopes
  AND EXISTS (SELECT 1 FROM user_account lu JOIN org lo ON lo.id = lu.org_id AND lo.state = 'active'
              WHERE lu.id = f.user_id AND lu.state = 'active' AND lu.token_epoch = f.token_epoch)`;

/**
 * Using a token is one statement: it raises the generation if the presented one is current and nothing else invalidates
 * it, and reads the user for the new tokens. Its row count decides.
 */
const SPEND = statement(
  'token_family.spend',
  `WITH spent AS (
     UPDATE token_family f SET generation = f.generation + 1, spent_at = $4,
       idle_expires_at = least($4::timestamptz + make_interval(secs => $5), f.expires_at)
     WHERE f.id = $1 AND f.generation = $2 AND ${IS_LIVING}
     RETURNING f.*)
   SELECT ${FAMILY_COLUMNS}, ${subjectColumn('$7', '$8 = ANY(f.scopes)')}
   FROM spent f JOIN user_account u ON u.id = f.user_id ${SUBJECT_JOINS} ${SESSION_JOIN}`,
);

/** The same answer without rotation: for the successor that was already issued. */
const READ_LIVING = statement(
  'token_family.read_living',
  `SELECT ${FAMILY_COLUMNS}, ${subjectColumn('$7', '$8 = ANY(f.scopes)')}
   FROM token_family f JOIN user_account u ON u.id = f.user_id ${SUBJECT_JOINS} ${SESSION_JOIN}
   WHERE f.id = $1 AND f.generation = $2 AND $5 >= 0 AND ${IS_LIVING}`,
);

const FIND = statement(
  'token_family.find',
  `SELECT client_id AS "clientId", generation, scopes, spent_at AS "spentAt", idle_expires_at AS "idleExpiresAt",
     expires_at AS "expiresAt", revoked_at AS "revokedAt" FROM token_family WHERE id = $1`,
);

export interface SpendInput {
  readonly familyId: string;
  readonly generation: number;
  readonly clientId: string;
  readonly now: Date;
  readonly idleSeconds: number;
  readonly scopes: readonly string[];
  readonly projectIds: readonly string[] | null;
  readonly metadataScope: string;
}

@Injectable()
export class TokenFamilyRepository {
  constructor(private readonly database: Database) {}

  async spend(input: SpendInput): Promise<LivingFamily | undefined> {
    const [family] = await this.database.query<LivingFamily>(SPEND, toValues(input));
    return family;
  }

  async readLiving(input: SpendInput): Promise<LivingFamily | undefined> {
    const [family] = await this.database.query<LivingFamily>(READ_LIVING, toValues(input));
    return family;
  }

  async find(id: string): Promise<FamilyRow | undefined> {
    const [family] = await this.database.query<FamilyRow>(FIND, [id]);
    return family;
  }
}

function toValues(input: SpendInput): Array<string | number | Date | readonly string[] | null> {
  return [
    input.familyId,
    input.generation,
    input.clientId,
    input.now,
    input.idleSeconds,
    input.scopes,
    input.projectIds,
    input.metadataScope,
  ];
}
