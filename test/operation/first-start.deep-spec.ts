import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type TestDatabase, workerDatabase } from '../support/database.js';
import { send } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import { ServiceProcess, startProcess } from '../support/service-process.js';
import { startWorld, type World } from '../support/world.js';

const closers: Array<() => Promise<void>> = [];
afterEach(async () => {
  while (closers.length > 0) await closers.pop()!();
});

async function world(...options: Parameters<typeof startWorld>): Promise<World> {
  const started = await startWorld(...options);
  closers.push(() => started.close());
  return started;
}

async function database(): Promise<TestDatabase> {
  const made = await workerDatabase();
  closers.push(() => made.release());
  return made;
}

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startProcess(env);
  closers.push(() => service.close());
  return service;
}

async function ask<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('The first start', () => {
  it('makes the instance, its organization, administrator, applications, bootstrap token and key, each with its event', async () => {
    const started = await world();
    const { firstStart } = started;
    expect(
      await started.rows('SELECT name, default_language AS language, signing_algorithm AS algorithm FROM instance'),
    ).toEqual([{ name: 'Acme', language: 'en', algorithm: 'RS256' }]);
    expect(await started.rows('SELECT domain, is_verified, is_primary FROM org_domain')).toEqual([
      { domain: 'acme.localhost', is_verified: true, is_primary: true },
    ]);
    expect(
      await started.rows(
        "SELECT user_name, email, email_verified, password_change_required, state FROM user_account WHERE kind = 'human'",
      ),
    ).toEqual([
      {
        user_name: 'admin',
        email: 'admin@acme.localhost',
        email_verified: true,
        password_change_required: false,
        state: 'active',
      },
    ]);
    expect(await started.rows('SELECT roles, level FROM member ORDER BY user_id')).toEqual(
      Array(2).fill({ roles: ['IAM_OWNER'], level: 'instance' }),
    );
    expect(await started.rows('SELECT client_id, auth_method FROM client')).toEqual([
      { client_id: 'swagger', auth_method: 'none' },
    ]);
    expect(await started.rows("SELECT state FROM signing_key WHERE state = 'active'")).toHaveLength(1);
    expect(firstStart.adminLoginName).toBe('admin@acme.localhost');
    const admin = await send(started.origin, {
      path: '/admin/v1/text/default/message/init/en',
      headers: bearer(firstStart.personalAccessToken!.reveal()),
    });
    expect(admin.status).toBe(200);
    const types = (await started.rows<{ type: string }>('SELECT DISTINCT type FROM event')).map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining([
        'instance.added',
        'org.added',
        'project.added',
        'client.oidc.added',
        'user.human.added',
        'user.service.added',
        'key.added',
      ]),
    );
  });

  it('follows the settings', async () => {
    const started = await world({
      env: {
        FIRST_ORG_NAME: 'Umbrella Inc.',
        FIRST_ADMIN_USERNAME: 'root',
        FIRST_ADMIN_EMAIL: 'root@umbrella.test',
        FIRST_ADMIN_PASSWORD: 'Given-Secret-1',
        DEFAULT_LANGUAGE: 'de',
        DEMO_PORT: '65000',
      },
    });
    expect(started.firstStart.adminLoginName).toBe('root@umbrella-inc.localhost');
    expect(await started.rows('SELECT name, default_language AS language FROM instance')).toEqual([
      { name: 'Umbrella Inc.', language: 'de' },
    ]);
    const demo = await started.rows<{ redirect_uris: string[] }>(
      "SELECT redirect_uris FROM client WHERE client_id = 'demo'",
    );
    expect(demo[0]!.redirect_uris[0]).toBe('http://127.0.0.1:65000/');
    const logged = started.logText();
    for (const secret of ['Given-Secret-1', started.firstStart.personalAccessToken!.reveal()])
      expect(logged).not.toContain(secret);
  });

  it('writes what a newcomer needs into files that only their owner may read', async () => {
    const service = await start({});
    const { dataDir } = service;
    for (const name of ['first-run.json', 'admin.pat', 'master.key'])
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
    const written = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as Record<string, string>;
    expect(written).toMatchObject({
      issuer: service.origin.replace('127.0.0.1', 'localhost'),
      adminLoginName: 'admin@acme.localhost',
    });
    for (const name of ['orgId', 'projectId', 'adminUserId', 'adminPassword', 'pat'])
      expect(written[name]).toMatch(/./);
    expect(readFileSync(join(dataDir, 'admin.pat'), 'utf8').trim()).toBe(written['pat']);
    expect(service.text()).toContain(written['adminPassword']);
    const { info } = (await (await fetch(`${service.origin}/docs-json`)).json()) as { info: { description: string } };
    expect(info.description).toContain(`is in \`${join(dataDir, 'admin.pat')}\``);
    expect(service.text()).toMatch(/Ready in \d+\.\d s\n$/);
  });
});

