import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a user last proved who they are at a provider, which may also sign users in from a session of its own. Sessions
 * from before have proved nothing, so that the next change of a credential asks for it.
 */
export class ExternalProof1795219200048 implements MigrationInterface {
  readonly name = 'ExternalProof1795219200048';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session ADD COLUMN external_proved_at timestamptz');
    await runner.query('ALTER TABLE idp_login ADD COLUMN proved_at timestamptz');
    await runner.query('ALTER TABLE auth_request ADD COLUMN is_proved boolean NOT NULL DEFAULT true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth_request DROP COLUMN is_proved');
    await runner.query('ALTER TABLE idp_login DROP COLUMN proved_at');
    await runner.query('ALTER TABLE session DROP COLUMN external_proved_at');
  }
}
