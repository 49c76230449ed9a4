import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { adminRouteContract, ownRouteContract, startWorld, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import { addDirectory } from './support/directory.js';

let world: World;

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
});
afterAll(() => world.close());

describe('the contracts of routes', () => {
  for (const { name, run } of [
    ...ownRouteContract(() => world, { extension: 'scim', type: 'application/scim+json' }),
    ...adminRouteContract(() => world, {
      extension: 'scim',
      given: async (org) => {
        const own = await addDirectory(world, org);
        await own.add();
        return own.id;
      },
    }),
  ])
    it(name, run);
});
