import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { send } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let owner: AdminApi;
let viewer: AdminApi;
let ownerOfA: AdminApi;

beforeAll(async () => {
  world = await startWorld();
  const org = await world.cast.orgA;
  owner = (await callerWith(world, org, ['IAM_OWNER'])).api;
  viewer = (await callerWith(world, org, ['IAM_OWNER_VIEWER'])).api;
  ownerOfA = (await callerWith(world, org, ['ORG_OWNER'])).api;
});
afterAll(() => world.close());

describe('The instance', () => {
  it('describes itself', async () => {
    const { instance } = await viewer.call('GET', '/admin/v1/instances/me');
    expect(instance).toMatchObject({
      id: instance.details.resourceOwner,
      state: 'STATE_RUNNING',
      name: 'Acme',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(instance.domains).toEqual([
      expect.objectContaining({ domain: '127.0.0.1', primary: true, generated: false }),
    ]);
  });

  it('returns the ids that clients need to every caller with a token', async () => {
    expect(await ownerOfA.call('GET', '/management/v1/iam')).toEqual({
      globalOrgId: world.firstStart.orgId,
      defaultOrgId: world.firstStart.orgId,
      iamProjectId: world.firstStart.projectId,
    });
  });

  it('speaks twenty-four languages', async () => {
    const all = [
      'ar',
      'bg',
      'cs',
      'de',
      'en',
      'es',
      'fr',
      'he',
      'hu',
      'id',
      'it',
      'ja',
      'ko',
      'mk',
      'nl',
      'pl',
      'pt',
      'ro',
      'ru',
      'sv',
      'tr',
      'uk',
      'zh',
      'zh-TW',
    ];
    for (const path of ['/admin/v1/languages', '/admin/v1/languages/allowed', '/management/v1/languages']) {
      expect([...(await ownerOfA.call('GET', path))['languages']].sort()).toEqual(all);
    }
  });

  it('has a default language, which is one of them', async () => {
    expect(await viewer.call('GET', '/admin/v1/languages/default')).toEqual({ language: 'en' });
    await owner.call('PUT', '/admin/v1/languages/default/de');
    expect(await viewer.call('GET', '/admin/v1/languages/default')).toEqual({ language: 'de' });
    await owner.call('PUT', '/admin/v1/languages/default/en');
    for (const tag of ['xx', 'DE', 'english', 'e'.repeat(11)])
      expect(await owner.verdict('PUT', `/admin/v1/languages/default/${tag}`)).toBe('400 language');
    expect(await viewer.verdict('PUT', '/admin/v1/languages/default/de')).toBe('403 permission.missing');
  });

  it.each(['/admin/v1/healthz', '/management/v1/healthz', '/auth/v1/healthz'])(
    'answers %s without a token',
    async (path) => {
      const reply = await send(world.origin, { path });
      expect([reply.status, reply.json()]).toEqual([200, {}]);
    },
  );
});

describe('Signing keys', () => {
  it('are listed without their private halves', async () => {
    const { result } = await viewer.call('POST', '/admin/v1/keys/_search');
    expect(result).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          state: 'SIGNING_KEY_STATE_ACTIVE',
          algorithm: 'SIGNING_ALGORITHM_RS256',
          purpose: 'SIGNING_KEY_PURPOSE_GENERAL',
          publicKey: expect.objectContaining({ kty: 'RSA' }),
        }),
      ]),
    );
    expect(JSON.stringify(result)).not.toMatch(/"(d|p|q|privateKey)":/);
  });

  it('get one successor, of which the answer says whether it is new and when it takes over: once every client can know it', async () => {
    const { key } = await owner.call('POST', '/admin/v1/keys');
    expect(key).toMatchObject({ state: 'SIGNING_KEY_STATE_NEXT', dueDate: expect.any(String) });
    expect(await owner.call('POST', '/admin/v1/keys')).toEqual({ key, created: false }); // one at a time
    const { key: asked } = await owner.call('POST', `/admin/v1/keys/${key.id}/_activate`);
    expect(new Date(asked.dueDate as string).getTime() - world.clock.now().getTime()).toBeLessThanOrEqual(360_000);
    const [active] = (await owner.call('POST', '/admin/v1/keys/_search'))['result'].filter(
      ({ state }: { state: string }) => state === 'SIGNING_KEY_STATE_ACTIVE',
    );
    expect(await owner.verdict('POST', `/admin/v1/keys/${active.id}/_activate`)).toBe('400 key.not_next');
    expect(await owner.verdict('DELETE', `/admin/v1/keys/${active.id}`)).toBe('400 key.active');
    expect(asked.state).toBe('SIGNING_KEY_STATE_NEXT'); // until that time
    await owner.call('DELETE', `/admin/v1/keys/${key.id}`);
    expect(await owner.call('POST', '/admin/v1/keys')).toMatchObject({ created: true });
    expect(await owner.verdict('DELETE', `/admin/v1/keys/${key.id}`)).toBe('404 key.not_found');
    expect(await owner.verdict('POST', `/admin/v1/keys/${key.id}/_activate`)).toBe('404 key.not_found');
  });

  it('have settings', async () => {
    expect((await viewer.call('GET', '/admin/v1/settings/signing'))['settings']).toMatchObject({
      algorithm: 'SIGNING_ALGORITHM_RS256',
      rotationAge: '2592000s',
    });
    await owner.call('PUT', '/admin/v1/settings/signing', {
      algorithm: 'SIGNING_ALGORITHM_ES256',
      rotationAge: '86400s',
    });
    expect((await viewer.call('GET', '/admin/v1/settings/signing'))['settings']).toMatchObject({
      algorithm: 'SIGNING_ALGORITHM_ES256',
      rotationAge: '86400s',
    });
    await owner.call('PUT', '/admin/v1/settings/signing', { algorithm: 1 });
    for (const [body, verdict] of [
      [{}, '400 algorithm'],
      [{ algorithm: 'RS256' }, '400 algorithm'],
      [{ algorithm: 99 }, '400 algorithm'],
      [{ algorithm: 1, rotationAge: '3600s' }, '400 rotationAge'],
      [{ algorithm: 1, rotationAge: '1.5s' }, '400 rotationAge'],
      [{ algorithm: 1, rotationAge: 5 }, '400 rotationAge'],
    ] as const) {
      expect([body, await owner.verdict('PUT', '/admin/v1/settings/signing', body)]).toEqual([body, verdict]);
    }
    expect(await viewer.verdict('PUT', '/admin/v1/settings/signing', {})).toBe('403 permission.missing');
  });
});

