import { createServer, type Server } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Registry } from 'prom-client';
import { HttpConfig } from '../config/config.js';
import { DomainError } from '../error/domain-error.js';
import { guard } from '../http/front-door.js';
import { listen } from '../http/listener.js';
import { Logger } from '../log/logger.js';
import { type Figure, publish } from './figure.js';

export type Measure = (request: Request, response: Response, next: NextFunction) => void;

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Whatever a stranger writes into the request line becomes one label (OPS-011). */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Prometheus metrics, on a port of their own that is not for the public. Off, it costs nothing. */
@Injectable()
export class MetricsServer implements OnApplicationShutdown {
  private server: Server | undefined;
  private registry: Registry | undefined;

  constructor(
    private readonly config: HttpConfig,
    private readonly log: Logger,
  ) {}

  /**
   * Listens on METRICS_PORT and answers what measures each request, or undefined without that setting.
   * @throws DomainError FailedPrecondition `metrics.port_unusable`
   */
  async start(): Promise<Measure | undefined> {
    const { metricsPort, metricsHost } = this.config;
    if (metricsPort === undefined) return undefined;
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
    this.server = serve(registry);
    guard(this.server, this.log);
    await listen(this.server, metricsPort, metricsHost).catch((error: Error) => {
      throw new DomainError(
        'FailedPrecondition',
        'metrics.port_unusable',
        `METRICS_PORT ${metricsPort} cannot be used (${error.message}). Give another port, or stop the program that uses it.`,
        { cause: error },
      );
    });
    return (request, response, next) => {
      const end = duration.startTimer();
      response.once('close', () => {
        const method = METHODS.has(request.method) ? request.method : 'other';
        end({ method, route: routeOf(request), status: response.statusCode });
      });
      next();
    };
  }

  /** Offers further metrics, if METRICS_PORT is set. */
  async offer(figures: readonly Figure[]): Promise<void> {
    if (this.registry) await publish(figures, this.registry);
  }

  async onApplicationShutdown(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise<void>((resolve) => (this.server ? this.server.close(() => resolve()) : resolve()));
  }
}

function routeOf(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : 'unmatched';
}

function serve(registry: Registry): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}
