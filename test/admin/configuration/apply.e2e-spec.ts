import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../../support/admin-api.js';
import { uniqueName } from '../../support/builders.js';
import { addOidcApp, addProject, eventsOf, type Stage, setStage } from '../project-support.js';

const V1 = '/management/v1/configuration';

let stage: Stage;
let owner: AdminApi;
beforeAll(async () => {
  stage = await setStage();
  owner = stage.iamOwner;
});
afterAll(() => stage.world.close());

interface Plan {
  readonly changes: ReadonlyArray<{
    readonly action: string;
    readonly path: readonly string[];
    readonly fields: ReadonlyArray<{ readonly name: string; readonly from: string; readonly to: string }>;
    readonly effects: readonly string[];
    readonly operationId: string;
  }>;
  readonly refusals: ReadonlyArray<{ readonly field: string; readonly description: string }>;
  readonly fingerprint: string;
}

const plan = (configuration: Json, over: Json = {}, api = owner): Promise<Plan> =>
  api.call('POST', `${V1}/_plan`, { configuration, ...over });

const apply = (configuration: Json, over: Json = {}, api = owner): Promise<Json> =>
  api.call('POST', `${V1}/_apply`, { configuration, ...over });

/** What a plan would do, a line for each change. */
async function lines(configuration: Json, over: Json = {}, api = owner): Promise<string[]> {
  const { changes } = await plan(configuration, over, api);
  return changes.map(({ action, path }) => `${action.split('_').at(-1)!.toLowerCase()} ${path.join('.')}`);
}

const inA = (content: Json): Json => ({ organizations: { [stage.orgA.domain]: content } });

const lastPosition = async (): Promise<string> =>
  (await stage.world.rows<{ max: string }>('SELECT max(position) FROM event'))[0]!.max;

const lockout = async (): Promise<number> =>
  Number((await owner.call('GET', '/admin/v1/policies/lockout'))['policy'].maxPasswordAttempts);

