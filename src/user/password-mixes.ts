import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { tryLock } from '../foundation/database/advisory-lock.js';
import { CachedReads } from '../foundation/database/cached-reads.js';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { Logger } from '../foundation/log/logger.js';
import { settingInSql } from '../foundation/password/password-form.js';
import { OWN_PREFIX } from '../foundation/password/password-hash.js';
import { Clock } from '../foundation/time/clock.js';
import { OrgService } from '../org/org.service.js';
import type { PasswordMixCount } from './password-mix.entity.js';
import { type MixShare, PasswordMix } from './password-mix.js';
import { parseLoginName } from './user-name.js';

/** Per organization: importing more settings exposes only the names of the same organization. */
const MAX_SETTINGS = 50;
/** Counting may take one hundredth of the time. */
const REST = 100;
const LEAST_REST_MS = 55_000;
const KEY_BYTES = 32;
const TOPIC = 'password-mix';
const EVERYWHERE = '';

const FIND = statement(
  'password_mix.find',
  `SELECT c.decoy_key AS key, m.setting, m.brought, m.remaining
   FROM password_mix m
   JOIN password_mix_count c ON c.is_only
   WHERE m.org_id = :orgId`,
).rows<MixShare & { key: Buffer }>();

const COUNT_STATE = statement(
  'password_mix.state',
  'SELECT counted_at AS "countedAt", took_ms AS "tookMs" FROM password_mix_count WHERE is_only',
).rows<Pick<PasswordMixCount, 'countedAt' | 'tookMs'>>();

/** The key of the first count is kept. */
const END_COUNT = statement(
  'password_mix.counted',
  `INSERT INTO password_mix_count (decoy_key, counted_at, took_ms)
   VALUES (:decoyKey, :countedAt, :tookMs)
   ON CONFLICT (is_only) DO UPDATE SET counted_at = excluded.counted_at, took_ms = excluded.took_ms`,
);

/**
 * Counts with two indexes that contain nothing else: one of them contains the beginning of our own hashes, so changing
 * their parameters requires another index. Returns how many shares are new or different.
 */
const COUNT = statement(
  'password_mix.count',
  `WITH found AS (
     SELECT
       org_id,
       '' AS setting,
       count(*) AS people
     FROM user_account
     WHERE kind = 'human' AND password_hash IS NOT NULL
     GROUP BY org_id
     UNION ALL
     SELECT
       org_id,
       ${settingInSql('password_hash')},
       count(*)
     FROM user_account
     WHERE kind = 'human' AND password_hash NOT LIKE '${OWN_PREFIX}%'
     GROUP BY 1, 2
   ), counted AS (
     SELECT
       coalesce(f.org_id, '') AS org_id,
       f.setting,
       sum(f.people)::integer AS people
     FROM found f
     WHERE f.setting IS NOT NULL
     GROUP BY GROUPING SETS ((f.org_id, f.setting), (f.setting))
   ), merged AS (
     SELECT
       org_id,
       setting,
       coalesce(n.people, 0) AS remaining,
       CASE WHEN setting = '' THEN coalesce(n.people, 0) ELSE greatest(n.people, o.brought) END AS brought
     FROM counted n FULL JOIN password_mix o USING (org_id, setting)
   ), ranked AS (
     SELECT
       m.*,
       m.org_id = '' OR g.id IS NOT NULL AS is_there,
       row_number() OVER (PARTITION BY m.org_id ORDER BY m.setting <> '', m.brought DESC, m.setting) AS place
     FROM merged m LEFT JOIN org g ON g.id = m.org_id
   ), dropped AS (
     DELETE FROM password_mix m
     USING ranked r
     WHERE m.org_id = r.org_id AND m.setting = r.setting AND (r.place > ${MAX_SETTINGS} OR NOT r.is_there)
     RETURNING 1
   ), kept AS (
     INSERT INTO password_mix AS m (org_id, setting, brought, remaining)
     SELECT
       org_id,
       setting,
       brought,
       remaining
     FROM ranked
     WHERE place <= ${MAX_SETTINGS} AND is_there
     ON CONFLICT (org_id, setting) DO UPDATE SET brought = excluded.brought, remaining = excluded.remaining
     WHERE (m.brought, m.remaining) <> (excluded.brought, excluded.remaining)
     RETURNING 1
   )
   SELECT (SELECT count(*) FROM dropped) + (SELECT count(*) FROM kept) AS changed`,
).rows<{ changed: string }>();

/** Which settings the password hashes of users have, by organization. */
@Injectable()
export class PasswordMixes implements OnModuleDestroy {
  private readonly cache: CachedReads<PasswordMix>;
  private underWay: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly changes: ChangeChannel,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    this.cache = new CachedReads(changes, TOPIC, async (orgId) => this.load(orgId));
  }

  /** Nest closes the database after this hook. */
  async onModuleDestroy(): Promise<void> {
    await this.underWay;
  }

  /**
   * The setting of the decoy for a login name that does not exist. `orgId`: the organization of the user. A name and
   * the same name with a domain of its organization have the same decoy there.
   */
  async decoySettingFor(loginName: string, orgId: string | undefined): Promise<string> {
    const { nameKey, localKey, domain } = parseLoginName(loginName);
    const owner = domain === '' ? undefined : await this.orgs.findHolder(domain);
    const scope = orgId ?? owner?.id ?? EVERYWHERE;
    const mix = await this.cache.find(scope);
    return mix?.settingFor(owner?.id === scope ? localKey : nameKey) ?? '';
  }

  /** Counts in the background, after many users were added. */
  countSoon(): void {
    const work = Promise.resolve(this.underWay)
      .then(() => this.count())
      .catch((error: unknown) =>
        this.log.warn({ err: error }, 'cannot count password hashes: housekeeping will, later'),
      )
      .finally(() => {
        if (this.underWay === work) this.underWay = undefined;
      });
    this.underWay = work;
  }

  /** Counts, unless this or another process has done so lately. */
  async countIfDue(): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [state] = await tx.query(COUNT_STATE);
      const restedMs = state ? this.clock.now().getTime() - state.countedAt.getTime() : Number.POSITIVE_INFINITY;
      if (restedMs >= Math.max(LEAST_REST_MS, (state?.tookMs ?? 0) * REST)) await this.countIn(tx);
    });
  }

  async count(): Promise<void> {
    await this.database.transaction((tx) => this.countIn(tx));
  }

  private async countIn(tx: Transaction): Promise<void> {
    if (!(await tryLock(tx, 'passwordMix'))) return;
    const beganAtMs = performance.now();
    const [row] = await tx.query(COUNT);
    await tx.query(END_COUNT, {
      decoyKey: randomBytes(KEY_BYTES),
      countedAt: this.clock.now(),
      tookMs: performance.now() - beganAtMs,
    });
    if (row?.changed !== '0') await this.changes.announce(tx, TOPIC, EVERYTHING);
  }

  private async load(orgId: string): Promise<PasswordMix | undefined> {
    const rows = await this.database.query(FIND, { orgId });
    const all = rows.find(({ setting }) => setting === '');
    return (
      all &&
      new PasswordMix(
        all.key,
        all.remaining,
        rows.filter(({ setting }) => setting !== ''),
      )
    );
  }
}
