import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { beginProcess, type ServiceProcess } from '../support/service-process.js';

const SEED = new URL('../../bench/seed/ours.mjs', import.meta.url);

let seed: ServiceProcess;
beforeAll(async () => {
  seed = await beginProcess({}, SEED, ['RS256']);
});
afterAll(() => seed.close());

// Nothing else runs the benchmark in between, and it calls services that change.
it('the benchmark can make its users and clients', async () => {
  const { code } = await seed.exit;
  expect({ code, output: seed.text() }).toEqual({ code: 0, output: expect.stringMatching(/^Seeded \{/m) });
  const credentials = JSON.parse(/^Seeded (.*)$/m.exec(seed.text())![1]!) as { people: Array<Record<string, string>> };
  expect(credentials.people[0]).toEqual({
    id: expect.stringMatching(/^\d+$/),
    loginName: 'person-0@acme.localhost',
    password: expect.any(String),
  });
});