describe('A plan', () => {
  it('keeps nothing of what it tries [ADM-111]', async () => {
    const before = await lastPosition();
    const name = uniqueName('Planned');
    const { changes } = await plan({
      instance: { policies: { lockout: { maxPasswordAttempts: 9 } } },
      ...inA({ projects: { [name]: { roles: { buyer: { displayName: 'Buyer' } } } } }),
    });
    expect(changes).toHaveLength(3);
    expect(await lastPosition()).toBe(before);
    expect(await lockout()).toBe(0);
    expect(await stage.world.rows('SELECT id FROM project WHERE name = $1', [name])).toEqual([]);
  });

  it('names the fields that differ, and the operation that sets them', async () => {
    const { changes } = await plan({
      instance: { policies: { lockout: { maxPasswordAttempts: 9, maxOtpAttempts: 0 } } },
    });
    expect(changes).toEqual([
      {
        action: 'CONFIGURATION_CHANGE_ACTION_CHANGE',
        path: ['instance', 'policies', 'lockout'],
        label: 'lockout policy',
        fields: [{ name: 'maxPasswordAttempts', from: '0', to: '9' }],
        effects: [],
        operationId: 'UpdateLockoutPolicy',
      },
    ]);
  });

  it('finds every mistake of a file, each at its place', async () => {
    const { refusals } = await plan({
      instance: {
        policies: { lockout: { maxPasswordAttempt: 3 }, login: { secondFactors: 'otp' } },
        settings: { tokens: { accessTokenLifetime: 'long' } },
      },
      ...inA({
        projects: { Shop: { applications: { Web: { oidc: { redirectUris: ['no uri'] } } } } },
        managers: { 'nobody@nowhere.test': ['ORG_OWNER'] },
      }),
    });
    const at = `organizations.${stage.orgA.domain}`;
    expect(refusals.map(({ field }) => field).sort()).toEqual([
      'instance.policies.lockout.maxPasswordAttempt',
      'instance.policies.login.secondFactors',
      'instance.settings.tokens.accessTokenLifetime',
      `${at}.managers.nobody@nowhere.test`,
      `${at}.projects.Shop.applications.Web.oidc.redirectUris[0]`,
    ]);
  });

  it('begins a policy of an organization with that of the instance', async () => {
    const org = await stage.world.add.org();
    await apply({ organizations: { [org.domain]: { policies: { login: { forceMfa: true } } } } });
    const ofInstance = (await owner.call('GET', '/admin/v1/policies/login'))['policy'] as Json;
    const ofOrg = (await owner.about(org.id).call('GET', '/management/v1/policies/login'))['policy'] as Json;
    const { details: _, ...inherited } = ofInstance;
    expect(ofOrg).toMatchObject({ ...inherited, forceMfa: true, isDefault: false });
  });

  it('says what forcing a second factor does to people', async () => {
    const org = await stage.world.add.org();
    const people = [await stage.world.add.person({ orgId: org.id }), await stage.world.add.person({ orgId: org.id })];
    expect(people).toHaveLength(2);
    const { changes } = await plan({ organizations: { [org.domain]: { policies: { login: { forceMfa: true } } } } });
    expect(changes.flatMap(({ effects }) => effects)).toEqual([
      'Forces a second factor: 2 of 2 people have none and will set one up at their next sign-in.',
    ]);
  });

  it('says whom the removal of a role and of a redirect URI concerns', async () => {
    const projectId = await addProject(stage.ownerOfA, ['buyer']);
    const { name } = (await stage.ownerOfA.call('GET', `/management/v1/projects/${projectId}`))['project'];
    await addOidcApp(stage, stage.ownerOfA, projectId, {
      name: 'Web',
      redirectUris: ['https://a.test/cb', 'https://b.test/cb'],
    });
    const person = await stage.world.add.person({ orgId: stage.orgA.id });
    await stage.world.add.grant(person.id, projectId, stage.orgA.id, ['buyer']);
    const { changes } = await plan(
      inA({
        projects: {
          [name]: { roles: { buyer: null }, applications: { Web: { oidc: { redirectUris: ['https://a.test/cb'] } } } },
        },
      }),
    );
    expect(changes.flatMap(({ effects }) => effects)).toEqual([
      'Takes the role away from 1 user.',
      'Removes the redirect URI https://b.test/cb of Web, not used in the last three months.',
    ]);
  });

  it('is not seen by others while it runs [ADM-111]', async () => {
    const plans = plan({ instance: { policies: { lockout: { maxPasswordAttempts: 6 } } } });
    const seen: number[] = [];
    let isOver = false;
    void plans.then(() => {
      isOver = true;
    });
    while (!isOver) seen.push(await lockout());
    await plans;
    expect(new Set(seen)).toEqual(new Set([0]));
  });

  it('is refused while two others run, or another one of the same caller [ADM-113]', async () => {
    const wanted = { configuration: { instance: { texts: { login: {} } } } };
    const verdicts = await Promise.all(Array.from({ length: 6 }, () => owner.verdict('POST', `${V1}/_plan`, wanted)));
    expect(verdicts.filter((verdict) => verdict === '200').length).toBeGreaterThanOrEqual(1);
    expect(new Set(verdicts.filter((verdict) => verdict !== '200'))).toEqual(new Set(['429 configuration.busy']));
  });
});

