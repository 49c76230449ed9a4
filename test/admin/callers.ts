import { InstanceService } from '../../src/org/instance/instance.service.js';
import { PersonalAccessTokens } from '../../src/token/personal-access-tokens.js';
import type { Actor } from '../../src/user/permission/actor.js';
import { Memberships } from '../../src/user/permission/memberships.js';
import { Rights } from '../../src/user/permission/rights.js';
import type { RoleName } from '../../src/user/permission/role.js';
import { RoleBook } from '../../src/user/permission/role-book.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, type TestPerson, type TestService, uniqueName } from '../support/builders.js';
import type { Span } from '../support/fixed-clock.js';
import { type Headers, type Reply, send } from '../support/http.js';
import { basicAuth, paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import type { World } from '../support/world.js';

/** Somebody who may do everything, where a test changes things by hand. */
const OWNER: Actor = {
  userId: EDITOR,
  orgId: '',
  ownOrgId: '',
  rights: new Rights([{ level: 'instance', objectId: '', orgId: '', roles: ['IAM_OWNER'] }], new RoleBook()),
};

/** Makes a token of a person valid at the administrative API. */
export const SYSTEM_AUDIENCE = 'urn:service:iam:org:project:id:service:aud';

/** Everybody who may knock at the administrative API, and what they bring (ADM-001). */
export class Callers {
  constructor(readonly world: World) {}

  /** One request of the administrative API. */
  async ask(path: string, headers: Headers = {}, method = 'GET'): Promise<Reply> {
    return send(this.world.origin, { method, path, headers });
  }

  /** A token of a new person with these roles. */
  async person(roles: readonly RoleName[], scope = `openid ${SYSTEM_AUDIENCE}`): Promise<string> {
    return (await this.tokensOf(await this.manager(roles), scope)).access_token;
  }

  /** A person of organization A; roles of an organization are held there. */
  async manager(roles: readonly RoleName[]): Promise<TestPerson> {
    const { world } = this;
    const { id: orgId } = await world.cast.orgA;
    const person = await world.add.person({ orgId, userName: uniqueName('manager') });
    await this.makeMember(person.id, roles);
    return person;
  }

  /** For the administrative API, by an application of the system project: others reach their own organization alone. */
  async tokensOf(
    person: TestPerson,
    scope: string,
    client: 'web1' | 'web4' | 'console' | 'jwtConsole' = scope.includes(SYSTEM_AUDIENCE) ? 'console' : 'web1',
  ): Promise<Tokens> {
    return new RelyingParty(this.world, await this.world.cast[client]).tokens(person, { scope });
  }

  /** A new service user with these roles. */
  async service(roles: readonly RoleName[]): Promise<TestService> {
    const service = await this.world.add.service({ orgId: (await this.world.cast.orgA).id });
    await this.makeMember(service.id, roles);
    return service;
  }

  /** An access token of a service user by its secret. */
  async clientCredentials(service: TestService, scope: string): Promise<string> {
    const headers = basicAuth(service.userName, service.secret);
    const reply = await send(this.world.origin, {
      method: 'POST',
      path: paths.token,
      headers,
      body: { grant_type: 'client_credentials', scope },
    });
    const { access_token: token } = tokensOf(reply);
    this.world.plant(token);
    return token;
  }

  async expiringPat(service: TestService, span: Span, ms: number): Promise<string> {
    const expiresAt = new Date(this.world.clock.now().getTime() + ms);
    const { token } = await this.world.transaction((tx) =>
      this.world.get(PersonalAccessTokens).add(tx, service.id, EDITOR, expiresAt),
    );
    this.world.clock.advance(span);
    this.world.plant(token.reveal());
    return token.reveal();
  }

  async deactivate(userId: string): Promise<void> {
    await this.world.transaction((tx) => this.world.get(UserService).changeState(tx, userId, 'inactive', EDITOR));
  }

  async revoke(token: string): Promise<void> {
    await new RelyingParty(this.world, await this.world.cast.console).revoke(token);
  }

  async dismiss(userId: string): Promise<void> {
    const { id } = await this.world.get(InstanceService).get();
    await this.world.transaction((tx) =>
      this.world.get(Memberships).remove(tx, OWNER, { level: 'instance', objectId: id, orgId: id }, userId),
    );
  }

  private async makeMember(userId: string, roles: readonly RoleName[]): Promise<void> {
    const { id: instanceId } = await this.world.get(InstanceService).get();
    const { id: orgId } = await this.world.cast.orgA;
    const ofOrg = roles.filter((role) => role.startsWith('ORG_'));
    const ofInstance = roles.filter((role) => role.startsWith('IAM_'));
    if (ofOrg.length > 0) await this.world.add.member(userId, ofOrg, { level: 'org', objectId: orgId, orgId });
    if (ofInstance.length > 0)
      await this.world.add.member(userId, ofInstance, { level: 'instance', objectId: instanceId, orgId: instanceId });
  }
}
