import type { ChallengePlace } from '../../src/user/factor/challenge.js';
import type { KeyKind } from '../../src/user/factor/factor.entity.js';
import { PasskeyService } from '../../src/user/factor/passkey.service.js';
import { Authenticator, type Distortion } from '../support/authenticator.js';
import type { Arrival, Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import type { RelyingParty } from '../support/relying-party.js';
import type { World } from '../support/world.js';

export const ORIGIN = 'https://id.test';

/** What the page asks an authenticator for. */
export function optionsOf(page: Page): string {
  const options = page.find('form[data-passkey]')?.getAttribute('data-options');
  if (options === undefined) throw new Error(`The page at ${page.path} asks for no key: ${page.text.slice(0, 300)}`);
  return options;
}

/** A key of this person, stored as if it had been made on another page. */
export async function withKey(
  world: World,
  person: TestPerson,
  kind: KeyKind = 'passkey',
  device: Authenticator = new Authenticator(ORIGIN),
): Promise<Authenticator> {
  const passkeys = world.get(PasskeyService);
  const place: ChallengePlace = { purpose: `register-${kind}`, browserId: 'b', about: 'r', userId: person.id };
  const user = { id: person.id, name: person.loginName, displayName: person.loginName };
  const options = await passkeys.creationOptions(place, { kind, user, brand: 'Acme' });
  const checked = await passkeys.checkNew(kind, device.create(options), place, 600);
  await world.transaction((tx) =>
    passkeys.add(tx, { kind, owner: { userId: person.id, orgId: person.orgId } }, checked),
  );
  await world.rows("DELETE FROM auth_factor WHERE user_id = $1 AND kind = 'recovery_codes' AND state = 'pending'", [
    person.id,
  ]);
  return device;
}

/** Presses the button of the page, and lets this device answer. */
export async function answer(
  client: RelyingParty,
  page: Page,
  device: Authenticator,
  over: Distortion = {},
): Promise<Arrival> {
  return client.browser.submit(page, { credential: device.get(optionsOf(page), over) });
}
