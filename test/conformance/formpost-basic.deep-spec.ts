import { afterAll, beforeAll, describe } from '@jest/globals';
import { basicModules } from './basic-modules.js';
import { Suite } from './suite.js';

let suite: Suite;
beforeAll(async () => {
  suite = await Suite.start('form_post');
});
afterAll(() => suite.world.close());

describe('oidcc-formpost-basic-certification-test-plan', () => {
  basicModules(() => suite);
});
