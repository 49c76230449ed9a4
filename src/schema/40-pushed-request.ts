import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Pushed requests, which are answered once, and which ways of asking an application is held to (RFC 9126, RFC 9101).
 */
export class PushedRequest1795219200040 implements MigrationInterface {
  readonly name = 'PushedRequest1795219200040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth_request ADD COLUMN pushed_id text');
    await runner.query(
      'CREATE UNIQUE INDEX auth_request_pushed_id_key ON auth_request (pushed_id) WHERE pushed_id IS NOT NULL',
    );
    await runner.query(
      `ALTER TABLE client
         ADD COLUMN require_pushed_requests boolean NOT NULL DEFAULT false,
         ADD COLUMN require_signed_requests boolean NOT NULL DEFAULT false`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE client DROP COLUMN require_signed_requests, DROP COLUMN require_pushed_requests');
    await runner.query('ALTER TABLE auth_request DROP COLUMN pushed_id');
  }
}
