import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { IdpLinks } from '../../src/idp/idp-links.js';
import { paths } from '../../src/org/instance/paths.js';
import type { LoginPolicy } from '../../src/org/policy/login-policy.entity.js';
import { PasskeyService } from '../../src/user/factor/passkey.service.js';
import { UserService } from '../../src/user/user.service.js';
import { addOidc, changeIdp, leave, link, linksOf, OUTBOUND } from '../idp/external.js';
import { setPolicy } from '../login/factor-turns.js';
import { ORIGIN, optionsOf, withKey } from '../login/passkey-turns.js';
import { errorsOf, pageOf, untilSomebodyWaits } from '../login/turns.js';
import type { Authenticator } from '../support/authenticator.js';
import { type Arrival, Browser, type Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { STRANGER_SECRET, StrangerProvider } from '../support/stranger-provider.js';
import { startWorld, type World } from '../support/world.js';
import { AccountHolder, statusOf, tokenFor } from './account-turns.js';

const ONLY_WAY = 'This is your only way to sign in. Add another one first.';

let world: World;
let stranger: StrangerProvider;
let idpId: string;
let person: TestPerson;
let device: Authenticator;
let holder: AccountHolder;
/** The same person's browser on the pages of the provider, which remembers who has signed in there. */
let there: Browser;

// The clock of the provider is that of this machine: no time is advanced here.
beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN, env: OUTBOUND });
  stranger = await StrangerProvider.start(`${ORIGIN}${paths.externalCallback}`, (login) => ({ name: login }));
});

afterAll(async () => {
  await stranger.close();
  await world.close();
});

/** A user with an account at the provider and a passkey, and without a password. */
beforeEach(async () => {
  const { id: orgId } = await world.add.org();
  await setTerms({}, orgId);
  const clientSecret = new Secret(STRANGER_SECRET);
  idpId = await addOidc(world, stranger.issuer, { name: 'Stranger', clientSecret }, orgId);
  person = await world.add.person({ orgId });
  await link(world, idpId, person.id, orgId, person.userName);
  device = await withKey(world, person);
  await world.rows('UPDATE user_account SET password_hash = NULL WHERE id = $1', [person.id]);
  holder = new AccountHolder(world, person);
  there = new Browser({ issuer: stranger.issuer, origin: stranger.issuer, plant: () => undefined });
});

/** Nothing is offered at sign-ins. */
async function setTerms(policy: Partial<LoginPolicy>, orgId = person.orgId): Promise<void> {
  await setPolicy(world, orgId, { mfaInitSkipLifetimeSeconds: 0, ...policy });
  await world.changesToArrive();
}

/** Through the pages of the provider, as far as it asks for anything; answers where it sends the browser. */
async function through(url: string): Promise<string> {
  let now = await there.get(url);
  for (let step = 0; step < 4 && now.page; step += 1) {
    const isAsked = now.page.find('input[name="login"]') !== null;
    now = await there.submit(now.page, isAsked ? { login: person.userName, password: 'any' } : { prompt: 'consent' });
  }
  if (now.redirect === undefined) throw new Error(`It sent the browser nowhere: ${stranger.errors.join()}`);
  return now.redirect;
}

/** In this browser, for an application of the organization that wants a proof of the last minutes. */
async function signInByProvider(): Promise<void> {
  const web1 = new RelyingParty(world, await world.cast.web1, holder.browser);
  const url = await leave(web1, idpId, { scope: `openid urn:service:iam:org:id:${person.orgId}`, max_age: 600 });
  expect(web1.toAnswer(await holder.browser.get(await through(url))).code).toBeDefined();
}

const answer = async (page: Page): Promise<Arrival> =>
  holder.browser.submit(page, { credential: device.get(optionsOf(page)) });
const open = async (path: string): Promise<Page> => pageOf(await holder.browser.get(path));
async function signInByPasskey(): Promise<void> {
  expect(pageOf(await answer(await open(paths.account))).path).toBe(paths.account);
}

/** What the account can be opened with. */
const waysOf = async ({ id }: TestPerson): Promise<number[]> => [
  (await world.get(PasskeyService).list(id)).length,
  (await linksOf(world, idpId)).length,
];
async function removeLink(): Promise<Page> {
  const csrf = await tokenFor(holder, paths.accountLinks);
  const fields = { csrf, provider: idpId, account: person.userName, decision: 'remove', confirmed: 'true' };
  return pageOf(await holder.browser.post(paths.accountLinks, fields));
}
async function removePasskey(): Promise<Page> {
  const [{ id: key } = { id: '' }] = await world.get(PasskeyService).list(person.id);
  const csrf = await tokenFor(holder, paths.accountKeys);
  const fields = { csrf, key, decision: 'remove', confirmed: 'true' };
  return pageOf(await holder.browser.post(paths.accountKeys, fields));
}

