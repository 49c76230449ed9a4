import 'reflect-metadata';
import { ApplicationConfig, ModulesContainer, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { LazyGrpcServer } from '../admin/kit/grpc/lazy-grpc-server.js';
import { answerProcedures } from '../admin/kit/grpc/procedures.js';
import { readWordedPath } from '../admin/kit/wire/worded-path.js';
import { AppModule, type Machine } from '../app.module.js';
import { ApiDocument } from '../docs/api-document.js';
import type { Config } from '../foundation/config/config.js';
import { ConfigError } from '../foundation/config/environment.js';
import type { ConnectionSettings } from '../foundation/database/connection-settings.js';
import { Database } from '../foundation/database/database.js';
import { EventDispatcher } from '../foundation/event/event-dispatcher.js';
import { EventLagWatch } from '../foundation/event/event-lag-watch.js';
import type { Extension } from '../foundation/extension/extension.js';
import { type ExtensionsInUse, NO_EXTENSIONS } from '../foundation/extension/extensions.module.js';
import { globalMistakes } from '../foundation/extension/global-reach.js';
import { watchInit } from '../foundation/extension/init-watch.js';
import { explainedFailure } from '../foundation/extension/nest-failure.js';
import { Readiness } from '../foundation/health/readiness.js';
import { keepCertificate } from '../foundation/http/client-certificate.js';
import { hideClosedPaths } from '../foundation/http/closed-paths.js';
import { openToAllOrigins } from '../foundation/http/cors.js';
import { ExpressServerAdapter } from '../foundation/http/express-server.js';
import { guard } from '../foundation/http/front-door.js';
import { takeHttp2 } from '../foundation/http/http2.js';
import { inOrder } from '../foundation/http/in-order.js';
import { answerPrepared } from '../foundation/http/prepared.js';
import { keepAddress } from '../foundation/http/request.js';
import { readAbsoluteTargets, refuseUnreadableTarget } from '../foundation/http/request-target.js';
import { RouteTable } from '../foundation/http/route-table.js';
import { securityHeaderList, securityHeaders } from '../foundation/http/security-headers.js';
import { answerUnreadable } from '../foundation/http/unreadable.js';
import { Logger } from '../foundation/log/logger.js';
import { type Measure, MetricsServer } from '../foundation/metrics/metrics.server.js';
import type { Snapshot } from '../foundation/metrics/snapshot.js';
import { loadOfficialPackages } from '../foundation/telemetry/official-packages.js';
import { Telemetry } from '../foundation/telemetry/telemetry.js';
import { traceRequests } from '../foundation/telemetry/traced-requests.js';
import { Clock } from '../foundation/time/clock.js';
import { Timeouts } from '../foundation/time/timeouts.js';
import { Tracer } from '../foundation/trace/tracer.js';
import { MailWorker } from '../mail/mail-worker.js';
import { Metadata } from '../oidc/discovery/metadata.js';
import { endpointsOfBrowsers } from '../oidc/oidc.paths.js';
import { Urn } from '../token/claims/urn.js';
import { KeyService } from '../token/key/key.service.js';
import { LogoutWorker } from '../token/logout/logout-worker.js';
import { PasskeyService } from '../user/factor/passkey.service.js';
import { WebhookWorker } from '../webhook/webhook-worker.js';
import { DemoServer } from './demo/demo.server.js';
import { figuresOf, measureParts } from './figures.js';
import { HousekeepingService } from './housekeeping/housekeeping.service.js';
import { partMistakes } from './part-mistakes.js';
import { ExtensionRegister } from './setup/extension-register.js';
import { writeFirstRunFiles } from './setup/first-run-files.js';
import { type FirstStart, FirstStartService } from './setup/first-start.service.js';
import { numberThisProcess } from './setup/process-number.js';
import { UnansweredFilter } from './unanswered.filter.js';

/** Whole requests are small and quick; a sender that drips them is cut off (OPS-004). */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 61_000;
const LIMITS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // How often Node looks for slow senders: its own 30 s would give them three times as long.
  connectionsCheckingInterval: 5_000,
};

