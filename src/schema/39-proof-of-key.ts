import type { MigrationInterface, QueryRunner } from 'typeorm';

const BOUND = ['auth_request', 'token_family'];

/** The keys to which codes and refresh tokens are bound, used proofs of them, and who requires them (RFC 9449). */
export class ProofOfKey1795219200039 implements MigrationInterface {
  readonly name = 'ProofOfKey1795219200039';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of BOUND) await runner.query(`ALTER TABLE ${table} ADD COLUMN dpop_jkt text`);
    await runner.query('ALTER TABLE client ADD COLUMN dpop_bound_access_tokens boolean NOT NULL DEFAULT false');
    await runner.query(
      `CREATE UNLOGGED TABLE spent_proof (
         digest bytea PRIMARY KEY,
         keep_until timestamptz NOT NULL
       )`,
    );
    await runner.query('CREATE INDEX ON spent_proof (keep_until)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE spent_proof');
    await runner.query('ALTER TABLE client DROP COLUMN dpop_bound_access_tokens');
    for (const table of BOUND) await runner.query(`ALTER TABLE ${table} DROP COLUMN dpop_jkt`);
  }
}
