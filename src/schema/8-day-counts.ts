import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE day_count (
     what text NOT NULL,
     of_id text NOT NULL,
     detail text NOT NULL,
     day date NOT NULL,
     count bigint NOT NULL,
     PRIMARY KEY (what, of_id, detail, day))`,
  `CREATE INDEX day_count_day_idx ON day_count (day)`,
];

/** How often people sign in and applications are used, by day. */
export class DayCounts1796032800800 implements MigrationInterface {
  readonly name = 'DayCounts1796032800800';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE day_count');
  }
}
