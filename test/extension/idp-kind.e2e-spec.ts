import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { IdpService } from '../../src/idp/idp.service.js';
import { IDP_KIND, type IdpHttp } from '../../src/idp/idp-kind.js';
import { IdpSecrets } from '../../src/idp/idp-secrets.js';
import { paths } from '../../src/org/instance/paths.js';
import { leave, link, OUTBOUND } from '../idp/external.js';
import { begin } from '../login/turns.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { CODE_HOST_CLIENT, CODE_HOST_SECRET, type CodeHost } from '../support/code-host.js';
import { send } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import {
  type Added,
  CodeHostWorld,
  HostileKind,
  HostKind,
  HostModule,
  HostSettings,
  host,
  hostile,
  SETTING_SECRET,
  statusOf,
} from './code-host-world.js';

let kinds: CodeHostWorld;
let code: CodeHost;
let world: World;
let org: TestOrg;
let admin: AdminApi;
let owner: AdminApi;
let web: RelyingParty;

beforeAll(async () => {
  kinds = await CodeHostWorld.start();
  ({ code, world, org, admin } = kinds);
  owner = (await callerWith(world, org, ['ORG_OWNER'])).api;
});
beforeEach(async () => {
  world.clock.advance('1m');
  web = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  HostileKind.does = {};
});
afterAll(() => kinds.close());