describe('An application of a configuration', () => {
  it('does all of it or nothing', async () => {
    const before = await lastPosition();
    const configuration = {
      instance: { policies: { lockout: { maxPasswordAttempts: 4 } } },
      ...inA({ managers: { 'nobody@nowhere.test': ['ORG_OWNER'] } }),
    };
    expect(await owner.verdict('POST', `${V1}/_apply`, { configuration })).toBe(
      `400 organizations.${stage.orgA.domain}.managers.nobody@nowhere.test`,
    );
    expect(await lastPosition()).toBe(before);
    expect(await lockout()).toBe(0);
  });

  it('is refused if its plan is no longer what would be done [ADM-114]', async () => {
    const configuration = { instance: { policies: { privacy: { helpLink: 'https://help.test' } } } };
    const { fingerprint } = await plan(configuration);
    await owner.call('PUT', '/admin/v1/policies/privacy', { helpLink: 'https://else.test' });
    expect(await owner.verdict('POST', `${V1}/_apply`, { configuration, fingerprint })).toBe(
      '409 configuration.plan_stale',
    );
    const anew = await plan(configuration);
    expect(anew.fingerprint).toMatch(/^[0-9a-f]{64}$/); // what no command line takes for an option
    expect(await owner.verdict('POST', `${V1}/_apply`, { configuration, fingerprint: anew.fingerprint })).toBe('200');
  });

  it('is in effect at once, in the journal with its reason and version, and taken back by what was kept', async () => {
    const name = uniqueName('Shop');
    const before = await owner.call('POST', `${V1}/_pull`, { withoutInstance: true });
    const { position, made } = await apply(
      inA({
        policies: { lockout: { maxPasswordAttempts: 3 } },
        projects: { [name]: { roles: { buyer: { displayName: 'Buyer' } }, applications: { Web: { api: {} } } } },
      }),
      { reason: 'Agreed', commit: '644de2d7' },
    );
    expect(made).toEqual([
      {
        path: ['organizations', stage.orgA.domain, 'projects', name, 'applications', 'Web'],
        clientId: expect.stringMatching(/./),
        secret: expect.stringMatching(/./),
      },
    ]);
    expect((await stage.ownerOfA.call('GET', '/management/v1/policies/lockout'))['policy']).toMatchObject({
      maxPasswordAttempts: '3',
      isDefault: false,
    });
    expect((await eventsOf(stage, stage.orgA.id)).at(-1)).toBe('org.configuration.applied');
    const applied = await owner.call('GET', `${V1}/applied/${position as string}`);
    expect(applied).toMatchObject({ reason: 'Agreed', commit: '644de2d7' });
    expect(applied['undo']).toEqual(inA({ policies: { lockout: null }, projects: { [name]: null } }));
    await apply(applied['undo']);
    expect(await owner.call('POST', `${V1}/_pull`, { withoutInstance: true })).toEqual(before);
  });

  it('brings a removed project back with what it had, for what was kept says all of it', async () => {
    const projectId = await addProject(stage.ownerOfA, ['buyer', 'seller'], { projectRoleAssertion: true });
    const { name } = (await stage.ownerOfA.call('GET', `/management/v1/projects/${projectId}`))['project'];
    await addOidcApp(stage, stage.ownerOfA, projectId, { name: 'Web' });
    const before = await owner.call('POST', `${V1}/_pull`, { withoutInstance: true });
    const { position } = await apply(inA({ projects: { [name]: null } }));
    const { undo } = await owner.call('GET', `${V1}/applied/${position as string}`);
    await apply(undo as Json);
    expect(await owner.call('POST', `${V1}/_pull`, { withoutInstance: true })).toEqual(before);
  });

  it('removes an organization once the file has made another one the default', async () => {
    const [former, next] = [uniqueName('Former'), uniqueName('Next')];
    await apply({ organizations: { [former]: {} }, instance: { defaultOrganization: former } });
    await apply({ organizations: { [former]: null, [next]: {} }, instance: { defaultOrganization: next } });
    await apply({ organizations: { [next]: null }, instance: { defaultOrganization: stage.orgA.domain } });
    expect((await owner.call('GET', '/admin/v1/orgs/default'))['org']).toMatchObject({ name: stage.orgA.domain });
  });

  it('brings back what followed from a change: a removed provider is offered again', async () => {
    const oidc = { clientId: 'a', clientSecret: { $secret: 's' }, issuer: 'https://p.test', scopes: ['openid'] };
    await apply(
      inA({ identityProviders: { Partner: { oidc } }, policies: { login: { identityProviders: ['Partner'] } } }),
    );
    const { position } = await apply(inA({ identityProviders: { Partner: null } }));
    const { undo } = await owner.call('GET', `${V1}/applied/${position as string}`);
    const kept = undo['organizations'][stage.orgA.domain] as Json;
    expect(kept).toMatchObject({ policies: { login: { identityProviders: ['Partner'] } } });
    expect(kept).toMatchObject({ identityProviders: { Partner: { oidc: { issuer: 'https://p.test' } } } });
    await apply(inA({ policies: { login: null } }));
  });

  it('names managers by id in what is kept, since their names may be erased', async () => {
    const person = await stage.world.add.person({ orgId: stage.orgA.id });
    const { position } = await apply(inA({ managers: { [person.loginName]: ['ORG_OWNER'] } }));
    const { undo } = await owner.call('GET', `${V1}/applied/${position as string}`);
    expect(undo).toEqual(inA({ managers: { [`user:${person.id}`]: null } }));
    await apply(undo as Json);
    expect(await lines(inA({ managers: { 'gone@nowhere.test': null } }))).toEqual([]);
  });

  it('changes nothing and says nothing where nothing differs', async () => {
    const before = await lastPosition();
    expect(await apply({ instance: { policies: { lockout: { maxOtpAttempts: 0 } } } })).toMatchObject({
      changes: [],
      position: '0',
    });
    expect(await lastPosition()).toBe(before);
  });

  it('takes away what a collection does not name only if it is told to', async () => {
    const name = uniqueName('Roles');
    await apply(inA({ projects: { [name]: { roles: { a: { displayName: 'A' }, b: { displayName: 'B' } } } } }));
    const configuration = inA({ projects: { [name]: { roles: { a: {} } } } });
    expect(await lines(configuration)).toEqual([]);
    const pruned = await lines(configuration, { prune: true });
    expect(pruned).toContain(`remove organizations.${stage.orgA.domain}.projects.${name}.roles.b`);
    // Organizations that a file does not name are never removed.
    expect(pruned.filter((line) => /^remove organizations\.[^.]+$/.test(line))).toEqual([]);
  });
});

