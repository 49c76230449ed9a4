import { afterAll, beforeAll, describe } from '@jest/globals';
import { implicitModules } from './implicit-modules.js';
import { Suite } from './suite.js';

let suite: Suite;
beforeAll(async () => {
  suite = await Suite.start('default');
});
afterAll(() => suite.world.close());

describe('oidcc-implicit-certification-test-plan', () => {
  implicitModules(() => suite);
});
