import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users who could sign in with an unverified address at their previous service can do so here, too. */
export class UnverifiedEmail1795219200016 implements MigrationInterface {
  readonly name = 'UnverifiedEmail1795219200016';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE user_account ADD COLUMN email_may_stay_unverified boolean NOT NULL DEFAULT false',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE user_account DROP COLUMN email_may_stay_unverified');
  }
}
