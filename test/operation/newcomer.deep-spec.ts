import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as library from 'openid-client';
import { type Arrival, Browser } from '../support/browser.js';
import { freePort } from '../support/free-port.js';
import { send } from '../support/http.js';
import { bearer } from '../support/relying-party.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_LIMIT_MS = 60_000;
const SCOPE = 'openid email offline_access';

interface FirstRun {
  readonly issuer: string;
  readonly adminUserId: string;
  readonly adminLoginName: string;
  readonly adminPassword: string;
  readonly pat: string;
  readonly demoClientId: string;
  readonly demoRedirectUri: string;
}

let dataDir: string;
let env: Readonly<Record<string, string>>;
let running: Started | undefined;

interface Started {
  readonly child: ChildProcess;
  readonly text: string;
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-newcomer-'));
  const [port, demoPort] = [await freePort(), await freePort()];
  env = { PORT: String(port), DEMO_PORT: String(demoPort), DATA_DIR: dataDir };
  running = await npmStart();
}, START_LIMIT_MS);

afterAll(async () => {
  await stop('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

/** What `npm start` runs, on the embedded database, with nothing set but where it stands. */
async function npmStart(
  command: readonly [string, ...string[]] = [process.execPath, 'scripts/start.mjs'],
): Promise<Started> {
  const [program, ...values] = command;
  const child = spawn(program, values, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const deadline = Date.now() + START_LIMIT_MS;
  while (!/Ready in [\d.]+ s\n/.test(text)) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The service did not start:\n${text}`);
    await sleep(20);
  }
  return { child, text };
}

async function stop(signal: NodeJS.Signals): Promise<number | null> {
  if (!running) return null;
  const { child } = running;
  running = undefined;
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill(signal);
  return exit;
}

function firstRun(): FirstRun {
  return JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
}

/** What says that a database runs in the folder. */
function traces(): string[] {
  return [join('postgres', 'postmaster.pid'), 'postgres.owner'].filter((name) => existsSync(join(dataDir, name)));
}

const origin = (): string => `http://127.0.0.1:${env['PORT']}`;

const newBrowser = (): Browser => new Browser({ issuer: firstRun().issuer, origin: origin(), plant: () => undefined });

/** A sign-in of the administrator at the demo application, with a library. */
class SignIn {
  private constructor(
    readonly config: library.Configuration,
    readonly browser: Browser,
    private readonly url: URL,
    private readonly verifier: string,
  ) {}

  static async begin(browser = newBrowser(), over: Record<string, string> = {}): Promise<SignIn> {
    const { issuer, demoClientId, demoRedirectUri } = firstRun();
    const config = await library.discovery(new URL(issuer), demoClientId, undefined, library.None(), {
      execute: [library.allowInsecureRequests],
    });
    const verifier = library.randomPKCECodeVerifier();
    const url = library.buildAuthorizationUrl(config, {
      redirect_uri: demoRedirectUri,
      scope: SCOPE,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...over,
    });
    return new SignIn(config, browser, url, verifier);
  }

  async open(): Promise<Arrival> {
    return this.browser.get(this.url.href);
  }

  async toPassword(): Promise<Arrival> {
    const { page } = await this.open();
    return this.browser.submit(page!, { loginName: firstRun().adminLoginName });
  }

  async enterPassword({ page }: Arrival): Promise<URL> {
    const { redirect } = await this.browser.submit(page!, { password: firstRun().adminPassword });
    return new URL(redirect!);
  }

  async redeem(back: URL): Promise<Awaited<ReturnType<typeof library.authorizationCodeGrant>>> {
    return library.authorizationCodeGrant(this.config, back, { pkceCodeVerifier: this.verifier });
  }
}

describe('npm start, on a machine with nothing but Node', () => {
  it('prints where everything is, and at last that it is ready', () => {
    const { issuer, adminPassword } = firstRun();
    const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    expect(issuer).toBe(`http://localhost:${env['PORT']}`);
    expect(running!.text.slice(running!.text.indexOf('  Gatehouse'))).toMatch(
      new RegExp(
        [
          `^  Gatehouse \\d+\\.\\d+\\.\\d+   development \\(data in ${literal(dataDir)}, embedded PostgreSQL 18\\)`,
          `  Issuer            ${literal(issuer)}`,
          `  API docs          ${literal(issuer)}/docs .*`,
          `  Demo application  http://127\\.0\\.0\\.1:${env['DEMO_PORT']} .*`,
          `  Mailbox           ${literal(issuer)}/dev/mail`,
          `  Administrator     admin@acme\\.localhost / ${literal(adminPassword)} .*first-run\\.json\\)`,
          `  Token for scripts ${literal(join(dataDir, 'admin.pat'))} .*curl -H .*\\\\`,
          ` +${literal(issuer)}/admin/v1/text/default/message/init/en`,
          '  Ready in \\d+\\.\\d s\\n$',
        ].join('\\n'),
      ),
    );
  });

  it('leaves secrets in files that only their owner may read', () => {
    for (const name of ['first-run.json', 'admin.pat', 'master.key'])
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  it('serves the operation that it names, with the token that it wrote', async () => {
    const token = readFileSync(join(dataDir, 'admin.pat'), 'utf8').trim();
    const reply = await send(origin(), { path: '/admin/v1/text/default/message/init/en', headers: bearer(token) });
    expect([reply.status, reply.json<{ customText: { isDefault: boolean } }>().customText.isDefault]).toEqual([
      200,
      true,
    ]);
  });

  it(
    'has everything that was answered still true after kill -9 and another start, which shows no secret',
    async () => {
      const { adminPassword, adminUserId, pat } = firstRun();
      const api = { headers: bearer(pat), path: '/admin/v1/text/default/message/init/en' };
      const first = await SignIn.begin();
      const spent = await first.enterPassword(await first.toPassword());
      const tokens = await first.redeem(spent);
      const refreshed = await library.refreshTokenGrant(first.config, tokens.refresh_token!);
      const second = await SignIn.begin(first.browser);
      const revoked = await second.redeem(new URL((await second.open()).redirect!));
      await library.tokenRevocation(second.config, revoked.refresh_token!);
      const third = await SignIn.begin(first.browser);
      const unspent = new URL((await third.open()).redirect!);
      const underWay = await SignIn.begin();
      const atPassword = await underWay.toPassword();

      await stop('SIGKILL');
      running = await npmStart();

      expect(running.text).not.toContain(adminPassword);
      expect(running.text).not.toContain(pat);
      expect(running.text).toMatch(/ {2}Administrator {5}see .*first-run\.json/);
      expect((await send(origin(), api)).status).toBe(200);
      expect((await third.redeem(unspent)).claims()?.sub).toBe(adminUserId);
      expect((await library.fetchUserInfo(first.config, refreshed.access_token, adminUserId)).sub).toBe(adminUserId);
      await expect(library.refreshTokenGrant(second.config, revoked.refresh_token!)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      await expect(library.fetchUserInfo(second.config, revoked.access_token, adminUserId)).rejects.toMatchObject({
        code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
      });
      const silent = await SignIn.begin(first.browser, { prompt: 'none' });
      expect((await silent.open()).redirect).toContain('code=');
      expect((await underWay.redeem(await underWay.enterPassword(atPassword))).claims()?.sub).toBe(adminUserId);
      await expect(first.redeem(spent)).rejects.toMatchObject({ error: 'invalid_grant' });
      await expect(library.refreshTokenGrant(first.config, refreshed.refresh_token!)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    },
    START_LIMIT_MS,
  );

  it(
    'keeps every sign-out from before kill -9',
    async () => {
      const signIn = await SignIn.begin();
      const tokens = await signIn.redeem(await signIn.enterPassword(await signIn.toPassword()));
      await signIn.browser.get(library.buildEndSessionUrl(signIn.config, { id_token_hint: tokens.id_token! }).href);
      await stop('SIGKILL');
      running = await npmStart();
      const silent = await SignIn.begin(signIn.browser, { prompt: 'none' });
      expect((await silent.open()).redirect).toContain('error=login_required');
      await expect(
        library.fetchUserInfo(signIn.config, tokens.access_token, firstRun().adminUserId),
      ).rejects.toMatchObject({ code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' });
    },
    START_LIMIT_MS,
  );

  it('ends with 0 at SIGTERM, and the database with it', async () => {
    expect(await stop('SIGTERM')).toBe(0);
    expect(traces()).toEqual([]);
  });

  it(
    'ends as well when npm gets the signal, whose shell may not hand it on',
    async () => {
      running = await npmStart(['npm', 'start']);
      await stop('SIGTERM');
      const deadline = Date.now() + 10_000;
      while (traces().length > 0 && Date.now() < deadline) await sleep(50);
      expect(traces()).toEqual([]);
      await expect(send(origin(), { path: '/health/live' })).rejects.toThrow('ECONNREFUSED');
    },
    START_LIMIT_MS,
  );
});
