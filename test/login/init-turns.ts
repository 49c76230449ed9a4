import type { Page } from '../support/browser.js';
import { PASSWORD } from '../support/builders.js';
import type { RelyingParty } from '../support/relying-party.js';
import { pageOf } from './turns.js';

/** The password that everybody chooses. */
export const chosen = { password: PASSWORD, passwordRepeat: PASSWORD };

export const open = async (client: RelyingParty, link: string): Promise<Page> => pageOf(await client.browser.get(link));
