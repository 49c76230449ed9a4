import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { type ServiceProcess, startProcess } from '../support/service-process.js';
import { type Shown, whatIsShown } from './what-is-shown.js';

const ROOT = new URL('../../', import.meta.url);
const COMMITTED = readFileSync(new URL('openapi.json', ROOT), 'utf8');
const REFERENCE = '#/components/schemas/';
const LIMIT_MS = 120_000;

/** The package and the image are looked at where the package is made (test/extension/package.e2e-spec.ts). */
describe.each([
  ['npm start', new URL('scripts/start.mjs', ROOT)],
  ['node dist/main.js', new URL('dist/main.js', ROOT)],
])('The service as %s starts it, beside the same sources file by file,', (_, program) => {
  let services: ServiceProcess[];
  let shipped: Shown;
  let plain: Shown;

  beforeAll(async () => {
    const started = await Promise.all([program, new URL('./by-file.mjs', import.meta.url)].map(startAndLook));
    services = started.map(([service]) => service);
    [shipped, plain] = started.map(([, shown]) => shown) as [Shown, Shown];
  }, LIMIT_MS);
  afterAll(() => Promise.all(services.map((service) => service.close())));

  it('serves the committed openapi.json, byte for byte', () => {
    expect(shipped.document === COMMITTED).toBe(true);
    expect(shipped.yamlIsTheSame).toBe(true);
  });

  it('refers to no schema that is not there, and has none without a name', () => {
    const { components } = JSON.parse(shipped.document) as { components: { schemas: Record<string, unknown> } };
    const names = new Set(Object.keys(components.schemas));
    const found = [...shipped.document.matchAll(/"\$ref": "([^"]*)"/g)].map(([, reference]) => reference!);
    expect(found.length).toBeGreaterThan(5_000);
    const wrong = found.filter((one) => one.startsWith(REFERENCE) && !names.has(one.slice(REFERENCE.length)));
    expect([wrong, names.has('')]).toEqual([[], false]);
  });

  it.each(['reference', 'grpc', 'metrics', 'answers'] as const)('shows the same: %s', (part) => {
    expect(shipped[part].length ?? Object.keys(shipped[part]).length).toBeGreaterThan(15);
    expect(shipped[part]).toEqual(plain[part]);
  });
});

async function startAndLook(program: URL): Promise<[ServiceProcess, Shown]> {
  const metricsPort = String(await freePort());
  const service = await startProcess({ METRICS_PORT: metricsPort }, program);
  return [service, await whatIsShown(service, metricsPort)];
}
