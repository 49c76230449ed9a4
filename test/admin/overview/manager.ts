import { paths } from '../../../src/org/instance/paths.js';
import { AccountHolder } from '../../account/account-turns.js';
import { pageOf } from '../../login/turns.js';
import type { Page } from '../../support/browser.js';
import type { TestOrg } from '../../support/builders.js';
import type { World } from '../../support/world.js';

/** A manager in a browser of their own, on the pages of the overview. */
export class Manager {
  private constructor(readonly holder: AccountHolder) {}

  /** @param role of the organization, or of the instance if it begins with `IAM_` */
  static async of(world: World, org: TestOrg, role: string): Promise<Manager> {
    const person = await world.add.person({ orgId: org.id });
    const instanceId = await world.instanceId();
    const place = role.startsWith('IAM_')
      ? ({ level: 'instance', objectId: instanceId, orgId: instanceId } as const)
      : ({ level: 'org', objectId: org.id, orgId: org.id } as const);
    await world.add.member(person.id, [role], place);
    return new Manager(new AccountHolder(world, person));
  }

  get id(): string {
    return this.holder.person.id;
  }

  /** Opens a page, and signs in if that is asked for. */
  async open(path: string = paths.overview): Promise<Page> {
    return this.holder.open(path);
  }

  /** Answers the question at this address, after whatever proof it asks for. */
  async act(path: string): Promise<Page> {
    const question = await this.open(path);
    return pageOf(await this.holder.browser.submit(question, {}));
  }
}
