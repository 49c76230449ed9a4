import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Exports and imports that run in the background. */
export class Job1795219200013 implements MigrationInterface {
  readonly name = 'Job1795219200013';

  private readonly statements = [
    `CREATE TABLE migration_job (
      id text NOT NULL,
      kind text NOT NULL,
      state text NOT NULL DEFAULT 'running',
      phase text NOT NULL,
      editor_id text NOT NULL,
      file text NOT NULL DEFAULT '',
      is_dry_run boolean NOT NULL DEFAULT false,
      is_cancelled boolean NOT NULL DEFAULT false,
      objects jsonb NOT NULL DEFAULT '{}',
      total bigint,
      rate integer NOT NULL DEFAULT '0',
      seconds_left integer,
      reason text NOT NULL DEFAULT '',
      message text NOT NULL DEFAULT '',
      errors jsonb NOT NULL DEFAULT '[]',
      error_total integer NOT NULL DEFAULT '0',
      bytes bigint NOT NULL DEFAULT '0',
      created_at timestamptz NOT NULL DEFAULT now(),
      heartbeat_at timestamptz NOT NULL DEFAULT now(),
      ended_at timestamptz,
      CONSTRAINT migration_job_pkey PRIMARY KEY (id))`,
    `CREATE INDEX migration_job_created_at_id_idx ON migration_job (created_at, id)`,
    `CREATE INDEX migration_job_state_created_at_id_idx ON migration_job (state, created_at, id)`,
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE migration_job');
  }
}
