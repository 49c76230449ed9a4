import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import type { TestWebhook, WebhookStage } from './webhook-stage.js';

/** Of what happens most tests tell a webhook this. */
export const REMOVED = ['user.removed'];
/** A service that may call the receiver of the tests. */
export const ALLOWED = { env: { OUTBOUND_ALLOW: '127.0.0.0/8' } };

/** Those who manage webhooks: of the instance, and of one organization. */
export class WebhookOwners {
  private constructor(
    private readonly stage: WebhookStage,
    readonly org: TestOrg,
    readonly owner: AdminApi,
    readonly orgOwner: AdminApi,
  ) {}

  static async on(stage: WebhookStage): Promise<WebhookOwners> {
    const { world } = stage;
    const org = await world.cast.orgB;
    const { api: owner } = await callerWith(world, await world.cast.orgA, ['IAM_OWNER']);
    const { api: orgOwner } = await callerWith(world, org, ['ORG_OWNER']);
    return new WebhookOwners(stage, org, owner, orgOwner);
  }

  async ofInstance(types: readonly string[] = REMOVED): Promise<TestWebhook> {
    return this.stage.webhook(this.owner, types, 'admin');
  }

  async ofOrg(types: readonly string[] = REMOVED): Promise<TestWebhook> {
    return this.stage.webhook(this.orgOwner, types, 'management');
  }
}
