import { flushCompileCache } from 'node:module';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Config, HttpConfig } from '../../foundation/config/config.js';
import { ConfigError } from '../../foundation/config/environment.js';
import { extensionWords } from '../../foundation/config/extension-words.js';
import { loadConfig } from '../../foundation/config/load-config.js';
import { readVersion } from '../../foundation/config/version.js';
import { isWorker } from '../../foundation/config/worker-mark.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { handleEscapedErrors } from '../../foundation/error/escaped-errors.js';
import type { Extension } from '../../foundation/extension/extension.js';
import { ExtensionLoad } from '../../foundation/extension/extension-load.js';
import { drain, listen } from '../../foundation/http/listener.js';
import type { Logger } from '../../foundation/log/logger.js';
import type { Application } from '../application.js';
import { connect, type DatabaseServer } from '../connect.js';
import { startEmbeddedPostgres } from '../embedded/index.js';
import { startBlock } from '../setup/start-block.js';
import type { SupervisorLink } from '../worker/supervisor-link.js';
import type { Gatehouse, GatehouseOptions } from './gatehouse-options.js';
import { handlerOf } from './handler.js';
import type { Supervisor } from './supervisor.js';

/** How long running requests may take to end once the process takes no more of them (OPS-002). */
const LAST_REQUESTS_MS = 15_000;
/** How long the rest of a stop may take: a database that does not answer must not keep the process. */
const STOP_LIMIT_MS = 5_000;
/** The time for idle connections to be used once more, and closed with the answer. */
const HANDOVER_MS = 1_000;

/** What a start has made so far, and a stop has to undo. */
interface Made {
  /** The supervisor, in place of all other members, which its workers have. */
  supervisor?: Supervisor;
  /** The link to the supervisor, which only a worker has. */
  link?: SupervisorLink | undefined;
  database?: DatabaseServer;
  application?: Application;
  /** Set once requests are taken: how long a stopping process still takes them. */
  drainMs?: number;
}

/**
 * The service from its start to the end of the process. Ends it with 0 when it was asked to stop, at whatever moment
 * and whatever the database does; with 1 when it could not start, or met a defect of its own.
 * @param stop aborted by the signal that asks for the end
 * @param given extensions, and settings other than those of the process
 */
export async function runService(stop: AbortSignal, given: GatehouseOptions = {}): Promise<never> {
  const made: Made = {};
  handleEscapedErrors((error) => endAtOnce(made, error));
  // The reader of the log, such as the other end of a pipe, may end: that costs lines, not the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  made.link = await linkOfWorker();
  const ending = made.link ? AbortSignal.any([stop, made.link.ending]) : stop;
  const start = begin(made, ending, given).catch((error: unknown) => {
    if (!ending.aborted) throw error; // what a stop has interrupted is no failure
  });
  try {
    await Promise.race([start, aborted(ending)]);
    await Promise.race([aborted(ending), ...(made.supervisor && !ending.aborted ? [made.supervisor.lost] : [])]);
  } catch (error) {
    await undo(made);
    return fail(error);
  }
  await within(STOP_LIMIT_MS, 'the start', made, start);
  await undo(made);
  return process.exit(0);
}

async function begin(made: Made, stop: AbortSignal, given: GatehouseOptions): Promise<void> {
  await takeSignals(stop);
  const settings = await readSettings(given);
  if (settings.config.workers > 1 && !made.link) return beginWithWorkers(made, settings.config, given, stop);
  const prepared = await prepare(made, stop, settings);
  await listenWith(made, prepared);
  if (isAnnouncer(made)) announce(made, prepared);
  made.link?.serve(prepared.application.readMetrics);
}

function announce({ link }: Made, { config, databaseLabel, extensions, application }: Prepared): void {
  process.stdout.write(
    startBlock(config, {
      version: readVersion(),
      databaseLabel,
      extensions,
      firstStart: application.firstStart,
      seconds: link ? (nowMs() - link.orders.sinceMs) / 1000 : process.uptime(),
      terminal: process.stdout.isTTY,
    }),
  );
  flushCompileCache(); // for the next start, and before the end of the process, which may be a sudden one
}