describe('A label policy of a configuration', () => {
  it('is refused while its preview has changes of others, which would go live with it [ADM-114]', async () => {
    const configuration = { instance: { policies: { label: { warnColor: '#333333' } } } };
    await owner.call('PUT', '/admin/v1/policies/label', { primaryColor: '#222222' });
    const path = 'instance.policies.label';
    expect((await plan(configuration)).refusals.map(({ field }) => field)).toEqual([path]);
    expect((await plan({ instance: { policies: { label: { disableWatermark: false } } } })).refusals).toEqual([]);
    await owner.call('POST', '/admin/v1/policies/label/_activate');
    await apply(configuration);
    expect((await owner.call('GET', '/admin/v1/policies/label'))['policy']).toMatchObject({ warnColor: '#333333' });
  });
});

describe('A secret of a configuration', () => {
  const server = (password: unknown, over: Json = {}): Json => ({
    instance: {
      mailServers: {
        Secretive: {
          host: 'mail.test:587',
          senderAddress: 'id@acme.localhost',
          tls: true,
          user: 'u',
          password,
          ...over,
        },
      },
    },
  });

  it('is refused if it stands in the file', async () => {
    expect((await plan(server('plain'))).refusals).toEqual([
      {
        field: 'instance.mailServers.Secretive.password',
        description: 'is a secret, which has no place in a file: write env:NAME or file:PATH',
      },
    ]);
  });

  it('is nothing but a secret: what a plan would show cannot be hidden as one [ADM-114]', async () => {
    const hidden = { $secret: 'https://else.test' };
    const oidc = { clientId: 'a', issuer: hidden, scopes: [hidden], clientSecret: { $secret: 's' } };
    const { refusals } = await plan(inA({ identityProviders: { Partner: { oidc } }, metadata: { place: hidden } }));
    const at = `organizations.${stage.orgA.domain}`;
    expect(refusals.map(({ field }) => field).sort()).toEqual([
      `${at}.identityProviders.Partner.oidc.issuer`,
      `${at}.identityProviders.Partner.oidc.scopes`,
      `${at}.metadata.place.value`,
    ]);
  });

  it('is set with its object, and otherwise only if that is wanted; it is never shown [ADM-112]', async () => {
    const given = server({ $secret: 'correct horse' });
    const { position } = await apply(given);
    const { changes } = await plan(given);
    expect(changes).toEqual([]);
    const anew = await plan(server({ $secret: 'battery staple' }), { secrets: true });
    expect(anew.changes[0]!.fields).toEqual([{ name: 'secrets', from: '', to: '"(secret)"' }]);
    const journal = await stage.world.rows<{ payload: object }>('SELECT payload FROM event');
    expect(JSON.stringify([anew, changes, journal])).not.toMatch(/correct horse|battery staple/);
    await apply((await owner.call('GET', `${V1}/applied/${position as string}`))['undo'] as Json);
  });
});

