import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../foundation/database/database.js';
import { sqlState } from '../../foundation/database/database-failure.js';
import { setForList } from '../../foundation/database/listing.js';
import { type Given, type Statement, statement } from '../../foundation/database/statement.js';
import { countedDetail } from '../../foundation/day-count/day-counts.js';
import { Clock } from '../../foundation/time/clock.js';
import type { SecondFactor } from '../../org/policy/login-policy.entity.js';
import { withoutChosenPort } from '../../project/client/redirect-uri.js';

/** PostgreSQL's query_canceled. */
const CANCELED = '57014';
const DAY_MS = 86_400_000;
const WEEK_DAYS = 6;

/** The policies of which an organization may have its own. */
type PolicyTable = 'login_policy' | 'lockout_policy' | 'password_age_policy' | 'domain_policy';

interface Counted {
  readonly counted: string;
  readonly total: string;
}

/** How many of the people in question are meant. */
export interface Share {
  readonly counted: number;
  readonly total: number;
}

/** The use of an application; of the last quarter of a year, since which days are counted. */
export interface Use {
  /** `2026-11-30`; undefined for none. */
  readonly lastDay: string | undefined;
  readonly ofWeek: number;
}

/** A count of one organization, and of the instance: its organizations without a policy of their own. */
interface Counts<Values extends object> {
  readonly ofOrg: Statement<Values & { readonly orgId: string }, Counted>;
  readonly ofInstance: Statement<Values, Counted>;
}

/** @param condition of those that are counted among the active people */
function counts<Values extends object = object>(name: string, policy: PolicyTable, condition: string): Counts<Values> {
  const counted = `SELECT count(*) FILTER (WHERE ${condition}) AS counted, count(*) AS total`;
  const people = `u.kind = 'human' AND u.state = 'active'`;
  return {
    ofOrg: statement<Values & { readonly orgId: string }>(
      `affected.${name}_of_org`,
      `${counted} FROM user_account u WHERE u.org_id = :orgId AND ${people}`,
    ).rows<Counted>(),
    ofInstance: statement<Values>(
      `affected.${name}`,
      `${counted} FROM org o JOIN user_account u ON u.org_id = o.id
       WHERE o.state = 'active' AND NOT EXISTS (SELECT FROM ${policy} p WHERE p.owner_id = o.id) AND ${people}`,
    ).rows<Counted>(),
  };
}

const FACTOR = `SELECT FROM auth_factor f WHERE f.user_id = u.id AND f.state = 'ready'`;
const NO_LINK = 'NOT EXISTS (SELECT FROM idp_link l WHERE l.user_id = u.id)';
const NO_PASSKEY = `NOT EXISTS (${FACTOR} AND f.kind = 'passkey')`;

const WITHOUT_FACTOR = counts('without_factor', 'login_policy', `NOT EXISTS (${FACTOR})`);
const ONLY_FACTOR = counts<{ readonly kind: string }>(
  'only_factor',
  'login_policy',
  `EXISTS (${FACTOR} AND f.kind = :kind) AND NOT EXISTS (${FACTOR} AND f.kind <> :kind AND f.kind <> 'recovery_codes')`,
);
const PASSWORD_ONLY = counts(
  'password_only',
  'login_policy',
  `u.password_hash IS NOT NULL AND ${NO_PASSKEY} AND ${NO_LINK}`,
);
const LINKED_ONLY = counts(
  'linked_only',
  'login_policy',
  `u.password_hash IS NULL AND ${NO_PASSKEY} AND EXISTS (SELECT FROM idp_link l WHERE l.user_id = u.id)`,
);
const OLD_PASSWORD = counts<{ readonly before: Date }>(
  'old_password',
  'password_age_policy',
  'u.password_hash IS NOT NULL AND u.password_changed_at < :before',
);
const NEARLY_LOCKED = counts<{ readonly attempts: number }>(
  'nearly_locked',
  'lockout_policy',
  'u.failed_password_checks >= :attempts',
);
const NAMED = counts('named', 'domain_policy', 'true');

const OF_ORG = statement(
  'affected.of_org',
  `SELECT count(*) AS counted, count(*) AS total FROM user_account u
   WHERE u.org_id = :orgId AND u.kind = 'human' AND u.state = 'active'`,
).rows<Counted>();
const LINKED = statement(
  'affected.linked',
  `SELECT
     count(*) FILTER (
       WHERE u.password_hash IS NULL AND ${NO_PASSKEY}
         AND NOT EXISTS (SELECT FROM idp_link o WHERE o.user_id = u.id AND o.idp_id <> :idpId)) AS counted,
     count(*) AS total
   FROM idp_link l JOIN user_account u ON u.id = l.user_id
   WHERE l.idp_id = :idpId`,
).rows<Counted>();
const WITH_ROLE = statement(
  'affected.with_role',
  `SELECT count(*) FILTER (WHERE g.group_id IS NOT NULL) AS counted, count(*) AS total FROM user_grant g
   WHERE g.project_id = :projectId AND g.role_keys @> ARRAY[:roleKey]::text[]`,
).rows<Counted>();
const IN_PROJECT = statement(
  'affected.in_project',
  `SELECT count(*) FILTER (WHERE g.group_id IS NOT NULL) AS counted, count(*) AS total FROM user_grant g
   WHERE g.project_id = :projectId`,
).rows<Counted>();
const THROUGH_GRANT = statement(
  'affected.through_grant',
  `SELECT count(*) FILTER (WHERE g.group_id IS NOT NULL) AS counted, count(*) AS total FROM user_grant g
   WHERE g.project_grant_id = :grantId`,
).rows<Counted>();
const LAST_USE = statement(
  'affected.last_use',
  `SELECT max(d.day)::text AS last, coalesce(sum(d.count) FILTER (WHERE d.day >= :since::date), 0) AS count
   FROM client c JOIN day_count d ON d.what = :what AND d.of_id = c.client_id
   WHERE c.id = :appId AND (:detail::text IS NULL OR d.detail = :detail)`,
).rows<{ last: string | null; count: string }>();

