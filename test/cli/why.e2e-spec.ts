import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callerWith } from '../support/admin-api.js';
import type { TestOrg, TestPerson } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { gatehouseHere, type Outcome } from './command-here.js';

let world: World;
let org: TestOrg;
let ilse: TestPerson;
let owner: string;

beforeAll(async () => {
  world = await startWorld();
  org = await world.add.org();
  ilse = await world.add.person({
    orgId: org.id,
    profile: { firstName: 'Ilse', lastName: 'Brandt', displayName: 'Ilse' },
  });
  const projectId = await world.add.project({ orgId: org.id, name: 'Retail' }, ['buyer']);
  await world.add.client({ projectId, name: 'Shop', clientId: 'shop' });
  owner = world.firstStart.personalAccessToken!.reveal();
});
afterAll(() => world.close());

const why = (args: readonly string[], token = owner): Promise<Outcome> =>
  gatehouseHere(['why', '--url', world.origin, ...args], { GATEHOUSE_TOKEN: token });

describe('gatehouse why', () => {
  it('prints the chain, and ends with 0 for somebody who can sign in, by login name or by ID', async () => {
    for (const named of [ilse.loginName, ilse.id, ilse.email]) {
      const { code, stdout, stderr } = await why([named, '--app', 'Shop']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(
        /^Ilse can sign in to Shop with the password\.\n\n {2}asks {5}Ilse is asked for the login name/,
      );
      expect(stdout).toContain('  asks     Ilse is asked for the password.\n');
      expect(stdout).toContain('\nHas\n  1 password\n');
    }
  });

  it('ends with 1 for somebody who cannot, and names the operation that changes it', async () => {
    const { api } = await callerWith(world, org, ['IAM_OWNER']);
    await api.call('POST', `/management/v1/users/${ilse.id}/_lock`);
    const { code, stdout } = await why([ilse.loginName]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Ilse cannot sign in\. Ilse has been locked since /);
    expect(stdout).toContain(`-> UnlockUser {"id":"${ilse.id}"} in organization ${org.id}\n`);
    const asJson = await why([ilse.loginName, '--json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ canSignIn: 'CAN_SIGN_IN_NO' });
    await api.call('POST', `/management/v1/users/${ilse.id}/_unlock`);
  });

  it('asks for managers of one organization as well, about their own users', async () => {
    const { service } = await callerWith(world, org, ['ORG_USER_MANAGER']);
    expect(await why([ilse.loginName], service.pat)).toMatchObject({ code: 0 });
    const stranger = await callerWith(world, await world.add.org(), ['ORG_USER_MANAGER']);
    expect(await why([ilse.loginName], stranger.service.pat)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`There is no user ${ilse.loginName} that you may read.`),
    });
  });

  it('says why a role or a claim is missing', async () => {
    const { code, stdout } = await why([ilse.loginName, '--app', 'shop', '--role', 'buyer']);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'The role buyer is in no token. Ilse has not been granted the role buyer in project Retail.',
    );
    expect(await why([ilse.loginName, '--app', 'Shop', '--scope', 'email', '--claim', 'email'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('email is in userinfo and introspection'),
    });
  });

  it.each([
    [[], 'Give the login name or the ID of one user.'],
    [['ilse', '--method', 'guess'], 'Give one of: password, passkey, provider.'],
    [['ilse', '--network', 'office'], 'Give an IP address.'],
    [['ilse', '--claim', 'email'], 'Give the application of the tokens with --app.'],
    [['ilse', '--frob'], "Unknown option '--frob'"],
  ])('ends with 2 for a wrong call: %j', async (args, message) => {
    expect(await why(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });
});
