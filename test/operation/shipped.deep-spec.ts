import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceProcess } from '../support/service-process.js';
import { type Shown, startAndLook } from './what-is-shown.js';

const ROOT = new URL('../../', import.meta.url);
const COMMITTED = readFileSync(new URL('openapi.json', ROOT), 'utf8');
const REFERENCE = '#/components/schemas/';
const LIMIT_MS = 120_000;

let started: Array<readonly [ServiceProcess, Shown]>;

/** The package and the image are looked at where the package is made (test/extension/package.deep-spec.ts). */
const FORMS = [
  ['npm start', 'scripts/start.mjs'],
  ['node dist/main.js', 'dist/main.js'],
] as const;

beforeAll(async () => {
  const programs = ['test/operation/by-file.mjs', ...FORMS.map(([, program]) => program)];
  started = await Promise.all(programs.map((program) => startAndLook(new URL(program, ROOT))));
}, LIMIT_MS);
afterAll(() => Promise.all(started.map(([service]) => service.close())));

describe.each(FORMS)('The service as %s starts it', (form, _program) => {
  let plain: Shown;
  let shipped: Shown;

  beforeAll(() => {
    plain = started[0]![1];
    shipped = started[1 + FORMS.findIndex(([name]) => name === form)]![1];
  });

  it('serves the committed openapi.json, byte for byte', () => {
    const lines = COMMITTED.split('\n');
    expect(shipped.document.split('\n').filter((line, place) => line !== lines[place])).toEqual([]);
    expect(shipped.document).toHaveLength(COMMITTED.length);
    expect(shipped.yamlIsTheSame).toBe(true);
  });

  it('refers to no schema that is not there, and has none without a name', () => {
    const { components } = JSON.parse(shipped.document) as { components: { schemas: Record<string, unknown> } };
    const names = new Set(Object.keys(components.schemas));
    const found = [...shipped.document.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference!);
    expect(found.length).toBeGreaterThan(5_000);
    const wrong = found.filter((one) => one.startsWith(REFERENCE) && !names.has(one.slice(REFERENCE.length)));
    expect([wrong, names.has('')]).toEqual([[], false]);
  });

  it.each(['reference', 'grpc', 'metrics', 'answers'] as const)(
    'shows the same as the sources file by file: %s',
    (part) => {
      expect(shipped[part].length ?? Object.keys(shipped[part]).length).toBeGreaterThan(15);
      expect(shipped[part]).toEqual(plain[part]);
    },
  );
});
