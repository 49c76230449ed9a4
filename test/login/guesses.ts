import type { Page } from '../support/browser.js';
import type { RelyingParty } from '../support/relying-party.js';
import type { World, WorldOptions } from '../support/world.js';
import { errorsOf } from './turns.js';

/** Failures within a quarter of an hour (`session/proof/limits.ts`). */
export const PER_ACCOUNT = 10;
export const PER_ADDRESS = 100;

export const WRONG = 'Wrong-Password-1';
export const REFUSED = 'The login name or the password is not correct.';

/** The first hop is believed, as behind a proxy, so that a test can come from many addresses. */
export const BEHIND_PROXY = {
  loginLimits: 'on',
  env: { TRUSTED_PROXIES: '127.0.0.1' },
} as const satisfies WorldOptions;

let addresses = 0;

/** The client's browser, at an address of its own. */
export function from(client: RelyingParty, address = `198.51.100.${(addresses += 1)}`): RelyingParty {
  client.browser.headers = { 'X-Forwarded-For': address };
  return client;
}

/** `signed in`, or the status and what the page says. */
export async function attempt(client: RelyingParty, page: Page, password: string): Promise<string> {
  const arrival = await client.browser.submit(page, { password });
  return arrival.redirect === undefined ? `${arrival.page.status} ${errorsOf(arrival.page).join()}` : 'signed in';
}

export async function attempts(client: RelyingParty, page: Page, count: number): Promise<string[]> {
  const answers: string[] = [];
  for (let n = 0; n < count; n += 1) answers.push(await attempt(client, page, WRONG));
  return answers;
}

/** The counters of a world, by what they count. */
export async function failuresIn(world: World): Promise<number[]> {
  const rows = await world.rows<{ failures: number }>(
    `SELECT failures FROM attempt WHERE window_ends_at > $1 AND failures > 0 ORDER BY key`,
    [world.clock.now()],
  );
  return rows.map((row) => row.failures);
}
