import { randomBytes } from 'node:crypto';
import { atDatabase, runSql, toUrl } from '../../../src/extension/testing/test-database.js';
import type { ServerAddress } from '../../../src/foundation/database/server-address.js';
import { fillDatabase } from './filled.js';
import type { Version } from './tables.js';

/** A database of the described version on the server of the tests, and a role that may do nothing but read it. */
export class SourceFixture {
  private constructor(
    private readonly server: ServerAddress,
    private readonly name: string,
    /** That may only read. */
    readonly role: string,
    /** As its owner. */
    readonly connection: ServerAddress,
    /** As that role. */
    readonly url: string,
  ) {}

  static async open(server: ServerAddress, version: Version): Promise<SourceFixture> {
    const name = `described_${randomBytes(6).toString('hex')}`;
    const connection = atDatabase(server, name);
    await runSql(server, `CREATE DATABASE ${name} TEMPLATE template0`, `CREATE ROLE ${name} LOGIN PASSWORD '${name}'`);
    await fillDatabase(connection, version);
    await runSql(
      connection,
      `GRANT USAGE ON SCHEMA projections, eventstore, system TO ${name}`,
      ...['projections', 'eventstore', 'system'].map(
        (schema) => `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${name}`,
      ),
    );
    const url = toUrl(connection).replace(/^postgres(?:ql)?:\/\/(?:[^@/]*@)?/, `postgres://${name}:${name}@`);
    return new SourceFixture(server, name, name, connection, url);
  }

  async run(...statements: string[]): Promise<void> {
    await runSql(this.connection, ...statements);
  }

  async close(): Promise<void> {
    await runSql(this.server, `DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`, `DROP ROLE IF EXISTS ${this.name}`);
  }
}
