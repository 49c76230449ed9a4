import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds browsers that were never used to sign in, which are not kept for long. A sign-in records the value that it
 * replaces.
 */
export class BrowserNeverSignedIn1795219200021 implements MigrationInterface {
  readonly name = 'BrowserNeverSignedIn1795219200021';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX browser_never_signed_in_idx ON browser (seen_at) WHERE previous_key_hash IS NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX browser_never_signed_in_idx');
  }
}
