import { describe, expect, it } from '@jest/globals';
import { Counter, Histogram, Registry } from 'prom-client';
import { loadOfficialPackages } from './official-packages.js';
import { toMetricData } from './otlp-metrics.js';

const TIMES = { startTime: [1, 0], endTime: [2, 0] } as const;

async function sentOf(registry: Registry) {
  const packages = await loadOfficialPackages();
  const times = {
    startTime: [...TIMES.startTime] as [number, number],
    endTime: [...TIMES.endTime] as [number, number],
  };
  return (await registry.getMetricsAsJSON()).flatMap((metric) => toMetricData(packages, metric, times));
}

describe('A figure of Prometheus as it is sent', () => {
  it('is a sum that only grows, if it is a counter', async () => {
    const registry = new Registry();
    new Counter({ name: 'a_total', help: 'Of a.', labelNames: ['of'], registers: [registry] }).inc({ of: 'x' }, 3);
    expect(await sentOf(registry)).toMatchObject([
      {
        descriptor: { name: 'a_total', description: 'Of a.' },
        isMonotonic: true,
        aggregationTemporality: 1,
        dataPoints: [{ ...TIMES, attributes: { of: 'x' }, value: 3 }],
      },
    ]);
  });

  it('counts each bucket by itself, if it is a histogram, for each of its series', async () => {
    const registry = new Registry();
    const histogram = new Histogram({
      name: 'b_seconds',
      help: 'Of b.',
      labelNames: ['of'],
      buckets: [1, 2],
      registers: [registry],
    });
    for (const value of [0.5, 1.5, 1.6, 9]) histogram.observe({ of: 'x' }, value);
    histogram.observe({ of: 'y' }, 1.5);
    const [metric] = await sentOf(registry);
    expect(metric?.dataPoints).toMatchObject([
      { attributes: { of: 'x' }, value: { buckets: { boundaries: [1, 2], counts: [1, 2, 1] }, sum: 12.6, count: 4 } },
      { attributes: { of: 'y' }, value: { buckets: { boundaries: [1, 2], counts: [0, 1, 0] }, sum: 1.5, count: 1 } },
    ]);
  });
});
