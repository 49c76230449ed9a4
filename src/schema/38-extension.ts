import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which extensions the processes of this database have loaded (docs/adr/0068). */
export class Extension1795219200038 implements MigrationInterface {
  readonly name = 'Extension1795219200038';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE extension (
         id text PRIMARY KEY,
         version text NOT NULL,
         seams text[] NOT NULL,
         is_required boolean NOT NULL,
         first_loaded_at timestamptz NOT NULL,
         last_loaded_at timestamptz NOT NULL
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE extension');
  }
}