describe('The first start in production', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-first-token-'));
  const tokenPath = join(folder, 'token');
  let service: ServiceProcess;

  beforeAll(async () => {
    service = await startProcess({
      NODE_ENV: 'production',
      MASTER_KEY: 'a master key of production',
      PUBLIC_URL: 'https://id.test',
      FIRST_TOKEN_PATH: tokenPath,
      LOGIN_LIMTS: 'off',
    });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('writes no password into its output, which a log keeps, and only JSON lines', () => {
    const lines = service
      .text()
      .split('\n')
      .filter((line) => line.startsWith('{') || line.startsWith(' '));
    const [said] = lines
      .map((line) => JSON.parse(line) as Record<string, string>)
      .filter(({ msg }) => /^Ready in/.test(msg!));
    expect(said).toMatchObject({
      issuer: 'https://id.test',
      administrator: 'admin@acme.id.test',
      password: 'set one with: gatehouse admin reset-password admin@acme.id.test',
    });
    expect(service.text()).not.toMatch(/-aA1/);
  });

  it('writes a token of an owner of the instance where FIRST_TOKEN_PATH says, for its owner only', async () => {
    expect(statSync(tokenPath).mode & 0o777).toBe(0o600);
    const token = readFileSync(tokenPath, 'utf8').trim();
    expect((await send(service.origin, { path: '/admin/v1/orgs/default', headers: bearer(token) })).status).toBe(200);
    expect(service.text()).not.toContain(token);
  });

  it('names a setting that differs by a letter or two from a known one', async () => {
    const sentence = 'LOGIN_LIMTS is not a setting and has no effect. Did you mean LOGIN_LIMITS?';
    const deadline = Date.now() + 5_000; // the log and the block are two writers of one pipe
    while (!service.text().includes(sentence) && Date.now() < deadline) await sleep(20);
    expect(service.text()).toContain(sentence);
  });
});

describe('A second start', () => {
  it('changes nothing, and prints no secret', async () => {
    const elder = await world();
    const before = await elder.contents();
    const events = await elder.rows('SELECT count(*) FROM event');
    await world({ replicaOf: elder });
    expect(await elder.contents()).toBe(before);
    expect(await elder.rows('SELECT count(*) FROM event')).toEqual(events);
    const service = await start({
      DATABASE_URL: elder.database.url,
      MASTER_KEY: elder.config.secrets.masterKey!.reveal(),
    });
    expect(service.text()).not.toContain(elder.firstStart.adminPassword.reveal());
    expect(service.text()).toContain('Administrator');
  });

  it('at the same time as the first makes one instance', async () => {
    const { url } = await database();
    const env = { DATABASE_URL: url, MASTER_KEY: 'one master key for both' };
    await Promise.all([start(env), start(env), start(env)]);
    expect(await ask(url, 'SELECT count(*)::int AS count FROM instance')).toEqual([{ count: 1 }]);
    expect(await ask(url, 'SELECT count(*)::int AS count FROM org')).toEqual([{ count: 1 }]);
    expect(await ask(url, "SELECT count(*)::int AS count FROM signing_key WHERE state = 'active'")).toEqual([
      { count: 1 },
    ]);
  });
});

describe('A start with another PUBLIC_URL', () => {
  const withPublicUrl = (url: string): Parameters<typeof startWorld>[0] => ({ env: { PUBLIC_URL: url } });

  /** Whether the authorization endpoint begins a sign-in for the API documentation at this address. */
  async function beginsSignIn(at: World, documentation: string): Promise<boolean> {
    const query = new URLSearchParams({
      client_id: 'swagger',
      redirect_uri: `${documentation}/docs/oauth2-redirect.html`,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const { status } = await send(at.origin, { path: `/oauth/v2/authorize?${query}` });
    expect([200, 302, 303, 400]).toContain(status);
    return status < 400;
  }

  it('lets administrators sign in at the API documentation there, and no longer at the earlier address', async () => {
    const [first, second] = ['http://localhost:3000', 'https://id.test:8553'];
    const elder = await world(withPublicUrl(first));
    expect(await beginsSignIn(elder, first)).toBe(true);
    const later = await world({ replicaOf: elder, ...withPublicUrl(second) });
    expect(await beginsSignIn(later, second)).toBe(true);
    expect(await beginsSignIn(later, first)).toBe(false);
    const [client] = await later.rows("SELECT * FROM client WHERE client_id = 'swagger'");
    expect(client).toMatchObject({
      redirect_uris: [`${second}/docs/oauth2-redirect.html`],
      post_logout_redirect_uris: [`${second}/docs`],
      dev_mode: false,
    });
    expect(await later.rows("SELECT editor_id FROM event WHERE type = 'client.settings.changed'")).toHaveLength(1);
  });

  it('moves the demo application as well when its port changes', async () => {
    const elder = await world({ env: { DEMO_PORT: '65001' } });
    await world({ replicaOf: elder, env: { DEMO_PORT: '65002' } });
    expect(await elder.rows("SELECT redirect_uris FROM client WHERE client_id = 'demo'")).toEqual([
      { redirect_uris: ['http://127.0.0.1:65002/', 'http://127.0.0.1:65002/silent.html'] },
    ]);
  });

  it('leaves an application alone that an import brought under the name of a built-in one', async () => {
    const elder = await world();
    const projectId = await elder.add.project({ orgId: elder.firstStart.orgId });
    const { redirectUri } = await elder.add.client({ projectId, clientId: 'demo' });
    await world({ replicaOf: elder, env: { DEMO_PORT: '65003' } });
    expect(await elder.rows("SELECT redirect_uris FROM client WHERE client_id = 'demo'")).toEqual([
      { redirect_uris: [redirectUri] },
    ]);
  });
});

describe('The master key', () => {
  it('that is not the right one stops the start with a message that names the remedy', async () => {
    const elder = await world();
    const wrong = { DATABASE_URL: elder.database.url, MASTER_KEY: 'some other master key' };
    const refusal = await start(wrong).catch((error: Error) => error);
    expect(refusal).toMatchObject({ message: expect.stringMatching(/MASTER_KEY.*MASTER_KEY_PREVIOUS/s) });
    expect((refusal as Error).message).not.toMatch(/some other master key|at .*\.js:\d+/);
  });

  it('is replaced while the old one is listed as previous, and then without it', async () => {
    const elder = await world();
    const old = elder.config.secrets.masterKey!.reveal();
    await start({ DATABASE_URL: elder.database.url, MASTER_KEY: 'the new master key', MASTER_KEY_PREVIOUS: old });
    const later = await start({ DATABASE_URL: elder.database.url, MASTER_KEY: 'the new master key' });
    expect((await send(later.origin, { path: '/oauth/v2/keys' })).status).toBe(200);
    await expect(start({ DATABASE_URL: elder.database.url, MASTER_KEY: old })).rejects.toThrow(/MASTER_KEY/);
  });
});

describe('A database with a newer schema', () => {
  it('stops the start', async () => {
    const elder = await world();
    await elder.rows("INSERT INTO schema_change (timestamp, name) VALUES (99999999999999, 'Later99999999999999')");
    const env = { DATABASE_URL: elder.database.url, MASTER_KEY: elder.config.secrets.masterKey!.reveal() };
    await expect(start(env)).rejects.toThrow(/newer/i);
  });
});
