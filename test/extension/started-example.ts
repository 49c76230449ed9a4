import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import * as library from 'openid-client';
import pg from 'pg';
import { Browser, type Page } from '../support/browser.js';
import type { ServiceProcess } from '../support/service-process.js';

/** The claim of the example `hr`. */
export const COST_CENTRE = 'https://acme.example/cost_centre';

/** A sign-in at the demo application that has just begun: its first page. */
interface Begun {
  readonly config: library.Configuration;
  readonly verifier: string;
  readonly browser: Browser;
  readonly page: Page;
  readonly firstRun: Readonly<Record<string, string>>;
}

export async function begin(service: ServiceProcess, scope: string): Promise<Begun> {
  const firstRun = JSON.parse(readFileSync(join(service.dataDir, 'first-run.json'), 'utf8')) as Record<string, string>;
  const config = await library.discovery(
    new URL(firstRun['issuer']!),
    firstRun['demoClientId']!,
    undefined,
    library.None(),
    { execute: [library.allowInsecureRequests] },
  );
  const verifier = library.randomPKCECodeVerifier();
  const url = library.buildAuthorizationUrl(config, {
    redirect_uri: firstRun['demoRedirectUri']!,
    scope,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const browser = new Browser({ issuer: firstRun['issuer']!, origin: service.origin, plant: () => undefined });
  const { page } = await browser.get(url.href);
  return { config, verifier, browser, page: page!, firstRun };
}

async function userInfoOf(
  { config, verifier }: Begun,
  redirect: string,
): Promise<[library.IDToken, library.UserInfoResponse]> {
  const tokens = await library.authorizationCodeGrant(config, new URL(redirect), { pkceCodeVerifier: verifier });
  const claims = tokens.claims()!;
  return [claims, await library.fetchUserInfo(config, tokens.access_token, claims.sub)];
}

/** Signs in somebody at the identity provider of the first page. */
export async function signInAt(
  service: ServiceProcess,
  answerTo: (url: string) => Record<string, string>,
  callbackUrl: string,
): Promise<library.UserInfoResponse> {
  const begun = await begin(service, 'openid profile email');
  const left = await begun.browser.press(begun.page, 'Continue with GitHub');
  const query = new URLSearchParams(answerTo(left.redirect!));
  let arrival = await begun.browser.get(`${callbackUrl}?${query.toString()}`);
  if (arrival.page?.find('button[name="factor"]'))
    arrival = await begun.browser.submit(arrival.page, { factor: 'skip' });
  if (arrival.redirect === undefined) throw new Error(`Nobody was signed in: ${arrival.page?.text ?? ''}`);
  return (await userInfoOf(begun, arrival.redirect))[1];
}

/** Signs in the administrator of the first start, at its demo application. */
export async function signIn(service: ServiceProcess, scope: string): Promise<library.UserInfoResponse> {
  const begun = await begin(service, scope);
  const { browser, page, firstRun } = begun;
  const atPassword = await browser.submit(page, { loginName: firstRun['adminLoginName']! });
  let arrival = await browser.submit(atPassword.page!, { password: firstRun['adminPassword']! });
  if (arrival.page?.find('button[name="factor"]')) arrival = await browser.submit(arrival.page, { factor: 'skip' });
  if (arrival.page?.heading === 'Our terms of use')
    arrival = await browser.submit(arrival.page, { decision: 'continue', accepted: 'on' });
  const [claims, userinfo] = await userInfoOf(begun, arrival.redirect!);
  expect(claims[COST_CENTRE]).toBe(userinfo[COST_CENTRE]);
  return userinfo;
}

/** Sends JSON as the administrator of the first start. */
export async function ask(service: ServiceProcess, path: string, body: object): Promise<unknown> {
  const token = readFileSync(join(service.dataDir, 'admin.pat'), 'utf8').trim();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const reply = await fetch(`${service.origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return reply.json();
}

/** The employees, as the administrator of the first start reads them by the route of the example. */
export async function listEmployees(service: ServiceProcess): Promise<unknown> {
  const token = readFileSync(join(service.dataDir, 'admin.pat'), 'utf8').trim();
  const reply = await fetch(`${service.origin}/management/v1/ext/hr/employees`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return reply.json();
}

/** Waits for the listener of the example, which runs behind the commit. */
export async function untilProvisioned(service: ServiceProcess): Promise<void> {
  const client = new pg.Client(service.databaseUrl);
  await client.connect();
  try {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50))
      if ((await client.query('SELECT 1 FROM ext_hr.employee')).rowCount === 1) return;
    throw new Error(`The administrator has no cost centre:\n${service.text()}`);
  } finally {
    await client.end();
  }
}
