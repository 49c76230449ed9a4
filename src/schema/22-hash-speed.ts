import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How fast the machines of the instance compute password hashes, to determine the cost of imported ones. */
export class HashSpeed1795219200022 implements MigrationInterface {
  readonly name = 'HashSpeed1795219200022';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE hash_speed (
      primitive text PRIMARY KEY,
      nanoseconds double precision NOT NULL,
      measured_at timestamptz NOT NULL
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE hash_speed');
  }
}