describe('A user of a provider who has a passkey as well', () => {
  it('signs in by either, and needs nothing else for that', async () => {
    await signInByProvider();
    holder = new AccountHolder(world, person);
    await signInByPasskey();
  });

  it.each([paths.accountContact, paths.accountSteps, paths.accountData])(
    'sees no form at %s by the provider alone: the passkey is asked for [ACC-002, PKY-027]',
    async (path) => {
      await signInByProvider();
      const asked = await open(path);
      expect([asked.heading, asked.find('form[data-passkey]') === null]).toEqual(['Use your security key', false]);
      expect(pageOf(await answer(asked)).path).toBe(path);
    },
  );

  it.each([
    ['link', removeLink, paths.accountLinks],
    ['passkey', removePasskey, paths.accountKeys],
  ] as const)(
    'removes no %s by the provider alone, and does so after the passkey [ACC-002, PKY-027]',
    async (_, remove, path) => {
      await signInByProvider();
      const asked = await remove();
      expect([asked.heading, await waysOf(person)]).toEqual(['Use your security key', [1, 1]]);
      expect(pageOf(await answer(asked)).path.split('?')[0]).toBe(path);
      expect([statusOf(await remove())?.endsWith('is removed.'), (await waysOf(person)).sort()]).toEqual([
        true,
        [0, 1],
      ]);
    },
  );

  it('has to be asked by the provider again after ten minutes, as well as for the passkey [ACC-002]', async () => {
    await signInByProvider();
    await answer(await open(paths.accountContact));
    await world.rows(
      `UPDATE session SET external_checked_at = external_checked_at - interval '11 minutes',
         external_proved_at = external_proved_at - interval '11 minutes',
         factor_checked_at = factor_checked_at - interval '11 minutes' WHERE user_id = $1`,
      [person.id],
    );
    const asked = await open(paths.accountContact);
    expect(asked.heading).toBe('Confirm that it is you');
    const left = await holder.browser.press(asked, /externalidp/);
    const url = new URL(left.redirect ?? '');
    expect(url.searchParams.get('max_age')).toBe('600');
    const next = pageOf(await holder.browser.get(await through(url.href)));
    expect(next.heading).toBe('Use your security key');
    expect(pageOf(await answer(next)).path).toBe(paths.accountContact);
  });

  it('adds a link of another account of the provider only after the passkey [ACC-007, PKY-027]', async () => {
    await signInByProvider();
    const page = await open(paths.accountLinks);
    const { csrf } = page.formWith('provider').fields;
    const asked = pageOf(await holder.browser.post(paths.accountLinks, { csrf, provider: idpId, decision: 'add' }));
    expect(asked.heading).toBe('Use your security key');
  });
});

describe('The last way in, of a user who has a link and a passkey', () => {
  it('is not signed in by a link that is removed while the provider sends its user back, be another one left [ACC-019]', async () => {
    const other = { idpId, externalUserId: 'another', displayName: 'another', userId: person.id, orgId: person.orgId };
    await world.transaction((tx) => world.get(IdpLinks).add(tx, other, EDITOR));
    const web1 = new RelyingParty(world, await world.cast.web1, holder.browser);
    const url = await through(await leave(web1, idpId, { scope: `openid urn:service:iam:org:id:${person.orgId}` }));
    let sent: Promise<Arrival> | undefined;
    await world.transaction(async (tx) => {
      await world.get(UserService).endTokens(tx, person.id, EDITOR);
      sent ??= holder.browser.get(url);
      await untilSomebodyWaits(world, '%browser AS b%');
      await tx.entities.query("DELETE FROM idp_link WHERE user_id = $1 AND external_user_id <> 'another'", [person.id]);
    });
    expect((await sent!).page?.status).toBe(404);
    expect(await world.rows('SELECT 1 FROM session WHERE user_id = $1', [person.id])).toEqual([]);
  });

  it('is the passkey once the link is removed [PKY-023]', async () => {
    await signInByPasskey();
    expect(statusOf(await removeLink())).toBe('The link is removed.');
    expect([errorsOf(await removePasskey()), await waysOf(person)]).toEqual([[ONLY_WAY], [1, 0]]);
  });

  it('is the link once the passkey is removed [ACC-008]', async () => {
    await signInByPasskey();
    expect(statusOf(await removePasskey())).toBe('The key is removed.');
    expect([errorsOf(await removeLink()), await waysOf(person)]).toEqual([[ONLY_WAY], [0, 1]]);
  });

  it('stays when both are removed at once [PKY-023, ACC-008]', async () => {
    await signInByPasskey();
    const pages = await Promise.all([removeLink(), removePasskey()]);
    expect(pages.flatMap(errorsOf)).toEqual([ONLY_WAY]);
    expect((await waysOf(person)).sort()).toEqual([0, 1]);
  });

  it('is the link where passkeys are not allowed any more [ACC-008]', async () => {
    await signInByProvider();
    await setTerms({ passwordlessType: 'not_allowed', secondFactors: [], multiFactors: [] });
    expect([errorsOf(await removeLink()), await waysOf(person)]).toEqual([[ONLY_WAY], [1, 1]]);
  });

  it.each<[string, () => Promise<void>]>([
    ['the provider is deactivated', () => changeIdp(world, idpId, 'deactivate', person.orgId)],
    ['providers are not allowed any more', () => setTerms({ allowExternalIdp: false })],
  ])('is the passkey where %s [PKY-023]', async (_, prepare) => {
    await signInByPasskey();
    await prepare();
    expect([errorsOf(await removePasskey()), (await waysOf(person))[0]]).toEqual([[ONLY_WAY], 1]);
  });
});
