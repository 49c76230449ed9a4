import type { DataSource } from 'typeorm';
import { queryDriver } from '../foundation/database/schema-change/driver-query.js';
import { unprepared } from '../foundation/database/statement.js';

/**
 * By how much the transaction ids of the journal are ahead of those of this server; without a row in `event_clock`,
 * none.
 */
const AHEAD = `SELECT last.tx - own.tx - coalesce(clock.shift, 0) AS ahead, coalesce(clock.shift, 0) AS shift
   FROM (SELECT coalesce(max(tx), 0) AS tx FROM event) last
   CROSS JOIN (SELECT (pg_snapshot_xmax(pg_current_snapshot())::text)::bigint AS tx) own
   LEFT JOIN event_clock clock ON clock.is_only`;

const SHIFT = unprepared<{ shift: string }>(
  `INSERT INTO event_clock (shift)
   VALUES (:shift)
   ON CONFLICT (is_only) DO UPDATE SET shift = excluded.shift`,
);

/**
 * A dump that is restored into another server brings transaction ids that may be larger than those that follow: the
 * feed would not hear new events. So they continue where those of the former server ended. To be called while no other
 * process changes the schema.
 */
export async function setEventClock(source: DataSource): Promise<void> {
  const [row] = await source.query<Array<{ ahead: string; shift: string }>>(AHEAD);
  const ahead = BigInt(row?.ahead ?? -1);
  if (ahead < 0n) return;
  const shift = BigInt(row?.shift ?? 0) + ahead + 1n;
  await source.transaction(async (entities) => {
    await entities.query(
      `ALTER TABLE event ALTER COLUMN tx SET DEFAULT ((pg_current_xact_id())::text)::bigint + ${shift}`,
    );
    await queryDriver(entities, SHIFT, { shift: String(shift) });
  });
}
