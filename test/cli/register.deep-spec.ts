import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Device } from '../support/device.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { gatehouseApart } from './command-apart.js';
import type { Outcome } from './command-here.js';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

interface Registered {
  readonly issuer: string;
  readonly projectId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

async function register(...args: readonly string[]): Promise<Outcome> {
  const token = world.firstStart.personalAccessToken!.reveal();
  return gatehouseApart(['register', '--url', world.origin, ...args], { env: { GATEHOUSE_TOKEN: token } });
}

async function registered(...args: readonly string[]): Promise<Registered> {
  const { code, stdout } = await register(...args, '--json');
  expect(code).toBe(0);
  const made = JSON.parse(stdout) as Registered;
  if (made.clientSecret !== '') world.plant(made.clientSecret);
  return made;
}

/** The sign-in of a person at the application. */
async function signIn({ clientId, clientSecret }: Registered, redirectUri: string): Promise<void> {
  const rp = new RelyingParty(world, {
    id: clientId,
    clientId,
    secret: clientSecret || undefined,
    key: undefined,
    authMethod: clientSecret === '' ? 'none' : 'client_secret_basic',
    redirectUri,
    responseType: 'code',
  });
  const tokens = await rp.tokens(await world.add.person({ orgId: world.firstStart.orgId }), {
    scope: 'openid offline_access',
  });
  expect((await rp.refresh(tokens.refresh_token)).status).toBe(200);
}

describe('gatehouse register', () => {
  it('adds protected resources to the project, beside those that it has', async () => {
    const redirect = ['--type', 'native', '--redirect-uri', 'http://127.0.0.1/callback', '--project', 'Files'];
    await registered('--name', 'Files one', ...redirect, '--resource', 'https://files.example.test/one');
    const two = ['--resource', 'https://files.example.test/two', '--resource', 'https://files.example.test/one'];
    const { projectId } = await registered('--name', 'Files two', ...redirect, ...two);
    expect(
      await world.rows('SELECT uri FROM project_resource WHERE project_id = $1 ORDER BY uri', [projectId]),
    ).toEqual([{ uri: 'https://files.example.test/one' }, { uri: 'https://files.example.test/two' }]);
  });

  it('registers a device, which needs no redirect URI', async () => {
    const { clientId } = await registered('--name', 'Shop television', '--type', 'device');
    const device = new Device(world, {
      id: clientId,
      clientId,
      secret: undefined,
      key: undefined,
      authMethod: 'none',
      redirectUri: '',
      responseType: 'code',
    });
    const codes = await device.start({ scope: 'openid offline_access' });
    await device.approve(codes, await world.add.person({ orgId: world.firstStart.orgId }));
    expect(tokensOf(await device.poll(codes)).refresh_token).toMatch(/^gtr_/);
  });

  it.each([
    ['browser', 'http://localhost:5173/callback'],
    ['web', 'http://localhost:3100/callback'],
    ['native', 'http://127.0.0.1/callback'],
  ])('registers an application of the type %s, at which users can sign in', async (type, redirectUri) => {
    const made = await registered('--name', `Shop ${type}`, '--type', type, '--redirect-uri', redirectUri);
    expect(made.issuer).toBe(world.issuer);
    await signIn(made, redirectUri);
  });

  it('puts applications of the same project together', async () => {
    const names = ['One', 'Two'];
    const made = [];
    for (const name of names) made.push(await registered('--name', name, '--type', 'api', '--project', 'Together'));
    expect(made[0]!.projectId).toBe(made[1]!.projectId);
  });

  it('says the issuer, the client ID, and that the secret is shown only now', async () => {
    const args = ['--name', 'Words', '--type', 'web', '--redirect-uri', 'https://app.test/cb'];
    const { code, stdout } = await register(...args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Issuer +http.*\nClient ID +\d+\nClient secret +\S{64} {3}\(shown only now\)\nProject ID/);
    world.plant(/secret +(\S+)/.exec(stdout)?.[1]);
  });

  describe('whose application is refused', () => {
    const projectsNamed = (name: string): Promise<object[]> =>
      world.rows('SELECT 1 FROM project WHERE name = $1', [name]);
    const refused = ['--type', 'web', '--redirect-uri', 'http://app.test/'];

    it('leaves no project behind', async () => {
      const resource = ['--resource', 'https://files.example.test/refused'];
      expect(await register('--name', 'Refused', ...refused, ...resource)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/must use https/),
      });
      expect(await projectsNamed('Refused')).toEqual([]);
    });

    it('leaves no project behind if a resource is refused', async () => {
      const args = ['--name', 'Bad resource', '--type', 'api', '--resource', 'no uri'];
      expect(await register(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(/uris/) });
      expect(await projectsNamed('Bad resource')).toEqual([]);
    });

    it('leaves a project that was there as it was', async () => {
      const kept = ['--resource', 'https://files.example.test/kept'];
      const { projectId } = await registered('--name', 'First', '--type', 'api', '--project', 'Kept', ...kept);
      const more = ['--resource', 'https://files.example.test/more'];
      expect((await register('--name', 'Second', '--project', 'Kept', ...refused, ...more)).code).toBe(1);
      expect(await projectsNamed('Kept')).toHaveLength(1);
      expect(await world.rows('SELECT uri FROM project_resource WHERE project_id = $1', [projectId])).toEqual([
        { uri: 'https://files.example.test/kept' },
      ]);
    });
  });

  it.each<[string, string[], number, RegExp]>([
    ['no name', ['--type', 'web'], 2, /--name/],
    ['an unknown type', ['--name', 'x', '--type', 'spa'], 2, /browser, web, native, device, api/],
    ['no redirect URI', ['--name', 'x', '--type', 'web'], 2, /--redirect-uri/],
    ['http elsewhere', ['--name', 'y', '--type', 'web', '--redirect-uri', 'http://app.test/'], 1, /must use https/],
  ])('refuses %s, and says what to do', async (_, args, code, message) => {
    expect(await register(...args)).toMatchObject({ code, stderr: expect.stringMatching(message) });
  });
});
