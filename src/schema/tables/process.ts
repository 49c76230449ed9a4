/** Extensions that processes of this database have loaded (docs/adr/0053). */
export const PROCESS: readonly string[] = [
  `CREATE TABLE extension (
     id text PRIMARY KEY,
     version text NOT NULL,
     seams text[] NOT NULL,
     is_required boolean NOT NULL,
     first_loaded_at timestamptz NOT NULL,
     last_loaded_at timestamptz NOT NULL)`,
];
