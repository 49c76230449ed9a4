import type { Arrival } from '../support/browser.js';
import type { RelyingParty } from '../support/relying-party.js';
import { beginPassword } from './turns.js';

/** In a browser of its own. */
export async function signInElsewhere(client: RelyingParty, loginName: string, password: string): Promise<Arrival> {
  const elsewhere = client.elsewhere();
  return elsewhere.browser.submit(await beginPassword(elsewhere, loginName), { password });
}
