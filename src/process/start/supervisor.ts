import { fileURLToPath } from 'node:url';
import type { Config } from '../../foundation/config/config.js';
import { Logger } from '../../foundation/log/logger.js';
import { publish } from '../../foundation/metrics/figure.js';
import { MetricsListener } from '../../foundation/metrics/metrics-listener.js';
import { toText } from '../../foundation/metrics/snapshot.js';
import { sendMetrics } from '../../foundation/telemetry/telemetry.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/index.js';
import { Crew } from '../worker/crew.js';

/** How this process was started. */
export interface Begun {
  /** In milliseconds since 1970. */
  readonly sinceMs: number;
  /** Whether a program of one's own has added extensions or settings. */
  readonly isExtended: boolean;
}

/**
 * Runs several processes of the service behind one port, and what there is only once: the embedded PostgreSQL and the
 * port of the metrics (docs/adr/0051).
 */
export class Supervisor {
  readonly log: Logger;
  private crew: Crew | undefined;
  private database: EmbeddedPostgres | undefined;
  private metrics: MetricsListener | undefined;
  private sent: { stop(): Promise<void> } | undefined;

  constructor(
    private readonly config: Config,
    private readonly begun: Begun,
  ) {
    this.log = new Logger(config.log);
  }

  /** Settles when the first worker serves. @param stop gives up the start */
  async start(stop: AbortSignal): Promise<void> {
    const { database, workers } = this.config;
    if (!database.url) this.database = await startEmbeddedPostgres({ dataDir: database.dataDir, signal: stop });
    const embedded = this.database && { connection: this.database.connection, version: this.database.version };
    this.crew = new Crew(
      {
        // A program of one's own has the extensions; ours may have been started by one that only prepares.
        ...(this.begun.isExtended ? {} : { program: fileURLToPath(new URL('../../main.js', import.meta.url)) }),
        size: workers,
        orders: { sinceMs: this.begun.sinceMs, ...(embedded && { embedded }) },
      },
      this.log,
    );
    process.on('SIGHUP', () => void this.replaceAll());
    await this.offerMetrics(this.crew);
    stop.throwIfAborted();
    const giveUp = (): void => this.crew?.dismiss();
    stop.addEventListener('abort', giveUp);
    await this.crew.start().finally(() => stop.removeEventListener('abort', giveUp));
  }

  /** Rejects when the workers do not stay. Only once it has started. */
  get lost(): Promise<never> {
    return this.crew!.lost;
  }

  /** @param limitMs what the workers may take to end */
  async stop(limitMs: number): Promise<void> {
    await this.crew?.stop(limitMs);
    await this.metrics?.close();
    await this.sent?.stop();
    await this.database?.stop();
  }

  private async replaceAll(): Promise<void> {
    this.log.info('SIGHUP: the workers are replaced one after another');
    await this.crew!.replaceAll();
  }

  private async offerMetrics(crew: Crew): Promise<void> {
    const { metricsPort, metricsHost, isMeasured } = this.config.http;
    if (!isMeasured) return;
    const { Registry } = await import('prom-client');
    const own = new Registry();
    await publish(crew.figures(), own);
    const { telemetry } = this.config;
    // Workers send their own figures.
    if (telemetry.metricsUrl !== undefined)
      this.sent = await sendMetrics(telemetry, this.log, async () => own.getMetricsAsJSON());
    if (metricsPort === undefined) return;
    this.metrics = await MetricsListener.open(metricsPort, metricsHost, this.log, async () =>
      toText([await crew.count(), await own.getMetricsAsJSON()]),
    );
  }
}
