import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApplication } from '../../src/application.js';
import { ruleMistakes } from '../../src/extension-rules.js';
import type { Config } from '../../src/foundation/config/config.js';
import { parseConfig } from '../../src/foundation/config/parse-config.js';
import { readVersion } from '../../src/foundation/config/version.js';
import { HashParameters } from '../../src/foundation/crypto/hash-parameters.js';
import { ChangeChannel } from '../../src/foundation/database/change-channel.js';
import { ConnectionSettings } from '../../src/foundation/database/connection-settings.js';
import { Database, type Transaction } from '../../src/foundation/database/database.js';
import type { Extension } from '../../src/foundation/extension/extension.js';
import { ExtensionLoad } from '../../src/foundation/extension/extension-load.js';
import { Clock } from '../../src/foundation/time/clock.js';
import type { Timeouts } from '../../src/foundation/time/timeouts.js';
import { MailWorker } from '../../src/mail/mail-worker.js';
import type { FirstStart } from '../../src/setup/first-start.service.js';
import { Builders } from './builders.js';
import { type TestDatabase, workerDatabase } from './database.js';
import { FixedClock } from './fixed-clock.js';
import { Fixtures } from './fixtures.js';
import { freePort } from './free-port.js';
import { describedElsewhere, send } from './http.js';
import { KeyStock } from './key-stock.js';

export interface WorldOptions {
  /** A second process on the same database, with the same master key and clock. */
  readonly replicaOf?: World;
  /** `off` unless limits are what the test is about. */
  readonly loginLimits?: 'on' | 'off';
  readonly refreshGraceSeconds?: number;
  /** The issuer, when it differs from where the service listens: `https://id.test`, as behind a proxy. */
  readonly publicUrl?: string;
  /** The issuer has a name instead of an address, which browsers reach: `http://localhost:…`. */
  readonly hasName?: boolean;
  /** Real time, for browsers and clients that have a clock of their own. */
  readonly realTime?: boolean;
  /** `real` where hashing is what the test is about: elsewhere a hash costs next to nothing. */
  readonly hashing?: 'real' | 'cheap';
  /** Shorter than in production where a test waits for its end. */
  readonly timeouts?: Timeouts;
  /** As a team would load them. */
  readonly extensions?: readonly Extension[];
  /** Any other setting, by the name of its environment variable. */
  readonly env?: Readonly<Record<string, string>>;
}

const MASTER_KEY = 'a master key that only tests use';

/** The least that argon2id takes (RFC 9106 §3.1). */
const CHEAP = new HashParameters(8, 1);

/** The service as it ships, listening, on a database of its own. */
export class World {
  /** Makes objects. */
  readonly add = new Builders(this);
  /** The clients, people and service users of the tests that attack. */
  readonly cast: Fixtures;
  private readonly secrets = new Set<string>();

  constructor(
    readonly config: Config,
    /** Where it listens. */
    readonly origin: string,
    /** Its own time; moved by hand unless the world runs in real time. */
    readonly clock: FixedClock,
    readonly database: TestDatabase,
    /** What the first start made; a replica knows it from its elder. */
    readonly firstStart: FirstStart,
    private nest: NestExpressApplication | undefined,
    private readonly lines: string[],
    private readonly cleanUp: () => Promise<void>,
    elder: World | undefined,
  ) {
    this.cast = elder?.cast ?? new Fixtures(this);
  }

  get issuer(): string {
    return this.config.issuer.publicUrl;
  }

  /** A provider of the running application, by its class. */
  get<T>(provider: abstract new (...values: never[]) => T): T {
    if (!this.nest) throw new Error('This world is closed.');
    return this.nest.get(provider, { strict: false });
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.get(Database).transaction(work);
  }

