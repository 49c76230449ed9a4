import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestPerson } from '../support/builders.js';
import { Device } from '../support/device.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { ownNamesOf } from './own-statements.js';

let world: World;
let alice: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  await new RelyingParty(world, await world.cast.web1).tokens(alice); // whatever is read once for all
});
afterAll(() => world.close());

describe('SQL statements per request', () => {
  describe('of a device', () => {
    it('one to begin, none for a question too early, one for one in time, one more for the tokens', async () => {
      const client = await world.add.client({
        projectId: await world.cast.projectP,
        authMethod: 'none',
        grantTypes: ['device_code', 'refresh_token'],
        redirectUris: [],
      });
      await world.changesToArrive(); // that of the application itself would make it be read again
      const device = new Device(world, client);
      const codes = await device.start();
      expect(await ownNamesOf(world, () => device.start())).toEqual(['device_authorization.add']);
      expect(await ownNamesOf(world, () => device.poll(codes))).toEqual(['device_authorization.states']);
      expect(await ownNamesOf(world, () => device.poll(codes))).toEqual([]);
      await device.approve(codes, alice);
      expect(await ownNamesOf(world, async () => tokensOf(await device.pollLater(codes)))).toEqual([
        'device_authorization.states',
        'device_authorization.redeem',
      ]);
    });

    it('with a session: one for the code, and two for the decision, beside those that read the browser', async () => {
      const client = await world.add.client({
        projectId: await world.cast.projectP,
        authMethod: 'none',
        grantTypes: ['device_code'],
        redirectUris: [],
      });
      const device = new Device(world, client);
      await device.approve(await device.start(), alice);
      const codes = await device.start();
      const typed = await ownNamesOf(world, () => device.type(codes.user_code));
      expect(typed.filter((name) => name !== 'session.browser')).toEqual(['device_authorization.pending']);
      const names = await ownNamesOf(world, () => device.approve(codes, alice));
      expect(names.filter((name) => name !== 'session.browser')).toEqual([
        'device_authorization.pending',
        'consent.keep',
        'device_authorization.decide',
      ]);
    });
  });
});
