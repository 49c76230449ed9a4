import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses that are told of events, and what they must still be told (record 75). */
export class Webhook1795219200044 implements MigrationInterface {
  readonly name = 'Webhook1795219200044';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE webhook (
         id text PRIMARY KEY,
         owner_id text NOT NULL,
         level text NOT NULL,
         url text NOT NULL,
         types text[] NOT NULL,
         state text NOT NULL DEFAULT 'active',
         reason text NOT NULL DEFAULT '',
         secret text NOT NULL,
         former_secret text,
         former_until timestamptz,
         since timestamptz NOT NULL,
         failing_since timestamptz,
         sequence bigint NOT NULL DEFAULT 0,
         creation_date timestamptz NOT NULL DEFAULT now(),
         change_date timestamptz NOT NULL DEFAULT now()
       )`,
    );
    await runner.query('CREATE INDEX ON webhook (owner_id, id)');
    await runner.query('CREATE INDEX ON webhook (state)');
    await runner.query(
      `CREATE TABLE webhook_delivery (
         id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
         webhook_id text NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
         position bigint NOT NULL,
         state text NOT NULL DEFAULT 'waiting',
         tries integer NOT NULL DEFAULT 0,
         reason text NOT NULL DEFAULT '',
         created_at timestamptz NOT NULL,
         due_at timestamptz NOT NULL,
         settled_at timestamptz
       )`,
    );
    await runner.query(
      'CREATE UNIQUE INDEX webhook_delivery_webhook_id_position_key ON webhook_delivery (webhook_id, position)',
    );
    await runner.query(
      `CREATE INDEX webhook_delivery_due_idx ON webhook_delivery (webhook_id, due_at) WHERE state = 'waiting'`,
    );
    await runner.query(
      'CREATE INDEX webhook_delivery_settled_at_idx ON webhook_delivery (settled_at) WHERE settled_at IS NOT NULL',
    );
    await runner.query('CREATE INDEX ON webhook_delivery (state, webhook_id, id)');
    await runner.query('CREATE INDEX ON webhook_delivery (webhook_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_delivery');
    await runner.query('DROP TABLE webhook');
  }
}
