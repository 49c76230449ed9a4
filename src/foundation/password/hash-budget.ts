import { Injectable } from '@nestjs/common';
import { PasswordConfig } from '../config/config.js';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import { Clock } from '../time/clock.js';
import { seconds, secondsAfter } from '../time/duration.js';
import { type HashSpeeds, PRIMITIVES, USUAL_SPEEDS } from './hash-cost.js';
import { HashLimits } from './hash-limits.js';
import { HashMeter } from './hash-meter.js';
import { type Primitive } from './hash-units.js';

const MEASURE_AGAIN_AFTER_MS = 60_000;
/** How long a measurement counts: then the next one replaces it, as the machine may be a different one. */
const VALID_SECONDS = 30 * seconds.perDay;

/** Keeps the fastest measurement of all processes of the instance; one before `:measuredBefore` is replaced. */
const KEEP = statement(
  'hash_speed.keep',
  `INSERT INTO hash_speed AS known (primitive, nanoseconds, measured_at)
   SELECT
     s.primitive,
     s.nanoseconds,
     :now::timestamptz
   FROM unnest(:primitives::text[], :nanoseconds::float8[]) AS s (primitive, nanoseconds)
   ON CONFLICT (primitive) DO UPDATE SET
     nanoseconds = excluded.nanoseconds,
     measured_at = excluded.measured_at
   WHERE known.nanoseconds > excluded.nanoseconds OR known.measured_at < :measuredBefore`,
);

const FIND = statement(
  'hash_speed.find',
  `SELECT primitive, nanoseconds
   FROM hash_speed
   WHERE primitive = ANY (:primitives)`,
).rows<{ primitive: Primitive; nanoseconds: number }>();

/**
 * The permitted cost of imported hashes: what an ordinary server checks in the permitted time, however busy this
 * machine is, and more where the machines of this instance were measured to be faster. Each process measures when
 * asked, at most once a minute. All of them use the fastest measurement of the last month, so that replicas agree on
 * what to accept.
 */
@Injectable()
export class HashBudget {
  private measuredAtMs = Number.NEGATIVE_INFINITY;
  private measuring: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: PasswordConfig,
    private readonly meter: HashMeter,
  ) {}

  async limits(): Promise<HashLimits> {
    if (performance.now() - this.measuredAtMs > MEASURE_AGAIN_AFTER_MS) {
      this.measuring ??= this.measure().finally(() => (this.measuring = undefined));
      await this.measuring;
    }
    const rows = await this.database.query(FIND, { primitives: PRIMITIVES });
    const measured = new Map(rows.map(({ primitive, nanoseconds }) => [primitive, nanoseconds]));
    return new HashLimits(atLeastUsual(measured), this.config.importedHashMs);
  }

  private async measure(): Promise<void> {
    const nanoseconds = await this.meter.measure();
    const now = this.clock.now();
    await this.database.query(KEEP, {
      primitives: PRIMITIVES,
      nanoseconds,
      now,
      measuredBefore: secondsAfter(now, -VALID_SECONDS),
    });
    this.measuredAtMs = performance.now();
  }
}

/** A machine that was busy when it was measured must not cost a migration its passwords (docs/adr/0030). */
function atLeastUsual(measured: ReadonlyMap<Primitive, number>): HashSpeeds {
  return Object.fromEntries(
    PRIMITIVES.map((primitive) => [
      primitive,
      Math.min(measured.get(primitive) ?? Number.POSITIVE_INFINITY, USUAL_SPEEDS[primitive]),
    ]),
  ) as HashSpeeds;
}
