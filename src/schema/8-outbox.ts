import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Outgoing mails, and the mailbox that replaces a mail server in development. */
export class Outbox1795219200008 implements MigrationInterface {
  readonly name = 'Outbox1795219200008';

  private readonly statements = [
    `CREATE TABLE outbox (
      id text NOT NULL,
      user_id text NOT NULL,
      org_id text NOT NULL,
      kind text NOT NULL,
      recipient text NOT NULL,
      recipient_key text NOT NULL,
      code text,
      details jsonb NOT NULL DEFAULT '{}',
      state text NOT NULL DEFAULT 'waiting',
      tries integer NOT NULL DEFAULT '0',
      reason text NOT NULL DEFAULT '',
      created_at timestamptz NOT NULL,
      due_at timestamptz NOT NULL,
      expires_at timestamptz,
      sent_at timestamptz,
      CONSTRAINT outbox_pkey PRIMARY KEY (id),
      CONSTRAINT outbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE)`,
    `CREATE INDEX outbox_due_idx ON outbox (due_at) WHERE state = 'waiting'`,
    `CREATE INDEX outbox_user_id_created_at_id_idx ON outbox (user_id, created_at, id)`,
    `CREATE INDEX outbox_recipient_key_created_at_idx ON outbox (recipient_key, created_at)`,
    `CREATE INDEX outbox_created_at_id_idx ON outbox (created_at, id)`,
    `CREATE INDEX outbox_state_created_at_id_idx ON outbox (state, created_at, id)`,
    `CREATE TABLE mailbox_message (
      id text NOT NULL,
      sent_at timestamptz NOT NULL,
      recipient text NOT NULL,
      subject text NOT NULL,
      text_body text NOT NULL,
      html_body text NOT NULL,
      headers jsonb NOT NULL,
      CONSTRAINT mailbox_message_pkey PRIMARY KEY (id))`,
    `CREATE INDEX mailbox_message_sent_at_id_idx ON mailbox_message (sent_at, id)`,
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  /** No released version has a database without these. */
  down(): Promise<void> {
    return Promise.reject(new Error('This change came before the first release; there is no way back.'));
  }
}