/** Whether this is the one of several processes that prints messages for the operator. */
function isAnnouncer({ link }: Made): boolean {
  return link?.orders.isFirst !== false;
}

/** Starts workers, which run the same program; this process serves nothing itself. */
async function beginWithWorkers(made: Made, config: Config, given: GatehouseOptions, stop: AbortSignal): Promise<void> {
  const { Supervisor } = await import('./supervisor.js');
  const isExtended = given.extensions !== undefined || given.env !== undefined;
  made.supervisor = new Supervisor(config, { sinceMs: nowMs() - process.uptime() * 1000, isExtended });
  made.drainMs = config.http.drainSeconds * 1000;
  await made.supervisor.start(stop);
}

async function linkOfWorker(): Promise<SupervisorLink | undefined> {
  if (!isWorker()) return undefined;
  const { SupervisorLink: Link } = await import('../worker/supervisor-link.js');
  return Link.open();
}

/** The way to the embedded database, which the supervisor starts and stops if there are several processes. */
function wayToEmbedded(link: SupervisorLink | undefined): typeof startEmbeddedPostgres {
  const embedded = link?.orders.embedded;
  return embedded ? async () => ({ ...embedded, stop: async () => undefined }) : startEmbeddedPostgres;
}

/** The supervisor listens on the port of the metrics. */
function asWorker(config: Config): Config {
  return { ...config, http: Object.assign(new HttpConfig(), config.http, { metricsPort: undefined }) };
}

/** Milliseconds since 1970 as this process has counted them, which no change of the clock affects. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

interface Settings {
  readonly load: ExtensionLoad;
  readonly config: Config;
}

/** @throws ConfigError with everything that is wrong with settings and extensions; NotLoaded for what is not there */
async function readSettings(given: GatehouseOptions): Promise<Settings> {
  const { env } = given;
  const load = await ExtensionLoad.of(await extensionsOf(given), readVersion(), async (extensions) =>
    (await import('./extension-rules.js')).ruleMistakes(extensions),
  );
  return { load, config: loadConfig(env, (reader, { deprecations }) => load.read(reader, deprecations)) };
}

/** Those that the settings name, and then those that were given besides. */
async function extensionsOf({ extensions = [], env }: GatehouseOptions): Promise<readonly Extension[]> {
  const words = extensionWords(env);
  if (words.length === 0) return extensions;
  const { loadExtensions } = await import('./start-extensions.js');
  const named = await loadExtensions(words);
  return [...named, ...extensions.filter((extension) => !named.includes(extension))];
}

interface Prepared {
  readonly config: Config;
  readonly databaseLabel: string;
  readonly extensions: readonly Extension[];
  readonly application: Application;
}

/** Everything up to listening. @throws ConfigError with what is wrong with extensions */
async function prepare(made: Made, stop: AbortSignal, { load, config }: Settings): Promise<Prepared> {
  // PostgreSQL, in processes of its own, starts while this one reads the rest of its code.
  const [{ createApplication }, database] = await Promise.all([
    loadApplication(),
    connect(config.database, stop, wayToEmbedded(made.link)).then((server) => (made.database = server)),
  ]);
  await takeSignals(stop);
  const used = made.link ? asWorker(config) : config;
  const application = await createApplication(used, database.settings, {}, load.inUse);
  made.application = application;
  stop.throwIfAborted();
  if (isAnnouncer(made))
    for (const sentence of [...config.misspellings, ...load.deprecated, ...application.warnings])
      application.log.warn(sentence);
  return { config, databaseLabel: database.settings.label, extensions: load.inUse.extensions, application };
}

async function listenWith(made: Made, { config, application: { nest } }: Prepared): Promise<void> {
  made.drainMs = config.http.drainSeconds * 1000;
  await listen(nest.getHttpServer(), config.http.port, config.http.host).catch((error: unknown) => {
    delete made.drainMs;
    throw cannotListen(error, config.http);
  });
}