describe('A provider of a kind of an extension', () => {
  it('is tested when it is added, and has a callback of its own', async () => {
    const added = await kinds.add();
    expect(added).toMatchObject({
      state: 'IDP_STATE_ACTIVE',
      callbackUrl: `${world.issuer}${paths.externalCallback}/${added.id}`,
      parts: [
        { part: 'extension', ok: true, detail: 'The extension host has the kind ext:host.' },
        { part: 'authorization_endpoint', ok: true, detail: `It is ${code.base}.` },
      ],
    });
    const broken = await kinds.add({ settings: { base: 'http://10.0.0.1' } });
    expect([broken.state, broken.parts[1]!.ok]).toEqual(['IDP_STATE_INACTIVE', false]);
  });

  it('is tested in the words of the request that fails before browsers are sent anywhere', async () => {
    HostileKind.does = {
      authorizationUrl: (_: unknown, http: IdpHttp) => http.send({ url: 'https://10.0.0.1/metadata' }),
    };
    const { state, parts } = await kinds.add({ kind: 'ext:hostile-one', settings: {} });
    expect([state, parts[1]]).toEqual([
      'IDP_STATE_INACTIVE',
      { part: 'authorization_endpoint', ok: false, detail: expect.stringMatching(/^10\.0\.0\.1 .*OUTBOUND_ALLOW/) },
    ]);
  });

  it('has settings that are read as the class declares them, and given to the kind with their secrets', async () => {
    const { id } = await kinds.add({
      settings: { base: code.base, signing_secret: SETTING_SECRET, unknown: 1, depth: '3' },
    });
    await leave(web, id);
    expect({ ...HostKind.seen }).toEqual({
      base: code.base,
      signingSecret: SETTING_SECRET,
      teams: [],
      isStrict: false,
      depth: 3,
    });
    expect(HostKind.seen).toBeInstanceOf(HostSettings);
  });

  it.each<[string, object, string]>([
    ['without what is required', { settings: {} }, '400 settings.base'],
    ['without any settings', { settings: undefined }, '400 settings.base'],
    [
      'of wrong types',
      { settings: { base: 1, depth: 10, teams: 'x' } },
      '400 settings.base, settings.teams, settings.depth',
    ],
    ['whose secret is no text', { settings: { base: 'x', signingSecret: { a: 1 } } }, '400 settings.signingSecret'],
    ['of a kind that nobody has', { kind: 'ext:nobody' }, '400 kind'],
    ['of a kind that is ours', { kind: 'oidc' }, '400 kind'],
    ['of a kind that every object has', { kind: '__proto__' }, '400 kind'],
  ])('is refused %s', async (_, over, verdict) => {
    expect(await admin.verdict('POST', '/admin/v1/idps/extension', kinds.body(over))).toBe(verdict);
  });

  it('shows its kind and settings without secrets, in the list as well', async () => {
    const { id } = await kinds.add({ name: 'Shown' });
    const { idp } = await admin.call('GET', `/admin/v1/idps/${id}`);
    expect(idp).toMatchObject({
      name: 'Shown',
      extensionConfig: {
        kind: 'ext:host',
        clientId: CODE_HOST_CLIENT,
        settings: { base: code.base, teams: ['a'], isStrict: false, depth: 2 },
        isAvailable: true,
      },
    });
    const list = await admin.call('POST', '/admin/v1/idps/_search', { queries: [{ idpIdQuery: { id } }] });
    expect(list['result']).toEqual([idp]);
    expect(JSON.stringify([idp, list])).not.toMatch(new RegExp(`${SETTING_SECRET}|${CODE_HOST_SECRET}|ecret`));
  });

  it('has proved who signs in if that was demanded: an extension says no time [ACC-018]', async () => {
    const id = await kinds.hostileProvider();
    for (const demand of [{}, { max_age: 600 }, { prompt: 'login' }]) {
      const subject = `timeless-${Object.keys(demand).join('') || 'none'}`;
      HostileKind.does.redeem = () => ({ subject, email: `${subject}@mail.test`, emailVerified: true });
      const party = web.elsewhere();
      const state = new URL(await leave(party, id, demand)).searchParams.get('state') ?? '';
      await statusOf(party, id, { state, code: 'a-code' });
      const sessions = await world.rows(
        `SELECT s.external_proved_at AS "provedAt"
         FROM session s JOIN idp_link l ON l.user_id = s.user_id WHERE l.idp_id = $1 AND l.external_user_id = $2`,
        [id, subject],
      );
      expect([subject, sessions]).toEqual([
        subject,
        [{ provedAt: Object.keys(demand).length === 0 ? null : world.clock.now() }],
      ]);
    }
  });

  it('is updated as a whole, but for secrets that are empty, and the journal names no secret', async () => {
    const { id } = await kinds.add();
    const path = `/admin/v1/idps/${id}/extension_config`;
    const settings = { base: code.base, depth: 5 };
    await admin.call('PUT', path, { clientId: 'another', settings });
    const { idp } = await admin.call('GET', `/admin/v1/idps/${id}`);
    expect((idp as { extensionConfig: object }).extensionConfig).toMatchObject({
      clientId: 'another',
      settings: { base: code.base, teams: [], isStrict: false, depth: 5 },
    });
    await leave(web, id);
    expect(HostKind.seen?.signingSecret).toBe(SETTING_SECRET);
    expect(await admin.verdict('PUT', path, { clientId: 'another', settings })).toBe('400 idp.unchanged');
    world.plant('another-signing-secret');
    await admin.call('PUT', path, {
      clientId: 'another',
      settings: { ...settings, signingSecret: 'another-signing-secret' },
    });
    await leave(web, id);
    expect(HostKind.seen?.signingSecret).toBe('another-signing-secret');
    const events = await world.rows<{ type: string; payload: unknown }>(
      `SELECT type, payload FROM event WHERE payload->>'idpConfigId' = $1 ORDER BY position`,
      [id],
    );
    expect(events.map(({ type }) => type).filter((type) => type.includes('extension'))).toEqual([
      'iam.idp.extension.config.added',
      'iam.idp.extension.config.changed',
      'iam.idp.extension.config.changed',
    ]);
    expect(events.at(-1)!.payload).toEqual({ idpConfigId: id, secretSettingsChanged: true });
    expect(world.secretsIn(JSON.stringify(events))).toEqual([]);
    expect(await admin.verdict('PUT', path, { settings: {} })).toBe('400 settings.base');
    expect(
      await admin.verdict('PUT', `/admin/v1/idps/${id}/oidc_config`, {
        issuer: 'https://a.example',
        clientId: 'a',
        scopes: [],
      }),
    ).toBe('400 idp.other_type');
  });

  it('belongs to an organization as well, and to nobody else', async () => {
    const own = await owner.call<Added>('POST', '/management/v1/idps/extension', kinds.body());
    const { idp } = await owner.call('GET', `/management/v1/idps/${own.id}`);
    expect(idp).toMatchObject({ owner: 'IDP_OWNER_TYPE_ORG', extensionConfig: { kind: 'ext:host' } });
    const other = (await callerWith(world, await world.cast.orgB, ['ORG_OWNER'])).api;
    expect(await other.verdict('GET', `/management/v1/idps/${own.id}`)).toBe('404 idp.not_found');
    expect(
      await other.verdict('PUT', `/management/v1/idps/${own.id}/extension_config`, { settings: { base: code.base } }),
    ).toBe('404 idp.not_found');
    const reader = (await callerWith(world, org, ['ORG_OWNER_VIEWER'])).api;
    expect(await reader.verdict('POST', '/management/v1/idps/extension', kinds.body())).toMatch(/^403/);
    expect(await owner.verdict('POST', '/admin/v1/idps/extension', kinds.body())).toMatch(/^403/);
  });

  it('is listed by a login policy, and among the links of a user, as of an extension', async () => {
    const { id } = await kinds.add();
    const bob = await world.add.person({ orgId: org.id });
    await link(world, id, bob.id, bob.orgId, '4711');
    const { result } = await owner.call('POST', `/management/v1/users/${bob.id}/idps/_search`, {});
    expect(result).toMatchObject([{ idpId: id, idpType: 'IDP_TYPE_EXTENSION' }]);
  });
});

