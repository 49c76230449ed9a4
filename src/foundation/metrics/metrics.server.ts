import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction } from 'express';
import type { Registry } from 'prom-client';
import { HttpConfig } from '../config/config.js';
import { knownMethodOf, routeOf } from '../http/request-labels.js';
import { Logger } from '../log/logger.js';
import { type Figure, publish } from './figure.js';
import { MetricsListener } from './metrics-listener.js';
import type { Snapshot } from './snapshot.js';

export type Measure = (request: ExpressRequest, response: ExpressResponse, next: NextFunction) => void;

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Prometheus metrics, on a port of their own that is not for the public. Off, it costs nothing. */
@Injectable()
export class MetricsServer implements OnApplicationShutdown {
  private listener: MetricsListener | undefined;
  private registry: Registry | undefined;

  constructor(
    private readonly config: HttpConfig,
    private readonly log: Logger,
  ) {}

  /**
   * Listens on METRICS_PORT, unless the supervisor of this process does, and answers what measures each request;
   * undefined without that setting.
   * @throws DomainError FailedPrecondition `metrics.port_unusable`
   */
  async start(): Promise<Measure | undefined> {
    const { isMeasured, metricsPort, metricsHost } = this.config;
    if (!isMeasured) return undefined;
    const { Histogram, Registry, collectDefaultMetrics } = await import('prom-client');
    const registry = new Registry();
    this.registry = registry;
    collectDefaultMetrics({ register: registry });
    const duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the request headers to the end of the response, by route template.',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS_SECONDS,
      registers: [registry],
    });
    if (metricsPort !== undefined)
      this.listener = await MetricsListener.open(metricsPort, metricsHost, this.log, () => registry.metrics());
    return (request, response, next) => {
      const end = duration.startTimer();
      response.once('close', () => {
        const [method, route] = [knownMethodOf(request) ?? 'other', routeOf(request) ?? 'unmatched'];
        end({ method, route, status: response.statusCode });
      });
      next();
    };
  }

  /** Offers further metrics, if METRICS_PORT is set. */
  async offer(figures: readonly Figure[]): Promise<void> {
    if (this.registry) await publish(figures, this.registry);
  }

  /** A further histogram of durations: what takes their seconds, or undefined if nothing is measured. */
  async offerDuration<Labels extends object>({
    name,
    help,
    labels,
  }: {
    readonly name: string;
    readonly help: string;
    readonly labels: ReadonlyArray<keyof Labels & string>;
  }): Promise<((of: Labels, seconds: number) => void) | undefined> {
    if (!this.registry) return undefined;
    const { Histogram } = await import('prom-client');
    const histogram = new Histogram({
      name,
      help,
      labelNames: [...labels],
      buckets: DURATION_BUCKETS_SECONDS,
      registers: [this.registry],
    });
    return (of, seconds) => histogram.observe({ ...of }, seconds);
  }

  /** The figures for the supervisor of this process; empty if nothing is measured. */
  async snapshot(): Promise<Snapshot> {
    return (await this.registry?.getMetricsAsJSON()) ?? [];
  }

  async onApplicationShutdown(): Promise<void> {
    await this.listener?.close();
  }
}
