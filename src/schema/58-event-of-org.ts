import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['type', 'aggregate_type'] as const;

/**
 * The journal of an organization by type: what is common elsewhere may be rare here. And by number: few objects have
 * many events, so that the index is small.
 */
export class EventOfOrg1795219200058 implements MigrationInterface {
  readonly name = 'EventOfOrg1795219200058';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) {
      await runner.query(
        `CREATE INDEX IF NOT EXISTS event_org_id_${column}_position_idx ON event (org_id, ${column}, position)`,
      );
    }
    await runner.query(
      'CREATE INDEX IF NOT EXISTS event_late_sequence_idx ON event (sequence, position) WHERE sequence > 10',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`DROP INDEX event_org_id_${column}_position_idx`);
    await runner.query('DROP INDEX event_late_sequence_idx');
  }
}
