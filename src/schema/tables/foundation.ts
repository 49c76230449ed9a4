/** The journal and who listens to it, counted attempts, numbers of processes. */
export const FOUNDATION: readonly string[] = [
  // The number of a process is part of every id that it makes (foundation/crypto/id.ts): two processes never share one.
  `CREATE SEQUENCE process_number MINVALUE 0 MAXVALUE 1023 CYCLE`,
  `CREATE TABLE event (
     position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     aggregate_type text NOT NULL,
     aggregate_id text NOT NULL,
     sequence bigint NOT NULL,
     type text NOT NULL,
     payload jsonb NOT NULL DEFAULT '{}',
     editor_id text NOT NULL,
     org_id text NOT NULL,
     created_at timestamptz NOT NULL,
     -- Which transactions are still under way is known by this number, so that a listener misses none (docs/adr/0013).
     tx bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint)`,
  // The last event of an aggregate is found by this index and by no other. Over the two columns, the planner would take
  // that of (aggregate_type, position) for as good wherever it expects no events of the type, and read all of them for
  // each event that is appended.
  `CREATE UNIQUE INDEX event_aggregate_type_aggregate_id_sequence_key
     ON event ((aggregate_type || '/' || aggregate_id), sequence)`,
  `CREATE INDEX event_aggregate_id_position_idx ON event (aggregate_id, position)`,
  `CREATE INDEX event_aggregate_type_position_idx ON event (aggregate_type, position)`,
  `CREATE INDEX event_created_at_idx ON event (created_at)`,
  `CREATE INDEX event_editor_id_position_idx ON event (editor_id, position)`,
  // Few objects have many events, so that it is small.
  `CREATE INDEX event_late_sequence_idx ON event (sequence, position) WHERE sequence > 10`,
  // A type of object that is common elsewhere may be rare in an organization.
  `CREATE INDEX event_org_id_aggregate_type_position_idx ON event (org_id, aggregate_type, position)`,
  `CREATE INDEX event_org_id_position_idx ON event (org_id, position)`,
  `CREATE INDEX event_org_id_type_position_idx ON event (org_id, type, position)`,
  // Refused sign-ins are aggregates of their own, and are found by their user.
  `CREATE INDEX event_refused_sign_in_idx ON event ((payload ->> 'userId'), position)
     WHERE aggregate_type = 'sign_in'`,
  `CREATE INDEX event_tx_position_idx ON event (tx, position)`,
  `CREATE INDEX event_type_position_idx ON event (type, position)`,
  `CREATE TABLE event_cursor (
     listener text PRIMARY KEY,
     tx bigint NOT NULL,
     position bigint NOT NULL,
     tries integer NOT NULL DEFAULT 0,
     due_at timestamptz NOT NULL,
     reason text NOT NULL DEFAULT '')`,
  `CREATE TABLE event_parked (
     listener text NOT NULL,
     position bigint NOT NULL,
     reason text NOT NULL,
     parked_at timestamptz NOT NULL,
     PRIMARY KEY (listener, position))`,
  // How far the default of event.tx is ahead of this server's own numbers: see event-clock.ts.
  `CREATE TABLE event_clock (
     is_only boolean PRIMARY KEY DEFAULT true,
     shift bigint NOT NULL)`,
  `CREATE TABLE attempt (
     key text PRIMARY KEY,
     failures integer NOT NULL,
     window_ends_at timestamptz NOT NULL)`,
  `CREATE INDEX attempt_window_ends_at_idx ON attempt (window_ends_at)`,
  `CREATE TABLE hash_speed (
     primitive text PRIMARY KEY,
     nanoseconds double precision NOT NULL,
     measured_at timestamptz NOT NULL)`,
];
