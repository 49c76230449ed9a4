import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Database } from '../../foundation/database/database.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { ClientService } from '../../project/client/client.service.js';
import { ProjectService } from '../../project/project.service.js';
import { ProjectDirectory } from '../../project/project-directory.js';
import { ResourceDirectory } from '../../project/resource-directory.js';
import { resourceProblem } from '../../project/resource-uri.js';
import type { Actor } from '../../user/permission/actor.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';
import { OrgProjects } from './org-projects.js';

/** The protected resources of an organization's projects (RFC 8707). */
@Injectable()
export class ProjectResources {
  constructor(
    private readonly database: Database,
    private readonly own: OrgProjects,
    private readonly projects: ProjectService,
    private readonly directory: ProjectDirectory,
    private readonly resources: ResourceDirectory,
    private readonly clients: ClientService,
    private readonly issuer: IssuerConfig,
  ) {}

  /** @throws DomainError NotFound `project.not_found` */
  async list(actor: Actor, projectId: string): Promise<string[]> {
    await this.directory.get(actor.orgId, projectId);
    return this.resources.list(projectId);
  }

  /**
   * Replaces all of them. `takeOver`: those of other projects become those of this one (RES-057).
   * @throws DomainError InvalidArgument; NotFound; PermissionDenied; AlreadyExists `project.resource_taken`
   */
  async set(actor: Actor, projectId: string, uris: readonly string[], takeOver = false): Promise<EventMark> {
    if (takeOver && !actor.rights.mayEverywhere('iam.write')) throw permissionMissing('iam.write');
    const violations = uris.flatMap((uri, index) => {
      const description = resourceProblem(uri, this.issuer.publicUrl);
      return description === undefined ? [] : [{ field: `uris[${index}]`, description }];
    });
    if (violations.length > 0) throw invalidFields(violations);
    return this.database.transaction(async (tx) => {
      await this.own.hold(tx, actor, projectId);
      // Resources and client ids are both audiences: a token for one must not pass as a token for the other (RFC 9700
      // §2.3).
      const [clientId] = await this.clients.registeredAmong(tx, uris);
      if (clientId !== undefined)
        throw invalidFields([
          { field: `uris[${uris.indexOf(clientId)}]`, description: 'is the client ID of an application' },
        ]);
      if (takeOver) await this.projects.takeResources(tx, projectId, uris, actor.userId);
      return this.projects.setResources(tx, projectId, uris, actor.userId);
    });
  }
}