export interface Application {
  readonly nest: NestExpressApplication;
  readonly readiness: Readiness;
  readonly log: Logger;
  readonly firstStart: FirstStart | undefined;
  /**
   * Sentences for the operator: extensions that the database knows and this process lacks, and listeners that may hear
   * nothing.
   */
  readonly warnings: readonly string[];
  /** The figures that METRICS_PORT offers, for the supervisor of several processes. */
  readonly readMetrics: () => Promise<Snapshot>;
}

/** The service, set up and ready to listen. Tests start the very same on a clock of theirs. */
export async function createApplication(
  config: Config,
  connection: ConnectionSettings,
  machine: Machine = {},
  extensions: ExtensionsInUse = NO_EXTENSIONS,
): Promise<Application> {
  if (config.telemetry.isOn) await loadOfficialPackages(); // what is missing is said before the database is touched
  const nest = await NestFactory.create<NestExpressApplication>(
    AppModule.of(config, connection, machine, extensions),
    new ExpressServerAdapter(LIMITS),
    {
      bodyParser: false, // each edge reads its own bodies, within its own limits
      abortOnError: false,
      logger: false, // what goes wrong during the start is thrown, and said once, by main
    },
  ).catch(async (error: unknown) => {
    throw await explainedFailure(error, extensions.extensions);
  });
  try {
    return await prepare(nest, config, extensions);
  } catch (error) {
    await nest.close();
    throw error;
  }
}

async function prepare(
  nest: NestExpressApplication,
  config: Config,
  { extensions }: ExtensionsInUse,
): Promise<Application> {
  nest.useLogger(nest.get(Logger));
  checkParts(nest);
  configureExpress(nest, config);
  const measure = await nest.get(MetricsServer).start();
  await nest.get(Telemetry).start();
  takeRequests(nest, config, measure);
  const tracer = nest.get(Tracer);
  takeConnections(nest, config, { isObserved: measure !== undefined || tracer.isOn });
  nest.get(ApiDocument).describe(nest);
  nest.getHttpServer().once('listening', () => void nest.get(DemoServer).start());
  await watchInit(nest.get(ModulesContainer), extensions, nest.get(Logger));
  await nest.init();
  checkReach(nest, extensions);
  await nest.get(MetricsServer).offer(figuresOf(nest));
  if (extensions.length > 0) await measureParts(nest);
  const firstStart = await setUp(nest, config);
  const warnings = [...(await nest.get(ExtensionRegister).enter(extensions)), ...nest.get(EventDispatcher).warnings()];
  await startWorkers(nest);
  const metrics = nest.get(MetricsServer);
  return {
    nest,
    readiness: nest.get(Readiness, { strict: false }),
    log: nest.get(Logger),
    firstStart,
    warnings,
    readMetrics: () => metrics.snapshot(),
  };
}

/**
 * Checks what parts of extensions say about themselves: this is known once they exist, and before anything listens.
 * @throws ConfigError with every mistake
 */
function checkParts(nest: NestExpressApplication): void {
  const mistakes = partMistakes(nest);
  if (mistakes.length > 0) throw new ConfigError(mistakes, 'extensions');
}

/**
 * Checks what extensions have registered for all routes while they were made.
 * @throws ConfigError with every mistake
 */
function checkReach(nest: NestExpressApplication, extensions: readonly Extension[]): void {
  if (extensions.length === 0) return;
  const own = new Set([nest.get(UnansweredFilter)]);
  const mistakes = globalMistakes(nest.get(ApplicationConfig, { strict: false }), own, extensions);
  if (mistakes.length > 0) throw new ConfigError(mistakes, 'extensions');
}

