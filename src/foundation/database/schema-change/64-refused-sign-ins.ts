import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refused sign-ins are aggregates of their own; whoever reads the events of a user finds theirs. */
export class RefusedSignIns1795219200064 implements MigrationInterface {
  readonly name = 'RefusedSignIns1795219200064';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX event_refused_sign_in_idx ON event ((payload->>'userId'), position)
       WHERE aggregate_type = 'sign_in'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX event_refused_sign_in_idx');
  }
}
