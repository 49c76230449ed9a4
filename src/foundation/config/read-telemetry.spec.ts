import { describe, expect, it } from '@jest/globals';
import type { TelemetryConfig } from './config.js';
import { EnvironmentReader } from './environment.js';
import { readTelemetry } from './read-telemetry.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

function read(
  environment: Record<string, string>,
  workers = 1,
): { telemetry: TelemetryConfig; mistakes: readonly string[] } {
  const env = new EnvironmentReader(environment, () => 'x-key=planted-key');
  return { telemetry: readTelemetry(env, workers), mistakes: env.mistakes };
}

describe('The settings of OpenTelemetry', () => {
  it('are off without OTEL_EXPORTER_OTLP_ENDPOINT, whatever else is set', () => {
    expect(read({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' }).telemetry.isOn).toBe(false);
  });

  it('need nothing besides', () => {
    const { telemetry, mistakes } = read(ENDPOINT);
    expect(telemetry).toMatchObject({
      tracesUrl: 'http://collector:4318/v1/traces',
      metricsUrl: 'http://collector:4318/v1/metrics',
      resource: { 'service.name': 'gatehouse' },
      sampler: 'parentbased_always_on',
      metricIntervalMs: 60_000,
    });
    expect([telemetry.isOn, mistakes]).toEqual([true, []]);
  });

  it('turn off all, or one signal, and send one of them elsewhere', () => {
    expect(read({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }).telemetry.isOn).toBe(false);
    expect(read({ ...ENDPOINT, OTEL_METRICS_EXPORTER: 'none' }).telemetry.metricsUrl).toBeUndefined();
    const { telemetry } = read({ ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.test/v1/all' });
    expect(telemetry).toMatchObject({
      tracesUrl: 'https://traces.test/v1/all',
      metricsUrl: 'http://collector:4318/v1/metrics',
    });
  });

  it('take the headers of a file, as other secrets, and print none of them', () => {
    const { telemetry } = read({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS_FILE: '/run/secrets/otlp' });
    expect(telemetry.headers?.reveal()).toBe('x-key=planted-key');
    expect(JSON.stringify(telemetry)).not.toContain('planted');
    expect(read({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'planted' }).mistakes.join()).not.toContain('planted');
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no pair'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '1'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0'],
  ])('report %s=%s as a mistake', (name, value) => {
    expect(read({ ...ENDPOINT, [name]: value }).mistakes).toEqual([expect.stringContaining(name)]);
  });

  it('report an endpoint of one signal that turns on nothing', () => {
    expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://x.test' }).mistakes).toHaveLength(1);
  });
});
