import pg from 'pg';
import { outsideOfFiles } from './outside-of-files.mjs';

/**
 * The databases of one jest worker. Cloning one takes longer than most test files, so a file that ends leaves its database empty to the
 * next one. Loaded by Node itself, so that it outlives the files (native-modules.mjs).
 */

/** What has grown beyond this is dropped: emptying it would take longer than a clone. */
const MAX_BYTES = 30_000_000;

/**
 * Everything that a test could have changed about the schema, and with it the rows that a new database has. A definition is known by its
 * oid and by the transaction that wrote it, which a clone has in common with its template: to spell all of them takes five times as
 * long. Sequences are restarted for each file, which writes them anew.
 */
const SCHEMA_SQL = `
  WITH relation AS (
    SELECT oid, xmin, relname, relkind, relacl
    FROM pg_class
    WHERE relnamespace = 'public'::regnamespace
  )
  SELECT md5(string_agg(kind || ' ' || facts, E'\\n' ORDER BY kind)) AS digest, pg_database_size(current_database())::int AS bytes
  FROM (
    SELECT 'relation', md5(string_agg(oid || ' ' || xmin, ',' ORDER BY oid)) FROM relation WHERE relkind <> 'S'
    UNION ALL
    SELECT 'sequence', string_agg(concat_ws(' ', oid, relname, relacl), ',' ORDER BY oid) FROM relation WHERE relkind = 'S'
    UNION ALL
    SELECT 'column', md5(string_agg(concat_ws(' ', a.attrelid, a.attnum, a.xmin), ',' ORDER BY a.attrelid, a.attnum))
    FROM pg_attribute a JOIN relation r ON r.oid = a.attrelid
    WHERE r.relkind <> 'S' AND a.attnum > 0
    UNION ALL
    SELECT 'index', md5(string_agg(i.indexrelid || ' ' || i.xmin, ',' ORDER BY i.indexrelid))
    FROM pg_index i JOIN relation r ON r.oid = i.indrelid
    UNION ALL
    SELECT 'constraint', md5(string_agg(oid || ' ' || xmin, ',' ORDER BY oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'trigger', md5(string_agg(t.oid || ' ' || t.xmin, ',' ORDER BY t.oid))
    FROM pg_trigger t JOIN relation r ON r.oid = t.tgrelid
    UNION ALL
    SELECT 'default', md5(string_agg(d.oid || ' ' || d.xmin, ',' ORDER BY d.oid))
    FROM pg_attrdef d JOIN relation r ON r.oid = d.adrelid
    UNION ALL
    SELECT 'function', md5(string_agg(oid || ' ' || xmin, ',' ORDER BY oid))
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'schema', string_agg(nspname, ',' ORDER BY nspname) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_'
    UNION ALL
    SELECT 'setting', string_agg(setconfig::text, ',' ORDER BY setrole) FROM pg_db_role_setting
    WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
    UNION ALL
    SELECT 'change', md5(string_agg(s::text, ',' ORDER BY id)) FROM schema_change s
  ) AS definitions (kind, facts)`;

/** Foreign keys and triggers are not asked, since everything goes. */
const EMPTY_SQL = `
  SET session_replication_role = replica;
  DO $$
  DECLARE
    relation record;
  BEGIN
    FOR relation IN
      SELECT oid::regclass AS name, relkind
      FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relname !~ '^schema_change'
        AND (relkind = 'S' OR relkind = 'r' AND pg_relation_size(oid) > 0)
    LOOP
      IF relation.relkind = 'S' THEN
        EXECUTE format('ALTER SEQUENCE %s RESTART', relation.name);
      ELSE
        EXECUTE format('DELETE FROM %s', relation.name);
      END IF;
    END LOOP;
  END
  $$;
  SELECT pg_stat_reset();`;

/** Names of databases that are empty. */
const idle = [];
/** Work in the background: databases that are being emptied. */
const emptied = new Set();
let made = 0;
let templateDigest;

/**
 * @param {{ connection: object; template: string }} server
 * @param {(database: string) => object} at connection settings of another database of the server
 * @param {boolean} isNew whether no other file may have used it: what was deleted, and statistics, lead to other plans
 * @returns {Promise<string>} the name of a database with the service's schema and no rows
 */
export async function takeDatabase({ connection, template }, at, isNew) {
  if (!isNew) {
    if (idle.length === 0 && emptied.size > 0) await Promise.race(emptied);
    const name = idle.pop();
    if (name !== undefined) return name;
  }
  made += 1;
  const clone = `${template}_${process.pid}_${made}`;
  // Copying files is faster than writing them through the log, and the template is small.
  await run(connection, `CREATE DATABASE ${clone} TEMPLATE ${template} STRATEGY FILE_COPY`);
  templateDigest ??= await withClient(at(clone), (client) => client.query(SCHEMA_SQL)).then(
    ({ rows: [{ digest }] }) => digest,
  );
  return clone;
}

/** Ends remaining connections, and empties the database for the next file while the caller continues. */
export async function returnDatabase({ connection }, at, name) {
  const ends = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
  await run(connection, ends);
  const work = empty(at(name))
    .catch(() => false)
    .then(async (isEmpty) => {
      if (isEmpty) idle.push(name);
      else await run(connection, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    })
    .catch(() => {}) // a server that is being stopped takes it along
    .finally(() => emptied.delete(work));
  emptied.add(work);
}

/** @returns {Promise<boolean>} whether it is as a new one would be */
async function empty(connection) {
  return withClient(connection, async (client) => {
    const {
      rows: [{ digest, bytes }],
    } = await client.query(SCHEMA_SQL);
    if (digest !== templateDigest || bytes > MAX_BYTES) return false;
    await client.query(EMPTY_SQL);
    return true;
  });
}

/** @type {import('pg').Pool | undefined} one connection for all statements about databases: it takes longer than most of them */
let server;

async function run(connection, statement) {
  server ??= connectToServer(connection);
  await outsideOfFiles(() => server.query(statement));
}

/** The worker does not wait for it. */
function connectToServer(connection) {
  const pool = new pg.Pool({ ...connection, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  pool.on('error', () => {}); // of a server that stops: what is asked fails as well
  return pool;
}

async function withClient(connection, work) {
  const client = new pg.Client(connection);
  client.on('error', () => {}); // of a server that stops meanwhile: what is asked fails as well
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
