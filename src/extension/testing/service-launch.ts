import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../../foundation/config/config.js';
import { parseConfig } from '../../foundation/config/parse-config.js';
import { readVersion } from '../../foundation/config/version.js';
import { type KeyStretch, stretchKey } from '../../foundation/crypto/master-key.js';
import { ConnectionSettings } from '../../foundation/database/connection-settings.js';
import { ExtensionLoad } from '../../foundation/extension/extension-load.js';
import { HashMeter } from '../../foundation/password/hash-meter.js';
import { HashParameters } from '../../foundation/password/hash-parameters.js';
import { createApplication } from '../../process/application.js';
import type { FirstStart } from '../../process/setup/first-start.service.js';
import { ruleMistakes } from '../../process/start/extension-rules.js';
import { FixedClock } from './fixed-clock.js';
import type { Ground } from './own-ground.js';
import type { RunningService } from './running-service.js';
import type { TestDatabase } from './test-database.js';
import type { WorldOptions } from './world-options.js';

const MASTER_KEY = 'a master key that only tests use';

/** The least that argon2id takes (RFC 9106 §3.1). */
const CHEAP = new HashParameters(8, 1);

const stretched = new Map<string, Promise<Buffer>>();

/** The worlds of a process have the same master key, which is stretched once for all of them. */
const stretchOnce: KeyStretch = (key) => {
  const known = stretched.get(key.reveal()) ?? stretchKey(key);
  stretched.set(key.reveal(), known);
  return known;
};

/** The worlds of a process are on the same machine, which is measured once for all of them. */
class OneMeasurement extends HashMeter {
  private measured: Promise<readonly number[]> | undefined;

  override async measure(): Promise<readonly number[]> {
    return (this.measured ??= super.measure());
  }
}

const hashMeter = new OneMeasurement();

/** The world that a replica joins. */
interface Elder extends Pick<RunningService, 'issuer' | 'clock' | 'get'> {
  readonly database: TestDatabase;
  readonly firstStart: FirstStart;
}

/** A service that was started, and all that belongs to it. */
export interface WorldParts {
  readonly config: Config;
  readonly origin: string;
  readonly clock: FixedClock;
  readonly database: TestDatabase;
  readonly firstStart: FirstStart;
  readonly nest: NestExpressApplication;
  readonly lines: readonly string[];
  /** Called once the application is closed. */
  readonly cleanUp: () => Promise<void>;
  readonly ground: Ground;
  readonly options: WorldOptions;
}

/**
 * Starts the service in this process.
 * @throws ConfigError with everything that is wrong with settings and extensions; nothing is left behind then
 */
export async function launch(options: WorldOptions, ground: Ground, elder?: Elder): Promise<WorldParts> {
  const port = options.port ?? (await ground.freePort()); // the issuer must be known before the service listens
  const origin = `http://127.0.0.1:${port}`;
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-world-'));
  let database: TestDatabase | undefined;
  const cleanUp = async (): Promise<void> => {
    rmSync(dataDir, { recursive: true, force: true });
    if (!elder) await database?.release();
  };
  try {
    const load = await ExtensionLoad.of(options.extensions ?? [], readVersion(), ruleMistakes);
    const publicUrl = options.publicUrl ?? (options.hasName === true ? `http://localhost:${port}` : origin);
    const config = toConfig(options, { port, dataDir, publicUrl: elder?.issuer ?? publicUrl }, load);
    database = elder?.database ?? (await ground.database());
    const clock = elder?.clock ?? options.clock ?? new FixedClock();
    const lines: string[] = [];
    const machine = {
      ...(options.realTime === true ? {} : { clock }),
      ...(options.timeouts && { timeouts: options.timeouts }),
      keyPairs: ground.keyPairs(),
      hashParameters: elder?.get(HashParameters) ?? (options.hashing === 'real' ? new HashParameters() : CHEAP),
      hashMeter,
      stretch: stretchOnce,
      logTo: options.logTo ?? { write: (line: string) => lines.push(line) },
    };
    const connection = new ConnectionSettings(database.connection, 'test');
    const application = await createApplication(config, connection, machine, load.inUse);
    const { nest, firstStart = elder!.firstStart } = application;
    for (const sentence of application.warnings) application.log.warn(sentence);
    await options.beforeListening?.(nest);
    await nest.listen(port, '127.0.0.1');
    return { config, origin, clock, database, firstStart, nest, lines, cleanUp, ground, options };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

function toConfig(
  options: WorldOptions,
  place: { readonly port: number; readonly publicUrl: string; readonly dataDir: string },
  load: ExtensionLoad,
): Config {
  const env = {
    PORT: String(place.port),
    PUBLIC_URL: place.publicUrl,
    DATA_DIR: place.dataDir,
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