/**
 * Counts whom a change of settings would affect, for those who are about to make it. Counts of the instance read its
 * users, and are given up after some seconds: undefined then.
 */
@Injectable()
export class AffectedPeople {
  constructor(private readonly clock: Clock) {}

  /** Active people whose login policy is this one, and those among them without any second factor. */
  async withoutFactor(tx: Transaction, orgId: string | undefined): Promise<Share | undefined> {
    return this.count(tx, WITHOUT_FACTOR, orgId, {});
  }

  /** Those whose only second factor, recovery codes aside, is of this kind. */
  async withOnly(tx: Transaction, orgId: string | undefined, kind: SecondFactor): Promise<Share | undefined> {
    return this.count(tx, ONLY_FACTOR, orgId, { kind });
  }

  /** Those who have a password, and neither a passkey nor an account at a provider. */
  async withPasswordAlone(tx: Transaction, orgId: string | undefined): Promise<Share | undefined> {
    return this.count(tx, PASSWORD_ONLY, orgId, {});
  }

  /** Those who have an account at a provider, and neither a password nor a passkey. */
  async withProviderAlone(tx: Transaction, orgId: string | undefined): Promise<Share | undefined> {
    return this.count(tx, LINKED_ONLY, orgId, {});
  }

  /** Those whose password is older. */
  async withPasswordOlderThan(tx: Transaction, orgId: string | undefined, days: number): Promise<Share | undefined> {
    return this.count(tx, OLD_PASSWORD, orgId, { before: new Date(this.clock.now().getTime() - days * DAY_MS) });
  }

  /** Those who have entered that many wrong passwords in a row. */
  async withFailures(tx: Transaction, orgId: string | undefined, attempts: number): Promise<Share | undefined> {
    return this.count(tx, NEARLY_LOCKED, orgId, { attempts });
  }

  /** Those whose login names follow this domain policy. */
  async named(tx: Transaction, orgId: string | undefined): Promise<Share | undefined> {
    return this.count(tx, NAMED, orgId, {});
  }

  /** The active people of an organization. */
  async ofOrg(tx: Transaction, orgId: string): Promise<Share | undefined> {
    return this.ask(tx, OF_ORG, { orgId });
  }

  /** The users who are linked with a provider, and those among them who have no other way to sign in. */
  async linkedWith(tx: Transaction, idpId: string): Promise<Share | undefined> {
    return this.ask(tx, LINKED, { idpId });
  }

  /** The grants that have a role, and those among them that groups hold. */
  async withRole(tx: Transaction, projectId: string, roleKey: string): Promise<Share | undefined> {
    return this.ask(tx, WITH_ROLE, { projectId, roleKey });
  }

  /** The grants of a project, and those among them that groups hold. */
  async inProject(tx: Transaction, projectId: string): Promise<Share | undefined> {
    return this.ask(tx, IN_PROJECT, { projectId });
  }

  /** The grants that rest upon a project grant, and those among them that groups hold. */
  async throughGrant(tx: Transaction, grantId: string): Promise<Share | undefined> {
    return this.ask(tx, THROUGH_GRANT, { grantId });
  }

  /**
   * How often tokens were issued to an application, or one of its redirect URIs was used.
   * @param redirectUri as it is registered
   */
  async useOf(tx: Transaction, appId: string, redirectUri?: string): Promise<Use> {
    const since = new Date(this.clock.now().getTime() - WEEK_DAYS * DAY_MS);
    const about =
      redirectUri === undefined
        ? { what: 'token', detail: null }
        : { what: 'redirect', detail: countedDetail(withoutChosenPort(redirectUri)) };
    const [row] = await tx.query(LAST_USE, { appId, since, ...about });
    return { lastDay: row!.last ?? undefined, ofWeek: Number(row!.count) };
  }

  private async count<Values extends object>(
    tx: Transaction,
    { ofOrg, ofInstance }: Counts<Values>,
    orgId: string | undefined,
    values: Values,
  ): Promise<Share | undefined> {
    return orgId === undefined ? this.ask(tx, ofInstance, values) : this.ask(tx, ofOrg, { ...values, orgId });
  }

  private async ask<Values extends object>(
    tx: Transaction,
    counted: Statement<Values, Counted>,
    values: Values,
  ): Promise<Share | undefined> {
    try {
      return await tx.part(async (part) => {
        await setForList(part);
        const [row] = await part.query<Values, Counted>(counted, ...([values] as Given<Values>));
        return { counted: Number(row!.counted), total: Number(row!.total) };
      });
    } catch (error) {
      if (sqlState(error).code === CANCELED) return undefined;
      throw error;
    }
  }
}
