import { after, test } from 'node:test';
import { extensionContract, grantContract, startWorld } from 'gatehouse/testing';
import badge from './badge.extension.js';
import { BadgeGrant } from './badge.grant.js';

const KEY = 'a-key-of-the-test-with-32-characters';
const world = await startWorld({ extensions: [badge], env: { BADGE_KEY: KEY } });
after(() => world.close());
const grant = world.get(BadgeGrant);

let count = 0;
async function assign({ id }: { readonly id: string }) {
  const number = String((count += 1));
  await grant.assign(number, id, '4711');
  return { badge: grant.write(number), pin: '4711' };
}
const user = await world.add.user();
const own = await assign(user);

const cases = [
  ...extensionContract(world, badge, { wrongEnv: { BADGE_KEY: 'tiny' }, use: assign }),
  ...grantContract(world, {
    grant: grant.name,
    parametersOf: assign,
    wrong: [
      { ...own, pin: '4712' },
      { ...own, badge: `2${own.badge.slice(1)}` },
      { ...own, badge: grant.write('999') },
      { badge: own.badge },
    ],
  }),
];

// Not one by one: `after` would not wait for the next one.
for (const { name, run } of cases) void test(name, run);
