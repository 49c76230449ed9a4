import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Applications that are held to FAPI 2.0, and the keys that sign for them beside those of the instance. */
export class SecurityProfile1795219200043 implements MigrationInterface {
  readonly name = 'SecurityProfile1795219200043';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE client ADD COLUMN security_profile text NOT NULL DEFAULT 'none'`);
    await runner.query(
      `CREATE INDEX client_security_profile_idx ON client (security_profile) WHERE security_profile <> 'none'`,
    );
    await runner.query(`ALTER TABLE signing_key ADD COLUMN purpose text NOT NULL DEFAULT 'general'`);
    await runner.query('DROP INDEX signing_key_active_key');
    await runner.query(`CREATE UNIQUE INDEX signing_key_active_key ON signing_key (purpose) WHERE state = 'active'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM signing_key WHERE purpose <> 'general'`);
    await runner.query('DROP INDEX signing_key_active_key');
    await runner.query(`CREATE UNIQUE INDEX signing_key_active_key ON signing_key (state) WHERE state = 'active'`);
    await runner.query('ALTER TABLE signing_key DROP COLUMN purpose');
    await runner.query('DROP INDEX client_security_profile_idx');
    await runner.query('ALTER TABLE client DROP COLUMN security_profile');
  }
}
