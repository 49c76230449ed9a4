import { createApplication } from './application.js';
import type { HttpConfig } from './config/config.js';
import { ConfigError } from './config/environment.js';
import { loadConfig } from './config/load-config.js';
import { readVersion } from './config/version.js';
import { connect } from './database/connect.js';
import { DomainError } from './error/domain-error.js';
import { Readiness } from './health/readiness.js';
import { drain, listen } from './http/listener.js';
import { startBlock } from './setup/start-block.js';

/** How long running requests may take to end once the process takes no more of them (OPS-002). */
const LAST_REQUESTS_MS = 15_000;
/** What the rest of a stop may take before the process ends all the same. */
const STOP_LIMIT_MS = 5_000;

async function main(): Promise<void> {
  const config = loadConfig();
  const database = await connect(config.database);
  let nest: Awaited<ReturnType<typeof createApplication>>['nest'] | undefined;
  try {
    const application = await createApplication(config, database.settings);
    nest = application.nest;
    await listen(nest.getHttpServer(), config.http.port, config.http.host).catch((error: unknown) => {
      throw cannotListen(error, config.http);
    });
    const delayMs = config.http.drainSeconds * 1000;
    stopOnSignals(async () => {
      application.nest.get(Readiness).drain();
      await drain(application.nest.getHttpServer(), { delayMs, limitMs: LAST_REQUESTS_MS });
      await application.nest.close();
      await database.stop();
    }, delayMs + LAST_REQUESTS_MS + STOP_LIMIT_MS);
    process.stdout.write(
      startBlock(config, {
        version: readVersion(),
        databaseLabel: database.settings.label,
        firstStart: application.firstStart,
        seconds: process.uptime(),
      }),
    );
  } catch (error) {
    await nest?.close();
    await database.stop();
    throw error;
  }
}

/** In words for the operator. */
function cannotListen(error: unknown, { host, port }: HttpConfig): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) return error;
  const why = code === 'EADDRINUSE' ? 'another process listens there already' : code;
  return new DomainError(
    'FailedPrecondition', 'http.cannot_listen', `The service cannot listen on ${host} port ${port}: ${why}. Change PORT or HOST.`,
    { cause: error },
  );
}

function stopOnSignals(stop: () => Promise<void>, limitMs: number): void {
  let stopping = false;
  const onSignal = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), limitMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** What an operator can mend is said in a sentence; anything else is a defect and shows where it happened. */
function fail(error: unknown): void {
  const expected = error instanceof ConfigError || error instanceof DomainError;
  const text = error instanceof Error ? (expected ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

main().catch(fail);
