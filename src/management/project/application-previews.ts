import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { clientInactive, clientOfOtherKind } from '../../project/client/client.errors.js';
import { ClientService } from '../../project/client/client.service.js';
import { type TokenPreview, TokenPreviews } from '../../token/token-previews.js';
import type { Actor } from '../../user/permission/actor.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';
import { type ApplicationPlace, Applications } from './applications.js';
import { OrgProjects } from './org-projects.js';

/** Previews of the tokens that an organization's applications would get about its users. */
@Injectable()
export class ApplicationPreviews {
  constructor(
    private readonly database: Database,
    private readonly own: OrgProjects,
    private readonly applications: Applications,
    private readonly clients: ClientService,
    private readonly previews: TokenPreviews,
  ) {}

  /**
   * Shows data of a user's profile, and so requires the permission to read that, too.
   * @throws DomainError InvalidArgument; NotFound; PermissionDenied; FailedPrecondition `client.not_oidc`,
   * `client.inactive`
   */
  async make(actor: Actor, place: ApplicationPlace, userId: string, scopes: readonly string[]): Promise<TokenPreview> {
    const application = await this.applications.get(actor, place);
    if (application.kind !== 'oidc') throw clientOfOtherKind('oidc');
    await this.own.checkSeesUser(this.database, actor, userId);
    if (!actor.rights.may('user.read', { orgId: actor.orgId })) throw permissionMissing('user.read');
    const client = await this.clients.findActiveAnew(application.clientId);
    if (!client) throw clientInactive();
    return this.previews.make(client, userId, scopes);
  }
}
