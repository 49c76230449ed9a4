import { setPolicy } from '../login/factor-turns.js';
import type { Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { AccountHolder } from './account-turns.js';

/** An organization whose users may have second factors, and who opens the pages of an account. */
export class AccountStage {
  private constructor(
    readonly world: World,
    private readonly orgId: string,
  ) {}

  static async set(): Promise<AccountStage> {
    const world = await startWorld();
    const { id } = await world.cast.orgA;
    await setPolicy(world, id, { secondFactors: ['otp', 'otp_email'] });
    return new AccountStage(world, id);
  }

  async newPerson(): Promise<TestPerson> {
    return this.world.add.person({ orgId: this.orgId });
  }

  async holderOf(person?: TestPerson): Promise<AccountHolder> {
    return new AccountHolder(this.world, person ?? (await this.newPerson()));
  }
}

/** The token of the first form of a page. */
export function tokenOf(page: Page): { csrf: string } {
  return { csrf: page.formWith('csrf').fields['csrf'] ?? '' };
}