describe('Lifetimes of tokens', () => {
  it('are read and changed', async () => {
    const settings = async (): Promise<unknown> => (await viewer.call('GET', '/admin/v1/settings/oidc'))['settings'];
    expect(await settings()).toMatchObject({
      accessTokenLifetime: '43200s',
      idTokenLifetime: '43200s',
      refreshTokenIdleExpiration: '2592000s',
      refreshTokenExpiration: '7776000s',
    });
    await owner.call('PUT', '/admin/v1/settings/oidc', { accessTokenLifetime: '600s' });
    expect(await settings()).toMatchObject({ accessTokenLifetime: '600s', idTokenLifetime: '43200s' });
    await owner.call('PUT', '/admin/v1/settings/oidc');
    expect(await settings()).toMatchObject({ accessTokenLifetime: '43200s' });
    expect(
      await owner.verdict('PUT', '/admin/v1/settings/oidc', { accessTokenLifetime: '59s', id_token_lifetime: '0s' }),
    ).toBe('400 accessTokenLifetime, idTokenLifetime');
    expect(await owner.verdict('PUT', '/admin/v1/settings/oidc', { accessTokenLifetime: '7776001s' })).toBe(
      '400 accessTokenLifetime',
    );
  });
});

describe('The security policy', () => {
  const path = '/admin/v1/policies/security';

  it('lets nobody act for others until it is changed [TEX-006]', async () => {
    const policy = async (): Promise<unknown> => (await viewer.call('GET', path))['policy'];
    expect(await policy()).toMatchObject({ enableImpersonation: false, enableIframeEmbedding: false });
    await owner.call('PUT', path, { enableImpersonation: true });
    expect(await policy()).toMatchObject({ enableImpersonation: true });
    await owner.call('PUT', path);
    expect(await policy()).toMatchObject({ enableImpersonation: false });
    for (const api of [viewer, ownerOfA])
      expect(await api.verdict('PUT', path, { enableImpersonation: true })).toBe('403 permission.missing');
    expect(await ownerOfA.verdict('GET', path)).toBe('403 permission.missing');
  });

  it('refuses what is not supported, instead of storing it', async () => {
    expect(await owner.verdict('PUT', path, { enableIframeEmbedding: true })).toBe('400 enableIframeEmbedding');
    expect(await owner.verdict('PUT', path, { allowedOrigins: ['https://a.test'] })).toBe('400 allowedOrigins');
  });
});

