import { DomainError } from '../error/domain-error.js';

type Trace = typeof import('@opentelemetry/sdk-trace');
type Metrics = typeof import('@opentelemetry/sdk-metrics');

/** What an operator installs beside Gatehouse, in the versions of `peerDependencies`. */
export const OFFICIAL_PACKAGES = {
  '@opentelemetry/exporter-metrics-otlp-proto': '^0.301.0',
  '@opentelemetry/exporter-trace-otlp-proto': '^0.301.1',
  '@opentelemetry/resources': '^3.1.1',
  '@opentelemetry/sdk-metrics': '^3.1.1',
  '@opentelemetry/sdk-trace': '^3.1.1',
} as const;

/** The official packages, of which nothing is loaded before this is asked for. */
export interface OfficialPackages {
  readonly api: typeof import('@opentelemetry/api');
  readonly trace: Trace;
  readonly metrics: Metrics;
  readonly resourceFromAttributes: typeof import('@opentelemetry/resources')['resourceFromAttributes'];
  readonly TraceExporter: typeof import('@opentelemetry/exporter-trace-otlp-proto')['OTLPTraceExporter'];
  readonly MetricExporter: typeof import('@opentelemetry/exporter-metrics-otlp-proto')['OTLPMetricExporter'];
}

/** @throws DomainError FailedPrecondition `telemetry.package_missing`, which says what to install */
export async function loadOfficialPackages(): Promise<OfficialPackages> {
  try {
    const [api, trace, metrics, { resourceFromAttributes }, traceExporter, metricExporter] = await Promise.all([
      import('@opentelemetry/api'), // a part of Gatehouse, since the metrics need it as well
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/exporter-metrics-otlp-proto'),
    ]);
    const [{ OTLPTraceExporter }, { OTLPMetricExporter }] = [traceExporter, metricExporter];
    return {
      api,
      trace,
      metrics,
      resourceFromAttributes,
      TraceExporter: OTLPTraceExporter,
      MetricExporter: OTLPMetricExporter,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const names = Object.entries(OFFICIAL_PACKAGES).map(([name, version]) => `${name}@${version}`);
    throw new DomainError(
      'FailedPrecondition',
      'telemetry.package_missing',
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, and the packages of OpenTelemetry are not there. Run "npm install ${names.join(' ')}", or remove the setting.`,
      { cause: error },
    );
  }
}
