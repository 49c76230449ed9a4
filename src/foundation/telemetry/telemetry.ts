import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Resource } from '@opentelemetry/resources';
import { TelemetryConfig } from '../config/config.js';
import { readVersion } from '../config/version.js';
import { Logger } from '../log/logger.js';
import { MetricsServer } from '../metrics/metrics.server.js';
import type { Snapshot } from '../metrics/snapshot.js';
import { Tracer } from '../trace/tracer.js';
import { CollectorWatch } from './collector-watch.js';
import { loadOfficialPackages, type OfficialPackages } from './official-packages.js';
import { OtlpMetrics } from './otlp-metrics.js';
import { OtlpSpans } from './otlp-spans.js';

/** How long a stopping process waits for a collector: a part of what its stop may take. */
const LAST_EXPORT_MS = 2_000;

interface Sender {
  stop(): Promise<void>;
}

/** Sends traces and metrics to a collector, by the official packages of OpenTelemetry. Off, it loads nothing. */
@Injectable()
export class Telemetry implements OnApplicationShutdown {
  private senders: readonly Sender[] = [];

  constructor(
    private readonly config: TelemetryConfig,
    private readonly log: Logger,
    private readonly tracer: Tracer,
    private readonly metrics: MetricsServer,
  ) {}

  /**
   * After the metrics have started.
   * @throws DomainError FailedPrecondition `telemetry.package_missing`
   */
  async start(): Promise<void> {
    const { config } = this;
    if (!config.isOn) return;
    const packages = await loadOfficialPackages();
    const [resource, watch] = [resourceOf(packages, config), new CollectorWatch(this.log)];
    const read = async (): Promise<Snapshot> => this.metrics.snapshot();
    const spans = config.tracesUrl === undefined ? [] : [OtlpSpans.to(packages, config, resource, watch)];
    const figures =
      config.metricsUrl === undefined ? [] : [OtlpMetrics.to(packages, config, resource, { watch, read })];
    this.senders = [...spans, ...figures];
    this.tracer.use(spans[0]);
  }

  async onApplicationShutdown(): Promise<void> {
    this.tracer.use(undefined);
    await stopInTime(this.senders);
  }
}

/**
 * Sends the metrics of a process that serves nothing itself.
 * @throws DomainError FailedPrecondition `telemetry.package_missing`
 */
export async function sendMetrics(
  config: TelemetryConfig,
  log: Logger,
  read: () => Promise<Snapshot>,
): Promise<Sender> {
  const packages = await loadOfficialPackages();
  const resource = resourceOf(packages, config);
  const metrics = OtlpMetrics.to(packages, config, resource, { watch: new CollectorWatch(log), read });
  return { stop: async () => stopInTime([metrics]) };
}

async function stopInTime(senders: readonly Sender[]): Promise<void> {
  if (senders.length === 0) return;
  const stop = new AbortController();
  // A collector that is away has been reported.
  const stopped = Promise.allSettled(senders.map(async (sender) => sender.stop()));
  await Promise.race([stopped, sleep(LAST_EXPORT_MS, undefined, { signal: stop.signal }).catch(() => undefined)]);
  stop.abort();
}

/** Each process is an instance of its own, also where several have the same settings. */
function resourceOf({ resourceFromAttributes }: OfficialPackages, { resource, isShared }: TelemetryConfig): Resource {
  const given = resource['service.instance.id'];
  const instance = given === undefined ? randomUUID() : isShared ? `${given}-${process.pid}` : given;
  return resourceFromAttributes({ 'service.version': readVersion(), ...resource, 'service.instance.id': instance });
}
