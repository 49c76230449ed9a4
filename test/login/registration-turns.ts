import type { Page } from '../support/browser.js';
import { PASSWORD, uniqueName } from '../support/builders.js';
import type { Parameters } from '../support/http.js';
import type { RelyingParty } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { begin, enterCode, pageOf } from './turns.js';

/** What a form says that is complete. */
export function entry(over: Parameters = {}): Parameters {
  return {
    email: `${uniqueName('new')}@mail.test`,
    firstName: 'New',
    lastName: 'Person',
    userName: '',
    password: PASSWORD,
    passwordRepeat: PASSWORD,
    ...over,
  };
}

export interface StoredPerson {
  readonly id: string;
  readonly org_id: string;
  readonly user_name: string;
  readonly [column: string]: unknown;
}

export async function peopleWith(world: World, email: unknown): Promise<StoredPerson[]> {
  return world.rows<StoredPerson>('SELECT * FROM user_account WHERE email = $1', [email]);
}

export const CONFIRM = 'Confirm your e-mail address';

/** As far as the page that asks for the mailed code, or says what is wrong. */
export async function apply(
  client: RelyingParty,
  over: Parameters = {},
  request: Parameters = {},
): Promise<{ form: Parameters; page: Page; email: string }> {
  const form = entry(over);
  const page = pageOf(await client.browser.submit(await begin(client, { prompt: 'create', ...request }), form));
  return { form, page, email: form['email'] as string };
}

/** The whole way, with the code of the mail. */
export async function register(
  world: World,
  client: RelyingParty,
  over: Parameters = {},
  request: Parameters = {},
): Promise<{ form: Parameters; code: string | undefined }> {
  const { form, page, email } = await apply(client, over, request);
  return { form, code: client.toAnswer(await enterCode(world, client, page, email)).code };
}
