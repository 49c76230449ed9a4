// A process that owns an embedded database: it answers one line when a row is committed, and then waits to be killed;
// with the argument "leave" it has nothing left to do instead.
import pg from 'pg';

const { modules } = await import(new URL('../../lib/internals.js', import.meta.url).href);

const { startEmbeddedPostgres } = modules['process/embedded/index.js'];

const [dataDir, then] = process.argv.slice(2);
const { connection } = await startEmbeddedPostgres({ dataDir });
const client = new pg.Client(connection);
client.on('error', () => {});
await client.connect();
await client.query('CREATE TABLE IF NOT EXISTS note (id int PRIMARY KEY)');
await client.query('INSERT INTO note SELECT count(*) + 1 FROM note');
if (then === 'leave') await client.end();
else setInterval(() => {}, 60_000);
process.stdout.write(`${JSON.stringify(connection)}\n`);