  /** For looking, where no service answers: what is in the database. */
  async rows<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.get(Database).source.query<Row[]>(sql, [...values]);
  }

  /** What the service says of itself. */
  async discovery(): Promise<Record<string, unknown>> {
    return (await send(this.origin, { path: '/.well-known/openid-configuration' })).json();
  }

  /**
   * A digest of everything that is stored, to see whether anything changed; without counters of failed tries, the
   * journal, and what the service measures, counts and rotates by itself.
   */
  async contents(): Promise<string> {
    await this.get(MailWorker).run();
    const tables = await this.rows<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public'
         AND table_name NOT IN ('attempt', 'event', 'hash_speed', 'password_mix', 'password_mix_count', 'signing_key')
       ORDER BY 1`,
    );
    const digests = await this.rows<{ digest: string }>(
      tables
        .map(
          ({ name }) =>
            `SELECT '${name} ' || coalesce(md5(string_agg(t::text, ',' ORDER BY t::text)), '') AS digest FROM "${name}" t`,
        )
        .join(' UNION ALL '),
    );
    return digests
      .map(({ digest }) => digest)
      .sort() // the server may look at several tables at once
      .join('\n');
  }

  /**
   * Waits until every change so far was announced to this world: until then an announcement may remove from a cache what was read
   * after the change.
   */
  async changesToArrive(): Promise<void> {
    const channel = this.get(ChangeChannel);
    const marker = randomUUID();
    const arrived = new Promise<void>((resolve) => {
      let count = 0;
      channel.on('client', (key) => {
        if (key === marker) count += 1;
        if (count === 2) resolve(); // once at the commit, and once more by PostgreSQL, in the order of the commits
      });
    });
    await this.transaction((tx) => channel.announce(tx, 'client', marker));
    await arrived;
  }

  /** The moment of this world in Unix seconds. */
  now(): number {
    return this.get(Clock).nowSeconds();
  }

  /** Everything that was logged so far. */
  logText(): string {
    return this.lines.join('');
  }

  /** A value that must never be logged; `close` looks. */
  plant(secret: string | undefined): void {
    if (secret !== undefined && secret.length >= 8) this.secrets.add(secret);
  }

  /** The planted ones among what a text holds. */
  secretsIn(text: string): string[] {
    return [...this.secrets].filter((secret) => text.includes(secret));
  }

  /** Ends the service, and looks for planted secrets in its log. @throws Error when there is one */
  async close(): Promise<void> {
    await this.nest?.close();
    this.nest = undefined; // V8 keeps the variables of a test file until its worker ends
    await this.cleanUp();
    const leaked = this.secretsIn(this.logText());
    if (leaked.length > 0) {
      const line = this.lines.find((text) => text.includes(leaked[0]!));
      throw new Error(`The log holds ${leaked.length} secret(s): ${line}`);
    }
  }
}

/** Starts the service in this process; end it with `close()`. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { replicaOf: elder } = options;
  const port = await freePort(); // the issuer must be known before the service listens
  const origin = `http://127.0.0.1:${port}`;
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-world-'));
  const load = await ExtensionLoad.of(options.extensions ?? [], readVersion(), ruleMistakes);
  const config = toConfig(
    options,
    port,
    elder?.issuer ?? options.publicUrl ?? (options.hasName === true ? `http://localhost:${port}` : origin),
    dataDir,
    load,
  );
  const database = elder?.database ?? (await workerDatabase());
  const clock = elder?.clock ?? new FixedClock();
  const lines: string[] = [];
  const machine = {
    ...(options.realTime === true ? {} : { clock }),
    ...(options.timeouts && { timeouts: options.timeouts }),
    keyPairs: new KeyStock(),
    hashParameters: elder?.get(HashParameters) ?? (options.hashing === 'real' ? new HashParameters() : CHEAP),
    logTo: { write: (line: string) => lines.push(line) },
  };
  const connection = new ConnectionSettings(database.connection, 'test');
  const { nest, firstStart } = await createApplication(config, connection, machine, load.inUse);
  await nest.listen(port, '127.0.0.1');
  if (config.issuer.isOfAnotherVendor) describedElsewhere.add(origin);
  return new World(
    config,
    origin,
    clock,
    database,
    firstStart ?? elder!.firstStart,
    nest,
    lines,
    async () => {
      rmSync(dataDir, { recursive: true, force: true });
      describedElsewhere.delete(origin);
      if (!elder) await database.release();
    },
    elder,
  );
}

function toConfig(
  options: WorldOptions,
  port: number,
  publicUrl: string,
  dataDir: string,
  load: ExtensionLoad,
): Config {
  const env = {
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    DATA_DIR: dataDir,
    MASTER_KEY,
    DEMO_PORT: 'off',
    LOG_LEVEL: 'debug',
    LOG_FORMAT: 'json',
    LOGIN_LIMITS: options.loginLimits ?? 'off',
    ADMIN_RATE: '1000000', // unless the limit is what the test is about
    IMPORTED_HASH_MS: '1000', // these machines are shared, and seem slower than they are
    REFRESH_GRACE_SECONDS: String(options.refreshGraceSeconds ?? 10),
    ...options.env,
  };
  return parseConfig(env, { readFile: () => '', terminal: false, readMore: (reader) => load.read(reader) });
}
