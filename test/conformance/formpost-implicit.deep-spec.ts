import { afterAll, beforeAll, describe } from '@jest/globals';
import { implicitModules } from './implicit-modules.js';
import { Suite } from './suite.js';

let suite: Suite;
beforeAll(async () => {
  suite = await Suite.start('form_post');
});
afterAll(() => suite.world.close());

describe('oidcc-formpost-implicit-certification-test-plan', () => {
  implicitModules(() => suite);
});
