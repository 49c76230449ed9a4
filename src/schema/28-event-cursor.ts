import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A feed of events that loses none although transactions commit late (docs/adr/0054). `tx` is the transaction that has
 * appended the event; those from before this change have 0, without a rewrite of the table.
 */
export class EventCursor1795219200028 implements MigrationInterface {
  readonly name = 'EventCursor1795219200028';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE event ADD COLUMN tx bigint NOT NULL DEFAULT 0');
    await runner.query('ALTER TABLE event ALTER COLUMN tx SET DEFAULT ((pg_current_xact_id())::text)::bigint');
    await runner.query('CREATE INDEX event_tx_position_idx ON event (tx, position)');
    await runner.query(
      `CREATE TABLE event_cursor (
        listener text NOT NULL,
        tx bigint NOT NULL,
        position bigint NOT NULL,
        tries integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL,
        reason text NOT NULL DEFAULT '',
        CONSTRAINT event_cursor_pkey PRIMARY KEY (listener))`,
    );
    await runner.query(
      `CREATE TABLE event_clock (
        is_only boolean NOT NULL DEFAULT true,
        shift bigint NOT NULL,
        CONSTRAINT event_clock_pkey PRIMARY KEY (is_only))`,
    );
    await runner.query(
      `CREATE TABLE event_parked (
        listener text NOT NULL,
        position bigint NOT NULL,
        reason text NOT NULL,
        parked_at timestamptz NOT NULL,
        CONSTRAINT event_parked_pkey PRIMARY KEY (listener, position))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_parked');
    await runner.query('DROP TABLE event_clock');
    await runner.query('DROP TABLE event_cursor');
    await runner.query('ALTER TABLE event DROP COLUMN tx');
  }
}
