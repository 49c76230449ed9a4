import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import { Database } from '../../foundation/database/database.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds, secondsAfter } from '../../foundation/time/duration.js';
import { clientNotRegisteredByItself } from '../../project/client/client.errors.js';
import { ClientService } from '../../project/client/client.service.js';
import { ClientUses } from '../../project/client/client-uses.js';
import { RegistrationAccess } from '../../project/client/registration/registration-access.js';
import type { RegistrationToken } from '../../project/client/registration/registration-token.entity.js';
import {
  type NewRegistrationToken,
  RegistrationTokens,
} from '../../project/client/registration/registration-tokens.js';
import { ProjectDirectory } from '../../project/project-directory.js';
import type { Actor } from '../../user/permission/actor.js';
import type { ApplicationPlace } from './applications.js';
import { OrgProjects } from './org-projects.js';

/** What administrators decide about applications that register themselves in an organization's projects. */
@Injectable()
export class Registrations {
  constructor(
    private readonly database: Database,
    private readonly own: OrgProjects,
    private readonly projects: ProjectDirectory,
    private readonly tokens: RegistrationTokens,
    private readonly clients: ClientService,
    private readonly uses: ClientUses,
    private readonly access: RegistrationAccess,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError InvalidArgument; NotFound `project.not_found`; PermissionDenied */
  async addToken(
    actor: Actor,
    projectId: string,
    input: NewRegistrationToken,
  ): Promise<{ token: Secret; stored: RegistrationToken }> {
    return this.database.transaction(async (tx) =>
      this.tokens.add(tx, await this.own.hold(tx, actor, projectId), input, actor.userId),
    );
  }

  /** @throws DomainError NotFound `project.not_found` */
  async listTokens(actor: Actor, projectId: string): Promise<RegistrationToken[]> {
    await this.projects.get(actor.orgId, projectId);
    return this.tokens.list(projectId);
  }

  /** @throws DomainError NotFound `project.not_found`, `client.registration_token_not_found`; PermissionDenied */
  async removeToken(actor: Actor, projectId: string, tokenId: string): Promise<EventMark> {
    return this.database.transaction(async (tx) =>
      this.tokens.remove(tx, await this.own.hold(tx, actor, projectId), tokenId, actor.userId),
    );
  }

  /**
   * Removes applications that describe themselves and were not used for so many days, a batch of them; 0 for all.
   * @throws DomainError NotFound `project.not_found`; PermissionDenied
   */
  async sweep(actor: Actor, projectId: string, unusedDays: number): Promise<{ removed: number; mayBeMore: boolean }> {
    return this.database.transaction(async (tx) => {
      await this.own.hold(tx, actor, projectId);
      const moment = secondsAfter(this.clock.now(), -unusedDays * seconds.perDay);
      const { ids, mayBeMore } = await this.uses.unusedIn(tx, projectId, moment);
      for (const id of ids) await this.clients.remove(tx, id, actor.userId, 'client.unused.removed');
      return { removed: ids.length, mayBeMore };
    });
  }

  /**
   * Ends the registration access token of an application, and returns the next one.
   * @throws DomainError NotFound; PermissionDenied; FailedPrecondition `client.not_registered_by_itself`
   */
  async renewAccess(
    actor: Actor,
    { projectId, appId }: ApplicationPlace,
  ): Promise<{ clientId: string; token: Secret; mark: EventMark }> {
    return this.database.transaction(async (tx) => {
      await this.own.hold(tx, actor, projectId);
      const client = await this.clients.getLocked(tx, appId, { projectId });
      if (client.origin !== 'registered') throw clientNotRegisteredByItself();
      const mark = await this.clients.raiseRegistration(tx, client, actor.userId);
      const token = new Secret(this.access.tokenFor(await this.clients.getLocked(tx, appId)));
      return { clientId: client.clientId, token, mark };
    });
  }
}