describe('The callers of a configuration', () => {
  it('read and change what the operations would let them, and nothing else [ADM-110]', async () => {
    const { configuration, leftOut } = await stage.ownerOfA.call('POST', `${V1}/_pull`, {});
    expect(Object.keys(configuration['organizations'] as object)).toEqual([stage.orgA.domain]);
    expect(leftOut.map(({ path }: { path: string[] }) => path.join('.'))).toEqual(['instance']);
    const { refusals } = await plan(
      { instance: { policies: { lockout: { maxPasswordAttempts: 1 } } } },
      {},
      stage.ownerOfA,
    );
    expect(refusals.map(({ field }) => field)).toEqual(['instance.policies.lockout']);
    const verdict = await stage.ownerOfA.verdict('POST', `${V1}/_pull`, { organizations: [stage.orgB.domain] });
    expect(verdict).toBe('404 configuration.org_unknown');
    expect(await lines(inA({ policies: { lockout: { maxPasswordAttempts: 1 } } }), {}, stage.ownerOfA)).toHaveLength(1);
  });

  it('plan without changing anything if they may only read', async () => {
    const configuration = inA({ policies: { lockout: { maxPasswordAttempts: 1 } } });
    const tried = await plan(configuration, {}, stage.viewerOfA);
    expect(tried.refusals).toHaveLength(1);
    const compared = await plan(configuration, { compareOnly: true }, stage.viewerOfA);
    expect(compared.refusals).toEqual([]);
    expect(compared.fingerprint).toBe('');
    expect(compared.changes).toHaveLength(1);
    expect(await stage.viewerOfA.verdict('POST', `${V1}/_apply`, { configuration })).toBe('403 permission.missing');
  });

  it('learn nothing of people whom they may not read [ADM-110]', async () => {
    const org = await stage.world.add.org();
    await stage.world.add.person({ orgId: org.id });
    const configuration = { organizations: { [org.domain]: { policies: { login: { forceMfa: true } } } } };
    const settings = (await callerWith(stage.world, org, ['ORG_SETTINGS_MANAGER'])).api;
    const { changes } = await plan(configuration, {}, settings);
    expect(changes.map(({ effects }) => effects)).toEqual([[]]);
    expect((await plan(configuration)).changes[0]!.effects).toHaveLength(1);
  });

  it('need a role somewhere', async () => {
    expect(await stage.nobodyOfA.verdict('POST', `${V1}/_plan`, { configuration: {} })).toBe('403 permission.missing');
  });

  it('take back only what they could change [ADM-110]', async () => {
    const { position } = await apply({ instance: { policies: { notification: { passwordChange: false } } } });
    const path = `${V1}/applied/${position as string}`;
    expect(await stage.ownerOfA.verdict('GET', path)).toBe('404 configuration.applied_not_found');
    expect(await owner.verdict('GET', `${V1}/applied/18446744073709551615`)).toBe(
      '404 configuration.applied_not_found',
    );
    expect(await owner.verdict('GET', `${V1}/applied/1`)).toBe('404 configuration.applied_not_found');
    expect(await owner.verdict('GET', path)).toBe('200');
    const ofOrg = await apply(inA({ policies: { notification: { passwordChange: false } } }));
    const settings = (await callerWith(stage.world, stage.orgA, ['ORG_SETTINGS_MANAGER'])).api;
    expect(await settings.verdict('GET', `${V1}/applied/${ofOrg['position'] as string}`)).toBe(
      '403 permission.missing',
    );
    const { events } = await stage.viewerOfA.call('POST', '/management/v1/events/_search', {
      eventTypes: ['org.configuration.applied'],
      limit: 1,
    });
    expect((events as Array<{ payload: object }>)[0]!.payload).toEqual({ reason: '', commit: '', changes: 1 });
  });
});
