import { SAMPLERS, TelemetryConfig } from './config.js';
import type { EnvironmentReader } from './environment.js';
import type { Secret } from './secret.js';

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const MINUTE_MS = 60_000;
const QUEUE_SIZES = { from: 1, to: 65_536 };
const INTERVALS_MS = { from: 100, to: 60 * MINUTE_MS };
/** A value of OTEL_RESOURCE_ATTRIBUTES or OTEL_EXPORTER_OTLP_HEADERS. */
const PAIR = /^([^=\s]+)=(.*)$/;

/**
 * The settings of OpenTelemetry that Gatehouse acts on itself, with the defaults that its specification gives them. The
 * exporters read further ones, such as those for compression and certificates.
 */
export function readTelemetry(env: EnvironmentReader, workers: number): TelemetryConfig {
  const endpoint = readAddress(env, ENDPOINT);
  const isOff = env.text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || endpoint === undefined;
  const urlOf = (signal: 'TRACES' | 'METRICS', path: string): string | undefined => {
    const exporter = env.oneOf(`OTEL_${signal}_EXPORTER`, ['otlp', 'none']);
    const name = `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`;
    const own = readAddress(env, name);
    if (own !== undefined && endpoint === undefined)
      env.mistake(`${name} is for one of the signals that ${ENDPOINT} turns on, which is missing.`);
    if (isOff || exporter === 'none') return undefined;
    return own ?? `${endpoint.replace(/\/$/, '')}/${path}`;
  };
  const protocol = env.text('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol !== undefined && protocol !== 'http/protobuf')
    env.mistake(
      `OTEL_EXPORTER_OTLP_PROTOCOL is "${protocol}". Give http/protobuf, which collectors take on port 4318.`,
    );
  const maxQueueSize = env.whole('OTEL_BSP_MAX_QUEUE_SIZE', QUEUE_SIZES) ?? 2_048;
  const maxExportBatchSize = env.whole('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', QUEUE_SIZES) ?? 512;
  return Object.assign(new TelemetryConfig(), {
    tracesUrl: urlOf('TRACES', 'v1/traces'),
    metricsUrl: urlOf('METRICS', 'v1/metrics'),
    headers: readHeaders(env),
    resource: readResource(env),
    sampler: env.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS) ?? 'parentbased_always_on',
    sampledRatio: readRatio(env),
    metricIntervalMs: env.whole('OTEL_METRIC_EXPORT_INTERVAL', INTERVALS_MS) ?? MINUTE_MS,
    queue: { maxQueueSize, maxExportBatchSize: Math.min(maxExportBatchSize, maxQueueSize) },
    queueDelayMs: env.whole('OTEL_BSP_SCHEDULE_DELAY', INTERVALS_MS) ?? 5_000,
    timeoutMs: env.whole('OTEL_EXPORTER_OTLP_TIMEOUT', INTERVALS_MS) ?? 10_000,
    isShared: workers > 1,
  });
}

function readAddress(env: EnvironmentReader, name: string): string | undefined {
  const text = env.text(name);
  if (text === undefined) return undefined;
  if (/^https?:\/\/[^/]/.test(text) && URL.canParse(text)) return text;
  env.mistake(`${name} is not an http or https URL. Give the address of a collector, such as http://collector:4318.`);
  return undefined;
}

/** What they hold may be a key, and is in no message. */
function readHeaders(env: EnvironmentReader): Secret | undefined {
  const headers = env.secret('OTEL_EXPORTER_OTLP_HEADERS');
  if (headers && !toPairs(headers.reveal()))
    env.mistake(
      'OTEL_EXPORTER_OTLP_HEADERS is malformed. Give key=value, comma-separated, with values percent-encoded.',
    );
  return headers;
}

function readResource(env: EnvironmentReader): Readonly<Record<string, string>> {
  const given = toPairs(env.text('OTEL_RESOURCE_ATTRIBUTES') ?? '');
  if (!given)
    env.mistake('OTEL_RESOURCE_ATTRIBUTES is malformed. Give key=value, comma-separated, with values percent-encoded.');
  const name = env.text('OTEL_SERVICE_NAME');
  return { 'service.name': 'gatehouse', ...given, ...(name !== undefined && { 'service.name': name }) };
}

function readRatio(env: EnvironmentReader): number {
  const text = env.text('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const ratio = /^\d{1,6}(\.\d{1,12})?$/.test(text) ? Number(text) : Number.NaN;
  if (ratio <= 1) return ratio;
  env.mistake(`OTEL_TRACES_SAMPLER_ARG is "${text}". Give the part of traces that is reported, from 0 to 1.`);
  return 1;
}

/** `key=value,key2=value2` with percent-encoded values, as the W3C's Baggage has them; undefined if malformed. */
export function toPairs(text: string): Readonly<Record<string, string>> | undefined {
  const pairs: Array<readonly [string, string]> = [];
  for (const entry of text.split(',').filter((one) => one.trim() !== '')) {
    const [, key, value] = PAIR.exec(entry.trim()) ?? [];
    if (key === undefined || value === undefined) return undefined;
    try {
      pairs.push([decodeURIComponent(key), decodeURIComponent(value.trim())]);
    } catch {
      return undefined;
    }
  }
  return Object.fromEntries(pairs);
}
