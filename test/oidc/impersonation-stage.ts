import { InstanceService } from '../../src/org/instance/instance.service.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import type { RoleName } from '../../src/user/permission/role.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import type { Headers, Parameters, Reply } from '../support/http.js';
import { RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { actedBy, exchangeOf, USER_ID_TYPE } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';

export const REFUSED =
  'invalid_request: The subject_token or actor_token is not valid, not meant for this client, or not allowed together.';

export const forId = (over: Parameters = {}): Parameters => ({ subject_token_type: USER_ID_TYPE, ...over });

export function outcomeOf(reply: Reply): string {
  if (reply.status === 200) return 'ok';
  const { error, error_description: words } = reply.json<{ error: string; error_description: string }>();
  return `${error}: ${words}`;
}

/** Users who act for others, at two applications of one project. */
export class ImpersonationStage {
  private constructor(
    readonly world: World,
    /** The user for whom others act. */
    readonly alice: TestPerson,
    /** Acts for users of the organization. */
    readonly support: TestPerson,
    /** Signs users in. */
    readonly front: RelyingParty,
    /** Of the same project, exchanges what it is sent. */
    readonly back: RelyingParty,
  ) {}

  static async set(): Promise<ImpersonationStage> {
    const world = await startWorld();
    const alice = await world.cast.alice;
    const support = await world.add.person({ orgId: alice.orgId });
    const front = await party(world, { grantTypes: ['authorization_code', 'refresh_token'] });
    const stage = new ImpersonationStage(world, alice, support, front, await party(world));
    await stage.give(support.id, ['ORG_END_USER_IMPERSONATOR']);
    return stage;
  }

  async switchTo(on: boolean): Promise<void> {
    await this.world.get(InstanceService).setImpersonation(on, EDITOR);
    await this.world.changesToArrive();
  }

  async give(userId: string, roles: readonly RoleName[], orgId = this.alice.orgId): Promise<void> {
    const { id: instanceId } = await this.world.get(InstanceService).get();
    const [ofInstance, ofOrg] = [
      roles.filter((role) => role.startsWith('IAM_')),
      roles.filter((role) => role.startsWith('ORG_')),
    ];
    if (ofOrg.length > 0) await this.world.add.member(userId, ofOrg, { level: 'org', objectId: orgId, orgId });
    if (ofInstance.length > 0)
      await this.world.add.member(userId, ofInstance, { level: 'instance', objectId: instanceId, orgId: instanceId });
  }

  async personWith(roles: readonly RoleName[], orgId = this.alice.orgId): Promise<TestPerson> {
    const person = await this.world.add.person({ orgId });
    await this.give(person.id, roles, orgId);
    return person;
  }

  /** An access token of the front, from a browser of its own. */
  async tokenOf(person: TestPerson, over: Parameters = {}, rp = this.front): Promise<string> {
    return (await rp.elsewhere().tokens(person, { scope: 'openid email', ...over })).access_token;
  }

  async ask(subject: string, actor: string, over: Parameters = {}, more: Headers = {}): Promise<Reply> {
    return this.back.token(exchangeOf(subject, { ...actedBy(actor), ...over }), this.world, more);
  }

  async acting(subject: string, actor: string, over: Parameters = {}): Promise<Tokens> {
    return tokensOf(await this.ask(subject, actor, over));
  }

  async shown(token: string): Promise<Readonly<Record<string, unknown>>> {
    return (await this.back.introspect(token)).json();
  }

  async isActive(token: string): Promise<boolean> {
    return (await this.shown(token))['active'] === true;
  }
}

export async function party(world: World, settings: Partial<ClientSettings> = {}): Promise<RelyingParty> {
  const projectId = await world.cast.projectP;
  const grantTypes = ['authorization_code', 'refresh_token', 'token_exchange'] as ClientSettings['grantTypes'];
  return new RelyingParty(world, await world.add.client({ projectId, grantTypes, ...settings }));
}
