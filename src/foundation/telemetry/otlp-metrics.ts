import type { Resource } from '@opentelemetry/resources';
import type { DataPoint, Histogram, MetricData, MetricProducer, MetricReader } from '@opentelemetry/sdk-metrics';
import type { TelemetryConfig } from '../config/config.js';
import { readVersion } from '../config/version.js';
import type { Snapshot } from '../metrics/snapshot.js';
import type { CollectorWatch } from './collector-watch.js';
import { exporterOptions } from './exporter-options.js';
import type { OfficialPackages } from './official-packages.js';

type Metric = Snapshot[number];
type HrTime = DataPoint<number>['startTime'];

/** Sends the figures that Prometheus can read, under the same names: they are defined once. */
export class OtlpMetrics {
  private constructor(private readonly reader: MetricReader) {}

  /** Only if metrics are sent anywhere. */
  static to(
    packages: OfficialPackages,
    config: TelemetryConfig,
    resource: Resource,
    source: { readonly watch: CollectorWatch; readonly read: () => Promise<Snapshot> },
  ): OtlpMetrics {
    const exporter = new packages.MetricExporter(exporterOptions(config.metricsUrl!, config));
    const reader = new packages.metrics.PeriodicExportingMetricReader({
      exporter: source.watch.watch(exporter),
      exportIntervalMillis: config.metricIntervalMs,
      exportTimeoutMillis: Math.min(config.metricIntervalMs, config.timeoutMs),
    });
    reader.setMetricProducer(producerOf(packages, resource, source.read));
    return new OtlpMetrics(reader);
  }

  /** Sends them once more. */
  async stop(): Promise<void> {
    await this.reader.shutdown();
  }
}

function producerOf(packages: OfficialPackages, resource: Resource, read: () => Promise<Snapshot>): MetricProducer {
  const scope = { name: 'gatehouse', version: readVersion() };
  const startTime = hrTime(performance.timeOrigin);
  return {
    collect: async () => {
      const endTime = hrTime(performance.timeOrigin + performance.now());
      const metrics = (await read()).flatMap((metric) => toMetricData(packages, metric, { startTime, endTime }));
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
    },
  };
}

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** A metric of Prometheus as OTLP has it; none for a kind that only Prometheus has. */
export function toMetricData({ api, metrics }: OfficialPackages, metric: Metric, times: Times): MetricData[] {
  const { AggregationTemporality, DataPointType } = metrics;
  const base = {
    descriptor: { name: metric.name, description: metric.help, unit: '', valueType: api.ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const numbers = (): Array<DataPoint<number>> =>
    metric.values.map(({ labels, value }) => ({ ...times, attributes: toAttributes(labels), value }));
  switch (String(metric.type)) {
    case 'counter':
      return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers() }];
    case 'gauge':
      return [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints: numbers() }];
    case 'histogram':
      return [{ ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: toHistograms(metric, times) }];
    default:
      return [];
  }
}

type Labels = Readonly<Record<string, string | number | undefined>>;

/** Prometheus counts each bucket with all below it; OTLP counts each by itself. */
function toHistograms({ name, values }: Metric, times: Times): Array<DataPoint<Histogram>> {
  const series = new Map<
    string,
    { labels: Labels; boundaries: number[]; upTo: number[]; sum: number; count: number }
  >();
  for (const entry of values) {
    const { metricName, value } = entry as typeof entry & { readonly metricName?: string };
    const { le, ...labels } = entry.labels as Labels;
    const key = JSON.stringify(Object.entries(labels).sort());
    const found = series.get(key) ?? { labels, boundaries: [], upTo: [], sum: 0, count: 0 };
    series.set(key, found);
    if (metricName === `${name}_sum`) found.sum = value;
    else if (metricName === `${name}_count`) found.count = value;
    else {
      found.upTo.push(value);
      if (le !== '+Inf') found.boundaries.push(Number(le));
    }
  }
  return [...series.values()].map(({ labels, boundaries, upTo, sum, count }) => {
    const counts = upTo.map((below, place) => below - (upTo[place - 1] ?? 0));
    return { ...times, attributes: toAttributes(labels), value: { buckets: { boundaries, counts }, sum, count } };
  });
}

function toAttributes(labels: object): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.floor((milliseconds - seconds * 1000) * 1e6)];
}
