import type { Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import type { RelyingParty } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { beginPassword, pageOf } from './turns.js';

/** The password that everybody chooses instead. */
export const NEW = 'Another-Horse-8';
export const chosen = { password: NEW, passwordRepeat: NEW };
export const FORGOT = 'Forgot your password?';

export const newPerson = async (world: World): Promise<TestPerson> =>
  world.add.person({ orgId: (await world.cast.orgA).id });

/** From the password page to the one that asks for the name, which stands there already. */
export async function forgot(client: RelyingParty, loginName: string): Promise<Page> {
  return pageOf(await client.browser.press(await beginPassword(client, loginName), FORGOT));
}

/** As far as the page that waits for the code. */
export async function ask(client: RelyingParty, loginName: string): Promise<Page> {
  return pageOf(await client.browser.submit(await forgot(client, loginName), { loginName }));
}
