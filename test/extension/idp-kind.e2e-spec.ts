import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Count, Flag, Moment, Text, Texts } from '../../src/admin/wire/fields.js';
import { defineExtension, type Extension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { paths } from '../../src/foundation/page/paths.js';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { IdpService } from '../../src/idp/idp.service.js';
import {
  IDP_KIND,
  IdpAnswerRefused,
  type IdpHttp,
  type IdpIdentity,
  type IdpKind,
  type IdpLeaving,
  type IdpReturn,
} from '../../src/idp/idp-kind.js';
import { IdpSecrets } from '../../src/idp/idp-secrets.js';
import { OwnKinds } from '../../src/idp/own-kinds.js';
import { leave, link, linksOf, OUTBOUND } from '../idp/external.js';
import { begin } from '../login/turns.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { CODE_HOST_CLIENT, CODE_HOST_SECRET, CodeHost } from '../support/code-host.js';
import { type Parameters, send, toQuery } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const SETTING_SECRET = 'second-secret-of-the-host-77';

class HostSettings {
  @Text(1, { min: 1, max: 200, description: 'Where the host is.', example: 'https://code.example.com' })
  readonly base!: string;

  @Text(2, { max: 200, writeOnly: true, description: 'Signs what is sent there.' })
  readonly signingSecret!: string;

  @Texts(3, { maxItems: 3 })
  readonly teams!: readonly string[];

  @Flag(4)
  readonly isStrict!: boolean;

  @Count(5, { max: 9 })
  readonly depth!: number;
}

/** A code host as `examples/github` reads it. */
@Injectable()
class HostKind implements IdpKind<HostSettings> {
  static seen: HostSettings | undefined;
  readonly kind = 'ext:host';
  readonly settings = HostSettings;

  authorizationUrl({ settings, clientId, callbackUrl, state, codeChallenge }: IdpLeaving<HostSettings>): string {
    HostKind.seen = settings;
    return `${settings.base}/login/oauth/authorize?${new URLSearchParams({
      client_id: clientId,
      redirect_uri: callbackUrl,
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    }).toString()}`;
  }

  async redeem(back: IdpReturn<HostSettings>, http: IdpHttp): Promise<IdpIdentity> {
    const form = {
      client_id: back.clientId,
      client_secret: back.clientSecret,
      redirect_uri: back.callbackUrl,
      code: back.code,
      code_verifier: back.codeVerifier,
    };
    const exchanged = await http.send({ url: `${back.settings.base}/login/oauth/access_token`, form });
    const { access_token: token, error } = exchanged.json<{ access_token?: string; error?: string }>();
    if (token === undefined) throw new IdpAnswerRefused(error);
    const headers = { Authorization: `Bearer ${token}` };
    const ask = async <T>(path: string): Promise<T> => {
      const reply = await http.send({ url: `${back.settings.base}/api/v3${path}`, headers });
      if (reply.status !== 200) throw new Error(`status ${reply.status}`);
      return reply.json<T>();
    };
    const { id, login } = await ask<{ id: unknown; login: string }>('/user');
    const [first] = await ask<Array<{ email: string; verified: boolean }>>('/user/emails');
    return {
      subject: (typeof id === 'number' ? String(id) : id) as string,
      preferredUserName: login,
      ...(first ? { email: first.email, emailVerified: first.verified } : {}),
    };
  }
}

/** A kind that does whatever a test wants. */
@Injectable()
class HostileKind implements IdpKind {
  static does: { [Name in 'authorizationUrl' | 'redeem']?: (...given: never[]) => unknown } = {};
  readonly kind = 'ext:hostile-one';
  readonly settings = class {};

  authorizationUrl(...given: unknown[]): string {
    const plain = ({ state }: IdpLeaving) => `https://elsewhere.example/?state=${state}`;
    return (HostileKind.does.authorizationUrl ?? plain)(...(given as never[])) as string;
  }

  async redeem(...given: unknown[]): Promise<IdpIdentity | undefined> {
    return (await HostileKind.does.redeem?.(...(given as never[]))) as IdpIdentity;
  }
}

@Module({ providers: [HostKind] })
class HostModule {}

@Module({ providers: [HostileKind] })
class HostileModule {}

const base = { version: '1.0.0', gatehouse: '>=0.1.0', required: false };
const host = defineExtension({ ...base, id: 'host', module: HostModule, provides: [provide(IDP_KIND, HostKind)] });
const hostile = defineExtension({
  ...base,
  id: 'hostile',
  module: HostileModule,
  provides: [provide(IDP_KIND, HostileKind)],
});
const LIMITS = new Timeouts(1_000, 1_500);

let world: World;
let code: CodeHost;
let org: TestOrg;
let admin: AdminApi;
let owner: AdminApi;
let web: RelyingParty;

beforeAll(async () => {
  code = await CodeHost.start();
  world = await startWorld({ extensions: [host, hostile], env: OUTBOUND, timeouts: LIMITS });
  org = await world.add.org('kinds.test');
  admin = (await callerWith(world, org, ['IAM_OWNER'])).api;
  owner = (await callerWith(world, org, ['ORG_OWNER'])).api;
  for (const secret of [CODE_HOST_SECRET, SETTING_SECRET]) world.plant(secret);
});
beforeEach(async () => {
  world.clock.advance('1m');
  web = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  code.misdeeds = {};
  HostileKind.does = {};
});
afterAll(async () => {
  await code.close();
  await world.close();
});

interface Added {
  readonly id: string;
  readonly callbackUrl: string;
  readonly state: string;
  readonly parts: ReadonlyArray<{ part: string; ok: boolean; detail: string }>;
}

let count = 0;
const body = (over: object = {}): Record<string, unknown> => {
  count += 1;
  return {
    name: `Code host ${count}`,
    kind: 'ext:host',
    clientId: CODE_HOST_CLIENT,
    clientSecret: CODE_HOST_SECRET,
    settings: { base: code.base, signingSecret: SETTING_SECRET, teams: ['a'], depth: 2 },
    ...over,
  };
};

/** A provider of the instance. */
async function add(over: object = {}): Promise<Added> {
  const added = await admin.call<Added>('POST', '/admin/v1/idps/extension', body(over));
  await world.changesToArrive();
  return added;
}

const hostileProvider = async (): Promise<string> =>
  (await add({ kind: 'ext:hostile-one', settings: {}, clientSecret: '', providerOptions: { isAutoCreation: true } }))
    .id;

const logged = (from: number): Array<Record<string, unknown>> =>
  world
    .logText()
    .slice(from)
    .split('\n')
    .filter((line) => line.includes('an extension failed'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** The status of the page to which a browser returns. */
async function statusOf(party: RelyingParty, id: string, answer: Parameters): Promise<number> {
  return party.browser.request('GET', `${paths.externalCallback}/${id}?${toQuery(answer)}`).then(
    ({ status }) => status,
    // A browser of these tests takes no 5xx for an answer.
    (error: Error) => Number(/answered (\d+)/.exec(error.message)?.[1]),
  );
}

/** Back from a provider with a code: the status of the page. */
async function comeHome(id: string, party = web): Promise<number> {
  const state = new URL(await leave(party, id)).searchParams.get('state') ?? '';
  return statusOf(party, id, { state, code: 'a-code' });
}

describe('A provider of a kind of an extension', () => {
  it('is tested when it is added, and has a callback of its own', async () => {
    const added = await add();
    expect(added).toMatchObject({
      state: 'IDP_STATE_ACTIVE',
      callbackUrl: `${world.issuer}${paths.externalCallback}/${added.id}`,
      parts: [
        { part: 'extension', ok: true, detail: 'The extension host has the kind ext:host.' },
        { part: 'authorization_endpoint', ok: true, detail: `It is ${code.base}.` },
      ],
    });
    const broken = await add({ settings: { base: 'http://10.0.0.1' } });
    expect([broken.state, broken.parts[1]!.ok]).toEqual(['IDP_STATE_INACTIVE', false]);
  });

  it('has settings that are read as the class declares them, and given to the kind with their secrets', async () => {
    const { id } = await add({ settings: { base: code.base, signing_secret: SETTING_SECRET, unknown: 1, depth: '3' } });
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
    expect(await admin.verdict('POST', '/admin/v1/idps/extension', body(over))).toBe(verdict);
  });

  it('shows its kind and settings without secrets, in the list as well', async () => {
    const { id } = await add({ name: 'Shown' });
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
    const id = await hostileProvider();
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
    const { id } = await add();
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
      await admin.verdict('PUT', `/admin/v1/idps/${id}/oidc_config`, { issuer: 'https://a.example', clientId: 'a' }),
    ).toBe('400 idp.other_type');
  });

  it('belongs to an organization as well, and to nobody else', async () => {
    const own = await owner.call<Added>('POST', '/management/v1/idps/extension', body());
    const { idp } = await owner.call('GET', `/management/v1/idps/${own.id}`);
    expect(idp).toMatchObject({ owner: 'IDP_OWNER_TYPE_ORG', extensionConfig: { kind: 'ext:host' } });
    const other = (await callerWith(world, await world.cast.orgB, ['ORG_OWNER'])).api;
    expect(await other.verdict('GET', `/management/v1/idps/${own.id}`)).toBe('404 idp.not_found');
    expect(
      await other.verdict('PUT', `/management/v1/idps/${own.id}/extension_config`, { settings: { base: code.base } }),
    ).toBe('404 idp.not_found');
    const reader = (await callerWith(world, org, ['ORG_OWNER_VIEWER'])).api;
    expect(await reader.verdict('POST', '/management/v1/idps/extension', body())).toMatch(/^403/);
    expect(await owner.verdict('POST', '/admin/v1/idps/extension', body())).toMatch(/^403/);
  });

  it('is listed by a login policy, and among the links of a user, as of an extension', async () => {
    const { id } = await add();
    const bob = await world.add.person({ orgId: org.id });
    await link(world, id, bob.id, bob.orgId, '4711');
    const { result } = await owner.call('POST', `/management/v1/users/${bob.id}/idps/_search`, {});
    expect(result).toMatchObject([{ idpId: id, idpType: 'IDP_TYPE_EXTENSION' }]);
  });
});

describe('A provider whose extension is not loaded', () => {
  it('is shown as unavailable, is not offered, can be removed, and the log says so once', async () => {
    const { id } = await add({ name: 'Left alone' });
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
    const { id } = await add();
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

describe('An export with a provider of an extension', () => {
  interface Entry {
    readonly idpId: string;
    readonly idp: { readonly kind: string; readonly clientSecret?: string; readonly settings: object };
  }
  const exported = async (orgId: string, withPasswords: boolean) =>
    admin.call<{ orgs: [{ orgId: string; extensionIdps: Entry[] }] }>('POST', '/admin/v1/export', {
      orgIds: [orgId],
      withPasswords,
    });
  let source: TestOrg;
  let id: string;

  beforeAll(async () => {
    source = await world.add.org('moving.test');
    const { api } = await callerWith(world, source, ['ORG_OWNER']);
    id = (await api.call<Added>('POST', '/management/v1/idps/extension', body({ name: 'Moving' }))).id;
  });

  it('has its settings, and secrets only where passwords are exported', async () => {
    const { orgs } = await exported(source.id, true);
    expect(orgs[0].extensionIdps).toEqual([
      {
        idpId: id,
        state: 'IDP_STATE_ACTIVE',
        idp: {
          name: 'Moving',
          kind: 'ext:host',
          clientId: CODE_HOST_CLIENT,
          clientSecret: CODE_HOST_SECRET,
          settings: { base: code.base, signingSecret: SETTING_SECRET, teams: ['a'], isStrict: false, depth: 2 },
        },
      },
    ]);
    const without = await exported(source.id, false);
    expect(world.secretsIn(JSON.stringify(without))).toEqual([]);
    expect(without.orgs[0].extensionIdps[0]!.idp.settings).toMatchObject({ base: code.base, depth: 2 });
  });

  it('is imported with its secrets where the kind is known, and counts as the same if it is there', async () => {
    const [{ extensionIdps }] = (await exported(source.id, true)).orgs;
    const moved = {
      orgId: 'moved-org',
      org: { name: 'Moved' },
      extensionIdps: extensionIdps.map((entry) => ({ ...entry, idpId: '777000111' })),
    };
    for (let time = 0; time < 2; time += 1) {
      const { success } = await admin.call<{ success: { orgs: Array<{ extensionIdps: string[] }> } }>(
        'POST',
        '/admin/v1/import',
        { dataOrgs: { orgs: [moved] } },
      );
      expect(success.orgs[0]!.extensionIdps).toEqual(['777000111']);
    }
    const idp = await world.get(IdpService).get(['moved-org'], '777000111');
    expect(world.get(IdpSecrets).openSettings(idp)).toEqual({ signingSecret: SETTING_SECRET });
    expect(world.get(IdpSecrets).openClientSecret(idp)).toBe(CODE_HOST_SECRET);
    expect(idp).toMatchObject({
      type: 'ext:host',
      settings: { base: code.base, teams: ['a'], isStrict: false, depth: 2 },
    });
  });

  it('is refused where settings do not fit or no extension has the kind, and names the entry', async () => {
    const [first] = (await exported(source.id, true)).orgs;
    const importing = (entry: object, caller = admin) =>
      caller.verdict('POST', '/admin/v1/import', {
        dataOrgs: {
          orgs: [{ orgId: 'other-org', org: { name: 'Other' }, extensionIdps: [{ idpId: '777000112', idp: entry }] }],
        },
      });
    const { idp } = first.extensionIdps[0]!;
    expect(await importing({ ...idp, kind: 'ext:elsewhere' })).toBe('400 orgs[0].extensionIdps[0].idp.kind');
    expect(await importing({ ...idp, settings: { depth: 10 } })).toBe(
      '400 orgs[0].extensionIdps[0].idp.settings.base, orgs[0].extensionIdps[0].idp.settings.depth',
    );
    const bare = await startWorld({ replicaOf: world, extensions: [hostile], env: OUTBOUND });
    try {
      expect(await importing(idp, new AdminApi(bare.origin, admin.token))).toBe(
        '400 orgs[0].extensionIdps[0].idp.kind',
      );
    } finally {
      await bare.close();
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

describe('A hostile kind', () => {
  const forever = () => new Promise(() => undefined);
  const defect = () => {
    throw new Error('the library is gone');
  };

  it.each<[string, (...given: never[]) => unknown]>([
    ['throws', defect],
    ['hangs', forever],
    ['answers nothing', () => undefined],
    ['answers an object', () => ({ href: 'https://a.example' })],
    ['answers two megabytes', () => `https://a.example/${'x'.repeat(2_000_000)}`],
    ['answers a script', () => 'javascript:alert(1)'],
    ['sends browsers to a private address', () => 'https://10.0.0.1/login'],
    ['sends browsers away without encryption', () => 'http://a.example/login'],
    ['calls a private address', (_: unknown, http: IdpHttp) => http.send({ url: 'https://10.0.0.1/x' }).then(defect)],
  ])('that %s when a browser leaves: a page with 502, and the log names it', async (what, broken) => {
    const id = await hostileProvider();
    const from = world.logText().length;
    HostileKind.does = { authorizationUrl: broken };
    await expect(leave(web, id)).rejects.toThrow('answered 502');
    if (what !== 'calls a private address')
      expect(logged(from)[0]).toMatchObject({ extension: 'hostile', seam: 'IDP_KIND', part: 'HostileKind' });
    expect(world.logText().slice(from)).toMatch(
      what === 'calls a private address' ? /outbound\.address_refused/ : /HostileKind/,
    );
  });

  it.each<[string, (...given: never[]) => unknown]>([
    ['throws', defect],
    ['hangs', forever],
    ['answers a text', () => 'somebody'],
    ['answers null', () => null],
    ['answers a number as the subject', () => ({ subject: 7 })],
    ['answers an empty subject', () => ({ subject: '' })],
    ['answers a subject with a control character', () => ({ subject: 'a\u0000b' })],
    ['answers a subject of 256 characters', () => ({ subject: 'x'.repeat(256) })],
    ['answers a subject of two megabytes', () => ({ subject: 'x'.repeat(2_000_000) })],
    [
      'answers a subject that throws',
      () => ({
        get subject() {
          return defect();
        },
      }),
    ],
  ])('that %s when a browser returns: a page with 502, nobody signed in, and the log names it', async (_, broken) => {
    const id = await hostileProvider();
    const from = world.logText().length;
    HostileKind.does = { redeem: broken };
    expect(await comeHome(id)).toBe(502);
    expect(await linksOf(world, id)).toEqual([]);
    expect(web.toAnswer(await web.authorize({ prompt: 'none' })).error).toBe('login_required');
    expect(logged(from)[0]).toMatchObject({ extension: 'hostile', seam: 'IDP_KIND', part: 'HostileKind' });
  });

  it('that signs in nobody is a refusal of the provider, not a failure of the extension', async () => {
    const id = await hostileProvider();
    const from = world.logText().length;
    HostileKind.does = { redeem: () => undefined };
    expect(await comeHome(id)).toBe(400);
    HostileKind.does = {
      redeem: () => {
        throw new IdpAnswerRefused('bad_verification_code');
      },
    };
    expect(await comeHome(id, web.elsewhere())).toBe(400);
    expect(logged(from)).toEqual([]);
    expect(world.logText().slice(from)).toContain('bad_verification_code');
  });

  it("that answers another user's data gets none of their account: provider and subject alone decide", async () => {
    const alice = await world.cast.alice;
    const id = await hostileProvider();
    HostileKind.does = {
      redeem: () => ({
        subject: 'mallory',
        userId: alice.id,
        orgId: alice.orgId,
        idpId: 'another',
        session: { userId: alice.id },
        email: alice.email,
        emailVerified: true,
        preferredUserName: alice.userName,
      }),
    };
    await comeHome(id);
    const links = await linksOf(world, id);
    expect(links.map(({ userId }) => userId)).not.toContain(alice.id);
    expect(links.map(({ externalUserId }) => externalUserId)).toEqual(['mallory']);
  });

  it('that changes what it is given changes nothing', async () => {
    const id = await hostileProvider();
    const from = world.logText().length;
    HostileKind.does = {
      authorizationUrl: (leaving: { state: string }) => {
        leaving.state = 'mine';
        return 'https://a.example';
      },
    };
    await expect(leave(web, id)).rejects.toThrow('answered 502');
    expect(logged(from)).toHaveLength(1);
  });

  it.each<[string, () => Promise<unknown>, number]>([
    ['was too slow', forever, 502],
    ['has answered', async () => ({ subject: 'kept' }), 200],
  ])(
    'that keeps its connection cannot use it after its call %s; the log names the extension',
    async (_, answer, status) => {
      const id = await hostileProvider();
      let kept: { http: IdpHttp; signal: AbortSignal } | undefined;
      HostileKind.does = {
        redeem: (_: unknown, http: IdpHttp, signal: AbortSignal) => {
          kept = { http, signal };
          return answer();
        },
      };
      expect(await comeHome(id)).toBe(status);
      expect(kept!.signal.aborted).toBe(status === 502);
      const from = world.logText().length;
      for (let use = 0; use < 2; use += 1)
        await expect(kept!.http.send({ url: code.base })).rejects.toThrow('This connection to the provider has ended.');
      const said = world
        .logText()
        .slice(from)
        .match(/"reason":"extension\.handle_kept","extension":"hostile","seam":"IDP_KIND"/g);
      expect(said).toHaveLength(1);
    },
  );
});

describe('A start with a kind', () => {
  const kindOf = (extension: string, over: Partial<IdpKind>) => ({
    extension,
    name: 'Kind',
    part: Object.assign(new HostKind(), over) as unknown as IdpKind,
  });

  it.each([
    'oidc',
    'jwt',
    'ext:other',
    'ext:hos',
    'ext:host ',
    'ext:hostile',
    'ext:host-',
    'ext:host-A',
    'ext:host/x',
    '',
  ])('is refused if the kind is %j', (kind) => {
    expect(IDP_KIND.mistakes([kindOf('host', { kind })])).toEqual([
      `Kind of the extension host has the kind "${kind}". It must be ext:host, or begin with ext:host- and continue with lower-case letters and digits.`,
    ]);
  });

  it.each(['ext:host', 'ext:host-enterprise', 'ext:host-2'])('takes the kind %s', (kind) => {
    expect(IDP_KIND.mistakes([kindOf('host', { kind })])).toEqual([]);
  });

  it('is refused if two extensions have one kind', () => {
    expect(IDP_KIND.mistakes([kindOf('host', {}), kindOf('host', {})])).toEqual([
      'Several classes are the identity provider kind ext:host. Give each its own.',
    ]);
  });

  it('is refused if it has no settings, or settings that no form has', () => {
    expect(IDP_KIND.mistakes([kindOf('host', { settings: undefined as never })])).toEqual([
      expect.stringContaining('Kind of the extension host needs settings'),
    ]);
    class Odd {
      @Moment(1) readonly since?: Date;
      @Flag(2, { writeOnly: true }) readonly isHidden!: boolean;
    }
    const kinds = new OwnKinds([kindOf('host', { settings: Odd })], world.get(OwnKinds)['settings']);
    expect(kinds.mistakes()).toEqual([
      'The settings of Kind of the extension host have the field since, which is none of Text, Texts, Flag and Count. Declare it as one.',
      'The settings of Kind of the extension host have the secret isHidden, which is no text. Declare it as Text.',
    ]);
  });

  it('is refused with all of it, before anything listens', async () => {
    @Injectable()
    class Thief extends HostKind {
      override readonly kind = 'oidc' as never;
    }
    @Module({ providers: [Thief] })
    class ThiefModule {}
    const thief: Extension = defineExtension({
      ...base,
      id: 'thief',
      module: ThiefModule,
      provides: [provide(IDP_KIND, Thief)],
    });
    await expect(startWorld({ replicaOf: world, extensions: [thief] })).rejects.toThrow(
      'Thief of the extension thief has the kind "oidc"',
    );
  });
});