describe('A provider whose extension is not loaded', () => {
  it('is shown as unavailable, is not offered, can be removed, and the log says so once', async () => {
    const { id } = await kinds.add({ name: 'Left alone' });
    const bare = await startWorld({ replicaOf: world, extensions: [hostile], env: OUTBOUND });
    try {
      const there = new AdminApi(bare.origin, admin.token);
      const { idp } = await there.call('GET', `/admin/v1/idps/${id}`);
      expect(idp).toMatchObject({
        extensionConfig: { kind: 'ext:host', isAvailable: false, settings: { base: code.base } },
      });
      const party = new RelyingParty(bare, await world.cast.web1);
      const page = await begin(party);
      expect(page.all('.providers button').map(({ text }) => text)).not.toContain('Continue with Left alone');
      await expect(leave(party, id)).rejects.toThrow(/403/);
      await begin(party.elsewhere());
      const lines = bare
        .logText()
        .split('\n')
        .filter((line) => line.includes('not offered') && line.includes(id));
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, kind: 'ext:host', idpId: id });
      expect(
        await there.verdict('PUT', `/admin/v1/idps/${id}/extension_config`, { settings: { base: code.base } }),
      ).toBe('400 idp.kind_unavailable');
      expect(await there.call('POST', `/admin/v1/idps/${id}/_test`, {})).toMatchObject({
        ok: false,
        parts: [{ part: 'extension', ok: false }],
      });
      await there.call('DELETE', `/admin/v1/idps/${id}`);
    } finally {
      await bare.close();
    }
  });

  it('is a reason not to start, unless the extension says otherwise', () => {
    const { required } = defineExtension({
      id: 'host',
      version: '1.0.0',
      gatehouse: '>=0.1.0',
      module: HostModule,
      provides: [provide(IDP_KIND, HostKind)],
    });
    expect(required).toBe(true);
    expect(host.required).toBe(false);
  });
});

describe('Secrets of a provider of an extension', () => {
  it('are sealed, and survive a change of the master key', async () => {
    const { id } = await kinds.add();
    const key = { ...OUTBOUND, MASTER_KEY: 'the master key that comes next to it' };
    const young = await startWorld({
      replicaOf: world,
      extensions: [host],
      env: { ...key, MASTER_KEY_PREVIOUS: world.config.secrets.masterKey!.reveal() },
    });
    await young.close();
    const alone = await startWorld({ replicaOf: world, extensions: [host], env: key });
    try {
      const [instance] = await world.rows<{ id: string }>('SELECT id FROM instance');
      const idp = await alone.get(IdpService).get([instance!.id], id);
      expect(alone.get(IdpSecrets).openSettings(idp)).toEqual({ signingSecret: SETTING_SECRET });
      expect(alone.get(IdpSecrets).openClientSecret(idp)).toBe(CODE_HOST_SECRET);
      expect(JSON.stringify(idp.settings) + idp.secretSettings).not.toContain(SETTING_SECRET);
    } finally {
      await alone.close();
      const again = await startWorld({
        replicaOf: world,
        extensions: [host],
        env: { ...OUTBOUND, MASTER_KEY: world.config.secrets.masterKey!.reveal(), MASTER_KEY_PREVIOUS: key.MASTER_KEY },
      });
      await again.close();
    }
  });
});

describe('The document of the API', () => {
  it('says which settings each kind has, secrets only where they are sent', async () => {
    const { components } = (await send(world.origin, { path: '/docs-json' })).json<{
      components: { schemas: Record<string, { properties: Record<string, { anyOf?: unknown }> }> };
    }>();
    const added = components.schemas['AddExtensionProviderRequest']!.properties['settings'];
    expect(added?.anyOf).toMatchObject([
      {
        title: 'ext:host',
        required: ['base'],
        properties: {
          base: { type: 'string', minLength: 1, description: 'Where the host is.' },
          signingSecret: { writeOnly: true },
          teams: { type: 'array', maxItems: 3 },
          isStrict: { type: 'boolean' },
          depth: { maximum: 9 },
        },
      },
      { title: 'ext:hostile-one' },
    ]);
    expect(components.schemas['IdpExtensionConfig']!.properties['settings']!.anyOf).toBeUndefined();
  });
});