/** Stops Express from acting by itself: naming itself, comparing bodies, parsing queries, believing any proxy. */
function configureExpress(nest: NestExpressApplication, { http }: Config): void {
  nest.disable('x-powered-by');
  nest.disable('etag');
  nest.set('query parser', false);
  nest.set('trust proxy', http.trustedProxies.length > 0 ? [...http.trustedProxies] : false);
}

/**
 * The administrative API in JSON, for pages of any origin as over gRPC-web: no browser sends its token by itself
 * (ADM-037).
 */
const API = /^\/(?:(?:admin|auth|management)\/v1|assets|v2)\//i;
const API_METHODS = 'DELETE, GET, PATCH, POST, PUT';

/**
 * What every request passes before it reaches a controller, in this order: the address is kept while the sender is
 * still there, whatever is refused is traced, measured and has the security headers, and a target is readable before
 * anything looks at it.
 */
function takeRequests(nest: NestExpressApplication, { http, issuer }: Config, measure: Measure | undefined): void {
  const [{ orgHeader }, tracer] = [nest.get(Urn), nest.get(Tracer)];
  nest.use(
    inOrder([
      keepAddress,
      ...(http.certificateHeader === undefined ? [] : [keepCertificate(http, nest.get(Clock), nest.get(Logger))]),
      ...(tracer.isOn ? [traceRequests(tracer, issuer)] : []),
      ...(measure ? [measure] : []),
      securityHeaders(issuer.isHttps),
      refuseUnreadableTarget,
      readWordedPath(issuer.urnWord),
      hideClosedPaths(nest.get(RouteTable)),
      openToAllOrigins((path) => endpointsOfBrowsers.get(path)),
      openToAllOrigins((path) => (API.test(path) ? API_METHODS : undefined), [orgHeader, 'Prefer']),
      answerProcedures(nest.get(LazyGrpcServer), orgHeader),
    ]),
  );
  nest.useGlobalFilters(nest.get(UnansweredFilter));
}

/**
 * The listeners of the server: each puts itself before those that are there already. The guard comes last, because it
 * must see everything first.
 */
function takeConnections(
  nest: NestExpressApplication,
  { issuer }: Config,
  { isObserved }: { isObserved: boolean },
): void {
  const server = nest.getHttpServer();
  answerUnreadable(server);
  if (!isObserved) answerPrepared(server, nest.get(Metadata)); // measured or traced, every request goes through the application
  readAbsoluteTargets(server);
  const { unreadMs } = nest.get(Timeouts);
  takeHttp2(server, { prefaceMs: HEADERS_TIMEOUT_MS, requestMs: REQUEST_TIMEOUT_MS, idleMs: KEEP_ALIVE_MS, unreadMs });
  guard(server, nest.get(Logger), { headers: securityHeaderList(issuer.isHttps), unreadMs });
}

/** Ids need the number of the process, and the first start makes ids. */
async function setUp(nest: NestExpressApplication, config: Config): Promise<FirstStart | undefined> {
  await numberThisProcess(nest.get(Database));
  return nest.get(FirstStartService).run((made) => writeFirstRunFiles(made, config));
}

/** Starts what runs besides requests. Keys come first: nothing can be signed without them. */
async function startWorkers(nest: NestExpressApplication): Promise<void> {
  nest.get(KeyService).start();
  nest.get(HousekeepingService).start();
  const deliveries = [MailWorker, LogoutWorker, WebhookWorker].map((worker) => nest.get(worker, { strict: false }));
  void startInTurn(deliveries); // in the background
  await nest.get(PasskeyService, { strict: false }).reportState();
  await nest.get(EventDispatcher).start();
  nest.get(EventLagWatch).start();
}

/** Starts one after another: each looks for what is due, and together they would open a connection each. */
async function startInTurn(workers: ReadonlyArray<{ start(): Promise<void> }>): Promise<void> {
  for (const worker of workers) await worker.start();
}
