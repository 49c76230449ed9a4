import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { adminRouteContract } from 'gatehouse/testing';
import { Stage } from './support/stage.js';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

describe('the operations of SAML', () => {
  // What is of another organization stands below a project of it: applications.e2e-spec.ts asks for that.
  for (const { name, run } of adminRouteContract(() => stage.world, { extension: 'saml' })) it(name, run);
});