/**
 * Everything up to listening. It takes no signals, prints nothing, and never ends the process.
 * @throws ConfigError with everything that is wrong with settings and extensions; DomainError for what else an operator
 * can correct
 */
export async function createService(given: GatehouseOptions): Promise<Gatehouse> {
  const made: Made = {};
  const stop = new AbortController();
  try {
    const prepared = await prepare(made, stop.signal, await readSettings(given));
    return {
      app: prepared.application.nest,
      url: prepared.config.issuer.publicUrl,
      handler: handlerOf(prepared.application.nest),
      start: () => listenWith(made, prepared),
      stop: () => undo(made),
    };
  } catch (error) {
    await undo(made);
    throw error;
  }
}

/**
 * Loading code keeps the event loop from signals. The first turn may begin behind its poll phase; the second does not.
 */
async function takeSignals(stop: AbortSignal): Promise<void> {
  await nextTurn();
  await nextTurn();
  stop.throwIfAborted();
}

/** The parts that the process does not need in order to read its settings and to start its database. */
export async function loadApplication(): Promise<typeof import('../application.js')> {
  return import('../application.js');
}

/** Ends without failing a request, and in bounded time. Never rejects. */
async function undo(made: Made): Promise<void> {
  const { application, database, drainMs = 0, link, supervisor } = made;
  if (supervisor) {
    const limitMs = drainMs + LAST_REQUESTS_MS + 3 * STOP_LIMIT_MS;
    await within(limitMs + STOP_LIMIT_MS, 'the workers', made, supervisor.stop(limitMs));
  }
  if (application && made.drainMs !== undefined) {
    const server = application.nest.getHttpServer();
    const limits = { limitMs: LAST_REQUESTS_MS, delayMs: link?.isRetired ? HANDOVER_MS : drainMs };
    // The service goes on where another worker takes over: a load balancer need not know.
    if (!link?.isRetired) application.readiness.drain();
    await within(
      limits.delayMs + LAST_REQUESTS_MS + STOP_LIMIT_MS,
      'the last requests',
      made,
      drain(server, { ...limits, accepts: !link?.isRetired }),
    );
  }
  if (link) await within(STOP_LIMIT_MS, 'the supervisor', made, link.sayGoodbye());
  await within(
    STOP_LIMIT_MS,
    'the database',
    made,
    (async () => {
      await application?.nest.close();
      await database?.stop();
    })(),
  );
}

/**
 * Waits for a step of the stop, but not longer than `limitMs`: what it has not done by then, the end of the process
 * does.
 */
async function within(limitMs: number, what: string, made: Made, step: Promise<void>): Promise<void> {
  try {
    const isDone = await Promise.race([step.then(() => true), sleep(limitMs, false)]);
    if (!isDone)
      logOf(made)?.warn({ waitingFor: what, seconds: limitMs / 1000 }, 'the process ends without waiting any longer');
  } catch (error) {
    logOf(made)?.error({ err: error, waitingFor: what }, 'a step of the stop failed');
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** The error in words for the operator. */
function cannotListen(error: unknown, { host, port }: HttpConfig): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) return error;
  const why = code === 'EADDRINUSE' ? 'the port is already in use by another process' : code;
  return new DomainError(
    'FailedPrecondition',
    'http.cannot_listen',
    `The service cannot listen on ${host} port ${port}: ${why}. Change PORT or HOST.`,
    { cause: error },
  );
}

function logOf({ application, supervisor }: Made): Logger | undefined {
  return application?.log ?? supervisor?.log;
}

/** Ends the process after a defect that leaves it in an unknown state. */
function endAtOnce(made: Made, error: unknown): void {
  const log = logOf(made);
  if (!log) return fail(error);
  log.error({ err: error }, 'defect of the process: it ends');
  process.exit(1);
}

/** Reports in a sentence what an operator can mend; anything else is a defect and shows where it happened. */
function fail(error: unknown): never {
  const expected = error instanceof ConfigError || error instanceof DomainError;
  const text = error instanceof Error ? (expected ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
