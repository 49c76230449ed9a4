import type { MigrationInterface, QueryRunner } from 'typeorm';

const NAME = 'event_aggregate_type_aggregate_id_sequence_key';

/**
 * The last event of an aggregate is found by this index and by no other. Over the two columns, the planner took the
 * index of (aggregate_type, position) for as good wherever it did not expect events of that type, and read all of them
 * for each event that was appended. The name stays: versions before this one repeat a transaction when they see it.
 */
export class EventSequence1795219200025 implements MigrationInterface {
  readonly name = 'EventSequence1795219200025';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE event DROP CONSTRAINT ${NAME}`);
    await runner.query(`CREATE UNIQUE INDEX ${NAME} ON event ((aggregate_type || '/' || aggregate_id), sequence)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${NAME}`);
    await runner.query(`ALTER TABLE event ADD CONSTRAINT ${NAME} UNIQUE (aggregate_type, aggregate_id, sequence)`);
  }
}
