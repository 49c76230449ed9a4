import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Collector } from '../support/collector.js';
import { freePort } from '../support/free-port.js';
import { send } from '../support/http.js';
import { Processes } from '../support/processes.js';

const ABSENT = new URL('./absent-packages.mjs', import.meta.url).href;
const PATH = '/admin/v1/text/default/message/init/en';

let collector: Collector;
const processes = new Processes(() => collector.settings);

beforeEach(async () => {
  collector = await Collector.open();
});
afterEach(async () => {
  await processes.end();
  await collector.close();
});

describe('The service as it ships, with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('sends spans and metrics, and what is left when it is told to stop', async () => {
    const service = await processes.start({ OTEL_BSP_SCHEDULE_DELAY: '60000' });
    await send(service.origin, { path: PATH });
    service.signal('SIGTERM');
    expect((await service.exit).code).toBe(0);
    expect(collector.spans.some(({ attributes }) => attributes['http.response.status_code'] === 401)).toBe(true);
    expect(collector.points.some(({ name }) => name === 'gatehouse_signing_key_age_seconds')).toBe(true);
  });

  it('does not start without the packages, and says which to install', async () => {
    const service = await processes.begin({ NODE_OPTIONS: `--import ${ABSENT}` });
    expect((await service.exit).code).toBe(1);
    expect(service.text()).toMatch(/npm install .*@opentelemetry\/sdk-trace@\^\d+.*or remove the setting/);
    expect(service.text()).not.toMatch(/ {4}at /);
  });

  it('needs none of them without the setting', async () => {
    const service = await processes.start({ NODE_OPTIONS: `--import ${ABSENT}`, OTEL_EXPORTER_OTLP_ENDPOINT: '' });
    expect((await send(service.origin, { path: '/health/live' })).status).toBe(200);
  });

  it('is an instance for each of several processes, and one for the figures of their supervisor', async () => {
    const service = await processes.start({ WORKERS: '2', OTEL_RESOURCE_ATTRIBUTES: 'service.instance.id=pod-1' });
    const instancesOf = (name: string): Set<unknown> =>
      new Set(
        collector.points.filter((one) => one.name === name).map(({ resource }) => resource['service.instance.id']),
      );
    for (let count = 0; count < 100 && instancesOf('process_cpu_seconds_total').size < 2; count += 1) {
      await send(service.origin, { path: PATH });
      await sleep(100);
    }
    const [workers, supervisor] = [instancesOf('process_cpu_seconds_total'), instancesOf('gatehouse_workers')];
    expect([...workers, ...supervisor].every((id) => /^pod-1-\d+$/.test(String(id)))).toBe(true);
    expect([workers.size, supervisor.size, new Set([...workers, ...supervisor]).size]).toEqual([2, 1, 3]);
  });

  it('keeps a bounded number of spans while the collector is away, and serves as before [OPS-058]', async () => {
    const away = `http://127.0.0.1:${await freePort()}`;
    const service = await processes.start({ OTEL_EXPORTER_OTLP_ENDPOINT: away, OTEL_BSP_MAX_QUEUE_SIZE: '100' });
    const before = service.peakMegabytes();
    for (let count = 0; count < 3_000; count += 1) await send(service.origin, { path: '/health/live' });
    expect(service.peakMegabytes() - before).toBeLessThan(60);
    expect(service.text().match(/collector of OpenTelemetry/g)).toHaveLength(1);
  }, 60_000);
});
