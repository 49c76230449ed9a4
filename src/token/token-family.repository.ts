import { Injectable } from '@nestjs/common';
import { BatchedWrite } from '../foundation/database/batched-write.js';
import { columnsOf } from '../foundation/database/columns.js';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import type { ClaimsRequest } from '../session/auth-request/claims-request.js';
import { isInState } from '../user/user-name.js';
import { SUBJECT_JOINS, type Subject, subjectColumn } from './claims/subject.js';
import { TokenFamily } from './token-family.entity.js';

/** A family with its user. */
export interface LivingFamily {
  readonly subject: Subject;
  readonly familyId: string;
  readonly generation: number;
  readonly clientId: string;
  readonly grantedScopes: readonly string[];
  readonly grantedResources: readonly string[];
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
  readonly resources: readonly string[];
  readonly spentAt: Date;
  readonly idleExpiresAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly dpopJkt: string | null;
}

/**
 * The session is not joined: for a join, the planner reads an index of all living sessions as long as it has no
 * statistics of them, and the plan is kept.
 */
const FAMILY_COLUMNS = `f.id AS "familyId",
     f.scopes AS "grantedScopes",
     f.resources AS "grantedResources",
     ${columnsOf(TokenFamily, 'f', ['generation', 'clientId', 'claims', 'authTime', 'amr', 'acrRequested'])},
     (SELECT s.id FROM session s WHERE s.id = f.session_id AND s.ended_at IS NULL) AS "livingSessionId"`;

/** `given`: how the statement names a member of the input. */
function isLiving(given: (name: keyof ReadInput) => string): string {
  return `f.client_id = ${given('clientId')} AND f.revoked_at IS NULL
       AND f.expires_at > ${given('now')} AND f.idle_expires_at > ${given('now')}
       AND ${given('scopes')}::text[] <@ f.scopes
       AND ${given('resources')}::text[] <@ f.resources
       AND (f.dpop_jkt IS NULL OR f.dpop_jkt = ${given('thumbprint')})
       AND EXISTS (
         SELECT 1
         FROM user_account lu
         JOIN org lo ON lo.id = lu.org_id AND lo.state = 'active'
         WHERE lu.id = f.user_id AND ${isInState('lu', 'active')} AND lu.token_epoch = f.token_epoch)`;
}

/** Names a value as a parameter. */
const bound = (name: string): string => `:${name}`;
/** Names a value as a column of the questions that are asked together. */
const asked = (name: string): string => `q."${name}"`;

function spentColumns(given: (name: keyof SpendInput) => string): string {
  return `generation = f.generation + ${given('rotates')}::boolean::integer,
       spent_at = ${given('now')},
       idle_expires_at = least(
         ${given('now')}::timestamptz + make_interval(secs => ${given('idleSeconds')}), f.expires_at)`;
}

/**
 * Using a token is one statement: it raises the generation if the presented one is current and nothing else invalidates
 * it, and reads the user for the new tokens. Its row count decides.
 */
const SPEND = statement<SpendInput>(
  'token_family.spend',
  `WITH spent AS (
     UPDATE token_family f SET
       ${spentColumns(bound)}
     WHERE f.id = :familyId AND f.generation = :generation AND ${isLiving(bound)}
     RETURNING f.*)
   SELECT ${FAMILY_COLUMNS}, ${subjectColumn(':projectIds', ':metadataScope = ANY(f.scopes)', `'groups' = ANY(f.scopes)`)}
   FROM spent f
   JOIN user_account u ON u.id = f.user_id
   ${SUBJECT_JOINS}`,
).rows<LivingFamily>();

/**
 * Spends the tokens of several families, without those that are in use. Neither part is a plain join of the families:
 * for that, the planner reads a whole index as long as it has no statistics.
 */
const SPEND_TOGETHER = statement(
  'token_family.spend_together',
  `WITH asked AS MATERIALIZED (
     SELECT q.*
     FROM json_to_recordset(:questions::json) AS q(
       place int, "familyId" text, generation int, "clientId" text, now timestamptz, scopes text[], resources text[],
       thumbprint text, "projectIds" text[], "metadataScope" text, "idleSeconds" int, rotates boolean)),
   free AS MATERIALIZED (
     SELECT one.id
     FROM asked q
     CROSS JOIN LATERAL (
       SELECT f.id
       FROM token_family f
       WHERE f.id = q."familyId"
       FOR NO KEY UPDATE SKIP LOCKED) one),
   spent AS (
     UPDATE token_family f SET
       ${spentColumns(asked)}
     FROM asked q
     WHERE f.id = ANY(ARRAY(SELECT free.id FROM free)) AND f.id = q."familyId" AND f.generation = q.generation AND ${isLiving(asked)}
     RETURNING
       f.*,
       q.place,
       q."projectIds",
       q."metadataScope")
   SELECT
     f.place,
     ${FAMILY_COLUMNS},
     ${subjectColumn('f."projectIds"', 'f."metadataScope" = ANY(f.scopes)', `'groups' = ANY(f.scopes)`)}
   FROM spent f
   JOIN user_account u ON u.id = f.user_id
   ${SUBJECT_JOINS}`,
);

/** A living family with its user, as the rotation answers it, for a successor that was already issued. */
const READ_LIVING = statement<ReadInput>(
  'token_family.read_living',
  `SELECT ${FAMILY_COLUMNS}, ${subjectColumn(':projectIds', ':metadataScope = ANY(f.scopes)', `'groups' = ANY(f.scopes)`)}
   FROM token_family f
   JOIN user_account u ON u.id = f.user_id
   ${SUBJECT_JOINS}
   WHERE f.id = :familyId AND f.generation = :generation AND ${isLiving(bound)}`,
).rows<LivingFamily>();

const FOUND_PROPERTIES = [
  'clientId',
  'generation',
  'scopes',
  'resources',
  'spentAt',
  'idleExpiresAt',
  'expiresAt',
  'revokedAt',
  'dpopJkt',
] as const;

const FIND = statement(
  'token_family.find',
  `SELECT ${columnsOf(TokenFamily, 'f', FOUND_PROPERTIES)}
   FROM token_family f
   WHERE f.id = :id`,
).rows<FamilyRow>();

export interface ReadInput {
  readonly familyId: string;
  readonly generation: number;
  readonly clientId: string;
  readonly now: Date;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /** The thumbprint of the key that the request has proved. */
  readonly thumbprint: string | null;
  readonly projectIds: readonly string[] | null;
  readonly metadataScope: string;
}

export interface SpendInput extends ReadInput {
  readonly idleSeconds: number;
  /** Whether the next use needs another token. */
  readonly rotates: boolean;
}

@Injectable()
export class TokenFamilyRepository {
  private readonly spending: BatchedWrite<SpendInput, LivingFamily>;

  constructor(private readonly database: Database) {
    this.spending = new BatchedWrite<SpendInput, LivingFamily>(database, {
      together: SPEND_TOGETHER,
      alone: async (input) => {
        const [family] = await database.query(SPEND, input);
        return family;
      },
    });
  }

  async spend(input: SpendInput): Promise<LivingFamily | undefined> {
    return this.spending.ask(input);
  }

  async readLiving(input: ReadInput): Promise<LivingFamily | undefined> {
    const [family] = await this.database.query(READ_LIVING, input);
    return family;
  }

  async find(id: string): Promise<FamilyRow | undefined> {
    const [family] = await this.database.query(FIND, { id });
    return family;
  }
}
