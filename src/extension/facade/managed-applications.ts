import { newId } from '../../foundation/crypto/id.js';
import type { Database } from '../../foundation/database/database.js';
import { type SqlTransaction, transactionBehind, transactionOrDatabase } from '../../foundation/extension/sql.js';
import { runningExtension } from '../../foundation/log/running-extension.js';
import type { Applications } from '../../management/project/applications.js';
import type { ExtClientKind } from '../../project/client/client.entity.js';
import { clientNotFound } from '../../project/client/client.errors.js';
import type { ClientService } from '../../project/client/client.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';
import type { Permission } from '../../user/permission/role.js';
import { actorOf, type Caller } from './caller.js';

/**
 * An application that the extension answers by a protocol of its own. Members may be added in a minor version.
 * @public
 */
export interface ManagedApplication {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  /** Nobody signs in to an inactive one. */
  readonly state: 'active' | 'inactive';
}

/** Which application. @public */
export interface ApplicationPlace {
  readonly projectId: string;
  readonly applicationId: string;
}

/**
 * Applications of a project that the extension answers by a protocol of its own (PROTOCOL), as a caller may manage
 * them: permissions `project.app.*`, also of managers of the project. Their settings are rows of the extension, which
 * name `client (id)`. They are listed, deactivated and removed with all others, too. Each method takes part in a
 * transaction that it is given, and has one of its own otherwise. Inject it by this class.
 * @public
 */
export abstract class ManagedApplications {
  /** @throws DomainError NotFound `project.not_found`, `client.not_found`; PermissionDenied */
  abstract find(caller: Caller, place: ApplicationPlace): Promise<ManagedApplication>;

  /**
   * @throws DomainError InvalidArgument; NotFound `project.not_found`; PermissionDenied; AlreadyExists
   * `client.name_taken`
   */
  abstract add(
    caller: Caller,
    application: { readonly projectId: string; readonly name: string },
    tx?: SqlTransaction,
  ): Promise<ManagedApplication>;

  /**
   * Holds an application of the extension until the transaction ends, so that its settings can be changed.
   * @throws DomainError NotFound `project.not_found`, `client.not_found`; PermissionDenied
   */
  abstract hold(caller: Caller, place: ApplicationPlace, tx: SqlTransaction): Promise<void>;

  /** @throws DomainError InvalidArgument; NotFound; PermissionDenied; AlreadyExists `client.name_taken` */
  abstract rename(caller: Caller, place: ApplicationPlace, name: string, tx?: SqlTransaction): Promise<void>;

  /** @throws DomainError NotFound; PermissionDenied */
  abstract remove(caller: Caller, place: ApplicationPlace, tx?: SqlTransaction): Promise<void>;
}

/** The façade over the product's use cases. */
export class SharedManagedApplications extends ManagedApplications {
  constructor(
    private readonly database: Database,
    private readonly applications: Applications,
    private readonly clients: ClientService,
  ) {
    super();
  }

  override async find(caller: Caller, { projectId, applicationId }: ApplicationPlace): Promise<ManagedApplication> {
    const actor = this.actor(caller, 'project.app.read', projectId);
    const { id, name, state, kind } = await this.applications.get(actor, { projectId, appId: applicationId });
    if (kind !== ownKind()) throw clientNotFound();
    return { id, projectId, name, state };
  }

  override async add(
    caller: Caller,
    { projectId, name }: { readonly projectId: string; readonly name: string },
    tx?: SqlTransaction,
  ): Promise<ManagedApplication> {
    const actor = this.actor(caller, 'project.app.write', projectId);
    const id = newId();
    const input = { id, clientId: id, projectId, name, kind: ownKind(), authMethod: 'none' } as const;
    await this.applications.add(actor, input, transactionOrDatabase(tx, this.database));
    return { id, projectId, name, state: 'active' };
  }

  override async hold(
    caller: Caller,
    { projectId, applicationId }: ApplicationPlace,
    tx: SqlTransaction,
  ): Promise<void> {
    const actor = this.actor(caller, 'project.app.write', projectId);
    const on = transactionBehind(tx);
    await this.applications.get(actor, { projectId, appId: applicationId });
    await this.clients.getLocked(on, applicationId, { projectId, kind: ownKind() });
  }

  override async rename(
    caller: Caller,
    { projectId, applicationId: appId }: ApplicationPlace,
    name: string,
    tx?: SqlTransaction,
  ): Promise<void> {
    const actor = this.actor(caller, 'project.app.write', projectId);
    await transactionOrDatabase(tx, this.database).transaction(async (on) => {
      await this.clients.getLocked(on, appId, { projectId, kind: ownKind() });
      await this.applications.rename(actor, { projectId, appId }, name, on);
    });
  }

  override async remove(
    caller: Caller,
    { projectId, applicationId: appId }: ApplicationPlace,
    tx?: SqlTransaction,
  ): Promise<void> {
    const actor = this.actor(caller, 'project.app.delete', projectId);
    await transactionOrDatabase(tx, this.database).transaction(async (on) => {
      await this.clients.getLocked(on, appId, { projectId, kind: ownKind() });
      await this.applications.remove(actor, { projectId, appId }, on);
    });
  }

  /** @throws DomainError PermissionDenied `permission.missing` */
  private actor(caller: Caller, permission: Permission, projectId: string): Actor {
    const actor = actorOf(caller);
    if (!actor.rights.may(permission, { orgId: actor.orgId, projectId })) throw permissionMissing(permission);
    return actor;
  }
}

function ownKind(): ExtClientKind {
  const extension = runningExtension();
  if (extension === undefined) throw new Error('ManagedApplications is for operations and routes of an extension.');
  return `ext:${extension}`;
}
