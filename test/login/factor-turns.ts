import { TOTP } from 'otpauth';
import { Secret } from '../../src/foundation/config/secret.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import type { LockoutPolicy } from '../../src/org/policy/lockout-policy.entity.js';
import type { LoginPolicy } from '../../src/org/policy/login-policy.entity.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { RecoveryCodes } from '../../src/user/factor/recovery-codes.js';
import { newSeed } from '../../src/user/factor/totp.js';
import { TotpService } from '../../src/user/factor/totp.service.js';
import type { Arrival, Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import type { Parameters } from '../support/http.js';
import type { RelyingParty } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { pageOf } from './turns.js';

export const STEP_SECONDS = 30;
export const WRONG = 'This code is not correct, or it does not work any more.';

/** An authenticator app with this seed, whose clock is the world's. */
export class App {
  private readonly totp: TOTP;

  constructor(
    private readonly world: World,
    readonly seed: string,
  ) {
    this.totp = new TOTP({ secret: seed });
    world.plant(seed);
  }

  /** The code that it shows now, or so many steps later. */
  code(steps = 0): string {
    return this.totp.generate({ timestamp: this.world.clock.now().getTime() + steps * STEP_SECONDS * 1000 });
  }

  /** A code that it shows neither now nor within the tolerance. */
  wrong(): string {
    const shown = new Set([-1, 0, 1].map((steps) => this.code(steps)));
    return ['000000', '111111', '222222', '333333'].find((code) => !shown.has(code))!;
  }
}

/** Somebody who has an app set up, as an import brings it. */
export async function withApp(
  world: World,
  person: Pick<TestPerson, 'id' | 'orgId'>,
  recoveryCodes: readonly string[] = [],
): Promise<App> {
  const seed = newSeed();
  const owner = { userId: person.id, orgId: person.orgId };
  const hashes = await Promise.all(recoveryCodes.map((code) => world.get(PasswordHash).hash(new Secret(code))));
  for (const code of recoveryCodes) world.plant(code);
  await world.transaction(async (tx) => {
    await world.get(TotpService).importSeed(tx, owner, seed, EDITOR);
    if (hashes.length > 0) await world.get(RecoveryCodes).importHashes(tx, owner, hashes, EDITOR);
  });
  return new App(world, seed.reveal());
}

/** An organization with terms of its own, and a user of it. */
export async function newcomerUnder(world: World, policy: Partial<LoginPolicy>): Promise<TestPerson> {
  const { id: orgId } = await world.add.org();
  await setPolicy(world, orgId, policy);
  return world.add.person({ orgId });
}

export async function setPolicy(world: World, orgId: string, policy: Partial<LoginPolicy>): Promise<void> {
  await world.transaction((tx) => world.get(PolicyService).set(tx, 'login', orgId, policy, EDITOR));
}

export async function setLockout(world: World, orgId: string, policy: Partial<LockoutPolicy>): Promise<void> {
  await world.transaction((tx) => world.get(PolicyService).set(tx, 'lockout', orgId, policy, EDITOR));
}

/** As far as the page that comes after the password. */
export async function afterPassword(client: RelyingParty, person: TestPerson, over: Parameters = {}): Promise<Page> {
  return pageOf(await client.enter(await client.authorize(over), person));
}

/** Opens the page that a link of this text leads to. */
export async function turnTo(client: RelyingParty, page: Page, text: string): Promise<Page> {
  return pageOf(await client.browser.press(page, text));
}

/** What the id_token says about how the person has signed in. */
export async function proofOf(client: RelyingParty, arrival: Arrival): Promise<Record<string, unknown>> {
  const { code } = client.toAnswer(arrival);
  const tokens = (await client.redeem(code!)).json<{ id_token: string }>();
  const { amr, acr, auth_time: authTime } = await client.verify(tokens.id_token);
  return { amr, acr, authTime };
}