describe('The journal', () => {
  it('is read page by page, in both directions, without gaps', async () => {
    for (let i = 0; i < 5; i += 1) await owner.call('PUT', `/admin/v1/languages/default/${i % 2 === 0 ? 'de' : 'en'}`);
    await owner.call('PUT', '/admin/v1/languages/default/en');
    for (const asc of [true, false]) {
      const whole = (await owner.call('POST', '/admin/v1/events/_search', { asc, limit: 1000 }))['events'] as Array<{
        position: string;
      }>;
      const paged: string[] = [];
      for (let position: string | undefined; ; ) {
        const page: Array<{ position: string }> = (
          await owner.call('POST', '/admin/v1/events/_search', {
            asc,
            limit: 7,
            ...(position === undefined ? {} : { position }),
          })
        )['events'];
        paged.push(...page.map((event) => event.position));
        if (page.length < 7) break;
        position = page.at(-1)!.position;
      }
      expect(paged).toEqual(whole.map(({ position }) => position));
      expect(paged).toEqual([...paged].sort((a, b) => (asc ? Number(a) - Number(b) : Number(b) - Number(a))));
    }
  });

  it('returns what happened, to what, by whom and when', async () => {
    await owner.call('PUT', '/admin/v1/languages/default/de');
    const { events } = await owner.call('POST', '/admin/v1/events/_search', {
      eventTypes: ['instance.default.language.set'],
      limit: 1,
    });
    expect(events).toEqual([
      {
        editor: { userId: expect.any(String), displayName: expect.stringMatching(/^service-/), service: 'Gatehouse' },
        aggregate: {
          id: expect.any(String),
          type: { type: 'instance', localized: { key: 'instance', localizedMessage: 'instance' } },
          resourceOwner: expect.any(String),
        },
        sequence: expect.stringMatching(/^\d+$/),
        creationDate: expect.any(String),
        payload: { defaultLanguage: 'de' },
        type: { type: 'instance.default.language.set', localized: expect.any(Object) },
        position: expect.stringMatching(/^\d+$/),
        sentence: expect.stringMatching(
          /^service-\d+: Set the default language of the instance \(defaultLanguage: de\)$/,
        ),
      },
    ]);
    await owner.call('PUT', '/admin/v1/languages/default/en');
  });

  // oxlint-disable-next-line typescript/no-explicit-any -- an answer of the wire
  it.each<[string, () => Record<string, unknown>, (event: Record<string, any>) => unknown]>([
    ['aggregate type', () => ({ aggregateTypes: ['project'] }), (event) => event['aggregate'].type.type === 'project'],
    [
      'owner',
      () => ({ resourceOwner: world.firstStart.orgId }),
      (event) => event['aggregate'].resourceOwner === world.firstStart.orgId,
    ],
    ['editor', () => ({ editorUserId: 'system' }), (event) => event['editor'].userId === 'system'],
    [
      'object',
      () => ({ aggregateId: world.firstStart.projectId }),
      (event) => event['aggregate'].id === world.firstStart.projectId,
    ],
  ])('is filtered by %s', async (_, filter, holds) => {
    const { events } = await owner.call('POST', '/admin/v1/events/_search', filter());
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) expect(holds(event)).toBe(true);
  });

  it('is filtered by time', async () => {
    const now = world.clock.now();
    const after = new Date(now.getTime() + 60_000).toISOString();
    expect((await owner.call('POST', '/admin/v1/events/_search', { range: { since: after } }))['events']).toEqual([]);
    expect((await owner.call('POST', '/admin/v1/events/_search', { from: after, asc: true }))['events']).toEqual([]);
    expect(
      (await owner.call('POST', '/admin/v1/events/_search', { from: after, asc: false, limit: 1 }))['events'],
    ).toHaveLength(1);
    expect(await owner.verdict('POST', '/admin/v1/events/_search', { from: 'yesterday' })).toBe('400 from');
    expect(await owner.verdict('POST', '/admin/v1/events/_search', { eventTypes: Array(31).fill('x') })).toBe(
      '400 eventTypes',
    );
  });

  it('lists what kinds of events and objects there are', async () => {
    const { eventTypes } = await owner.call('POST', '/admin/v1/events/types/_search');
    expect(eventTypes.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['instance.added', 'org.added', 'user.human.added']),
    );
    const { aggregateTypes } = await owner.call('POST', '/admin/v1/aggregates/types/_search');
    expect(aggregateTypes.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['instance', 'org', 'user']),
    );
  });

  it('shows an organization its own part alone', async () => {
    const { id } = await world.cast.orgA;
    const other = await world.cast.orgB;
    const { events } = await ownerOfA.call('POST', '/management/v1/events/_search', {
      resourceOwner: other.id,
      limit: 1000,
    });
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) expect(event.aggregate.resourceOwner).toBe(id);
    expect(await ownerOfA.verdict('POST', '/admin/v1/events/_search')).toBe('403 permission.missing');
  });
});
