import { after, test } from 'node:test';
import * as gatehouse from 'gatehouse/testing';
import hr from './hr.extension.js';

const world = await gatehouse.startWorld({ extensions: [hr], env: { HR_COMPANY: 'Acme' } });
after(() => world.close());

for (const { name, run } of [
  ...gatehouse.extensionContract(world, hr, { use: () => world.hear(), wrongEnv: { HR_COMPANY: 'x'.repeat(21) } }),
  ...gatehouse.claimsContract(world, {
    scope: 'hr',
    given: () => world.hear(), // the listener gives each new user a cost centre
    expect: ({ userName }) => ({ 'https://acme.example/cost_centre': `Acme-${userName}` }),
    without: ({ id }) => world.sql`DELETE FROM ext_hr.employee WHERE user_id = ${id}`,
  }),
  ...gatehouse.eventListenerContract(world, {
    listener: 'provision',
    cause: () => world.add.user(),
    written: () => world.sql`SELECT * FROM ext_hr.employee ORDER BY user_id`,
  }),
  ...gatehouse.adminRouteContract(world, {
    extension: 'hr',
    given: async (org) => {
      const { userName } = await world.add.user({ org });
      await world.hear();
      return `Acme-${userName}"`;
    },
  }),
]) {
  void test(name, run); // not one by one: `after` would not wait for the next one
}
