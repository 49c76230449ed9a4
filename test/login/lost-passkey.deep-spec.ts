import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import { PasskeyService } from '../../src/user/factor/passkey.service.js';
import { RecoveryCodes } from '../../src/user/factor/recovery-codes.js';
import { Authenticator } from '../support/authenticator.js';
import type { Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { lastMailTo, mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { setPolicy } from './factor-turns.js';
import { linkTo } from './invited.js';
import { answer, ORIGIN, optionsOf, withKey } from './passkey-turns.js';
import { begin, beginPassword, errorsOf, pageOf } from './turns.js';

const LOST = 'I have lost my passkey';
const RECOVERY_CODE = 'kept-in-a-drawer-1';
const WRONG = 'This code is not correct, or it does not work any more.';

let world: World;
let web1: RelyingParty;
let orgId: string;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
  orgId = (await world.add.org()).id;
  await setPolicy(world, orgId, { allowUsernamePassword: false });
  person = await world.add.person({ orgId });
  await withKey(world, person);
  await withRecoveryCode();
});

async function withRecoveryCode(): Promise<void> {
  world.plant(RECOVERY_CODE);
  const hash = await world.get(PasswordHash).hash(new Secret(RECOVERY_CODE));
  const owner = { userId: person.id, orgId };
  await world.transaction((tx) => world.get(RecoveryCodes).importHashes(tx, owner, [hash], EDITOR));
}

/** The page that asks a typed name for a passkey. */
const passkeyPage = (name = person.loginName): Promise<Page> =>
  beginPassword(web1, name, { scope: `openid urn:service:iam:org:id:${orgId}` });

/** Requests the mail for a name. */
async function ask(name = person.loginName): Promise<Page> {
  const asking = pageOf(await web1.browser.press(await passkeyPage(name), LOST));
  expect(asking.heading).toBe('Get a new passkey');
  return pageOf(await web1.browser.submit(asking, { loginName: name }));
}

const keysOf = async ({ id }: TestPerson): Promise<number> => (await world.get(PasskeyService).list(id)).length;
const linksTo = async ({ email }: TestPerson): Promise<object[]> =>
  (await mailsTo(world, email)).filter(({ subject }) => subject === 'Add a passkey to your account');

describe('A lost passkey, where there are no passwords', () => {
  it('is replaced by the link of a mail and a recovery code, and by neither alone [PKY-021]', async () => {
    expect((await ask()).heading).toBe('Add a passkey');
    expect((await lastMailTo(world, person.email)).subject).toBe('Add a passkey to your account');
    const opened = pageOf(await web1.browser.get(await linkTo(world, person.email)));
    const confirming = pageOf(await web1.browser.submit(opened, {}));
    expect(confirming.text).toContain('To protect your account, confirm your second step.');
    const wrong = pageOf(await web1.browser.submit(confirming, { factor: 'kept-elsewhere-1' }));
    expect([errorsOf(wrong), await keysOf(person)]).toEqual([[WRONG], 1]);
    const making = pageOf(await web1.browser.submit(wrong, { factor: RECOVERY_CODE }));
    const device = new Authenticator(ORIGIN);
    const done = pageOf(await web1.browser.submit(making, { credential: device.create(optionsOf(making)) }));
    expect([done.heading, await keysOf(person)]).toEqual(['Your passkey is ready', 2]);
    const elsewhere = web1.elsewhere();
    expect(elsewhere.toAnswer(await answer(elsewhere, await begin(elsewhere), device)).code).toBeDefined();
  });

  it('is asked about with the same page for a name that nobody has [LOG-027]', async () => {
    const known = await ask();
    const unknown = await ask('nobody');
    expect(unknown.text).toBe(known.text);
    expect(known.formWith('code').fields['code']).toBe('');
  });

  it('leads to another mail from the page that waits for the code, and not to an administrator', async () => {
    const waiting = await ask();
    expect(waiting.text).not.toContain('administrator');
    expect(pageOf(await web1.browser.press(waiting, 'Send a new code')).heading).toBe('Get a new passkey');
    const elsewhere = pageOf(await web1.elsewhere().browser.get(await linkTo(world, person.email)));
    expect(elsewhere.text).toContain('Send a new code');
    await setPolicy(world, orgId, { allowUsernamePassword: false, hidePasswordReset: true });
    const closed = pageOf(await web1.elsewhere().browser.get(await linkTo(world, person.email)));
    expect(closed.text).toContain('ask your administrator for a new one');
  });

  it('is left to administrators where they say so', async () => {
    await setPolicy(world, orgId, { hidePasswordReset: true });
    expect((await passkeyPage()).text).not.toContain(LOST);
    expect(await linksTo(person)).toEqual([]);
  });

  it('sends nothing to an address that may be another person’s', async () => {
    await world.rows('UPDATE user_account SET email_verified = false WHERE id = $1', [person.id]);
    await ask();
    expect(await linksTo(person)).toEqual([]);
  });
});
