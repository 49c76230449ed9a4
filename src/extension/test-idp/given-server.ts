import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readVersion } from '../../foundation/config/version.js';
import { atDatabase, type TestDatabase, toUrl } from '../testing/test-database.js';
import { makeTemplate } from '../testing/test-server.js';
import { inputMistake } from './input-mistake.js';

/** What the databases that are made here are marked with. */
const MARK = 'Made by gatehouse test-idp, which removes it';
const PREFIX = 'gatehouse_test_idp';
const FILE_COPY_SINCE = 150_000;
const MAY_NOT = '42501';

/** The tables, views and sequences that are neither of the server nor of an extension of it. */
const CONTENT = `
  SELECT count(*)::int AS count
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`;
const OWN_MARK = `SELECT shobj_description(oid, 'pg_database') AS mark FROM pg_database WHERE datname = current_database()`;
const MARKED = `
  SELECT datname AS name
  FROM pg_database
  WHERE datname ^@ $1 AND shobj_description(oid, 'pg_database') = $2
  ORDER BY datname`;

/**
 * Databases on a server that somebody has given. Only those are ever changed or removed that were made here: they have
 * a mark, and names that begin with `gatehouse_test_idp_`.
 */
export class GivenServer {
  /** Of the given database: advisory locks are seen in it alone. */
  private readonly prefix: string;

  private constructor(
    private readonly client: pg.Client,
    private readonly url: string,
  ) {
    this.prefix = `${PREFIX}_${digest(client.database ?? '')}`;
  }

  /** @throws InputMistake if the given database is not empty, or no database may be made beside it */
  static async newDatabase(url: string): Promise<TestDatabase> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    const server = new GivenServer(client, url);
    try {
      await server.checkGiven();
      await server.removeLeft();
      return await server.clone(await server.template());
    } catch (error) {
      await client.end();
      throw (error as { code?: string }).code === MAY_NOT
        ? inputMistake('The role of the given database must be allowed to make databases: ALTER ROLE … CREATEDB.')
        : error;
    }
  }

  /** Nothing is ever written there; but what is not empty was meant for something else. */
  private async checkGiven(): Promise<void> {
    const [{ mark }, { count }] = [
      await this.row<{ mark: string | null }>(OWN_MARK),
      await this.row<{ count: number }>(CONTENT),
    ];
    if (mark === MARK || count === 0) return;
    throw inputMistake(
      `The database "${this.client.database}" is not empty, and was not made by test-idp: name an empty one, such as "postgres". ` +
        'Nothing was changed.',
    );
  }

  /** Those of processes that were killed: nobody holds their lock. */
  private async removeLeft(): Promise<void> {
    const { rows } = await this.client.query<{ name: string }>(MARKED, [`${this.prefix}_run_`, MARK]);
    for (const { name } of rows) {
      const { isFree } = await this.row<{ isFree: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "isFree"',
        [name],
      );
      if (!isFree) continue;
      await this.client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => undefined);
      await this.client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
    }
  }

  /** The database with the schema of this build, made once. */
  private async template(): Promise<string> {
    const build = fileURLToPath(new URL('../../', import.meta.url));
    const kept = `${this.prefix}_kept_${digest(build)}`;
    const name = `${kept}_${digest(`${readVersion()} ${statSync(build).mtimeMs}`)}`;
    const lock = [PREFIX];
    await this.client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', lock);
    try {
      const { rows } = await this.client.query<{ name: string }>(MARKED, [kept, MARK]);
      for (const old of rows) if (old.name !== name) await this.client.query(`DROP DATABASE IF EXISTS ${old.name}`);
      if (rows.some((row) => row.name === name)) return name;
      await this.client.query(`DROP DATABASE IF EXISTS ${name}`); // one that was not finished has no mark
      await makeTemplate({ connectionString: this.url }, name);
      await this.mark(name);
      return name;
    } finally {
      await this.client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', lock);
    }
  }

  private async clone(template: string): Promise<TestDatabase> {
    const name = `${this.prefix}_run_${randomBytes(6).toString('hex')}`;
    const { version } = await this.row<{ version: number }>(
      `SELECT current_setting('server_version_num')::int AS version`,
    );
    const strategy = version >= FILE_COPY_SINCE ? ' STRATEGY FILE_COPY' : '';
    await this.client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    await this.client.query(`CREATE DATABASE ${name} TEMPLATE ${template}${strategy}`);
    await this.mark(name);
    const connection = atDatabase({ connectionString: this.url }, name);
    return {
      connection,
      url: toUrl(connection),
      release: async () => {
        try {
          await this.client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        } finally {
          await this.client.end();
        }
      },
    };
  }

  private async mark(name: string): Promise<void> {
    await this.client.query(`COMMENT ON DATABASE ${name} IS '${MARK}'`);
  }

  private async row<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<Row> {
    const { rows } = await this.client.query<Row>(sql, [...values]);
    return rows[0]!;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
