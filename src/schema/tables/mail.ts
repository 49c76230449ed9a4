/** Mail servers that owners have set up, and the mailbox of development. */
export const MAIL: readonly string[] = [
  `CREATE TABLE mail_server (
     id text PRIMARY KEY,
     state text NOT NULL DEFAULT 'inactive',
     description text NOT NULL DEFAULT '',
     host text NOT NULL,
     tls boolean NOT NULL,
     user_name text NOT NULL DEFAULT '',
     password text NOT NULL DEFAULT '',
     sender_address text NOT NULL,
     sender_name text NOT NULL DEFAULT '',
     reply_to_address text NOT NULL DEFAULT '',
     sequence bigint NOT NULL DEFAULT 0,
     creation_date timestamptz NOT NULL DEFAULT now(),
     change_date timestamptz NOT NULL DEFAULT now())`,
  `CREATE UNIQUE INDEX mail_server_one_active_idx ON mail_server (state) WHERE state = 'active'`,
  `CREATE TABLE mailbox_message (
     id text PRIMARY KEY,
     sent_at timestamptz NOT NULL,
     recipient text NOT NULL,
     subject text NOT NULL,
     text_body text NOT NULL,
     html_body text NOT NULL,
     headers jsonb NOT NULL)`,
  `CREATE INDEX mailbox_message_sent_at_id_idx ON mailbox_message (sent_at, id)`,
];
