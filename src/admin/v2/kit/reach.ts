import { Injectable } from '@nestjs/common';
import { idpNotFound } from '../../../idp/idp.errors.js';
import { IdpService } from '../../../idp/idp.service.js';
import { accountNotOwn } from '../../../management/user/my-account.errors.js';
import { InstanceService } from '../../../org/instance/instance.service.js';
import { orgNotFound } from '../../../org/org.errors.js';
import { OrgService } from '../../../org/org.service.js';
import { clientKeyNotFound, clientNotFound } from '../../../project/client/client.errors.js';
import { ClientDirectory } from '../../../project/client/client-directory.js';
import { projectGrantNotFound, projectNotFound } from '../../../project/project.errors.js';
import { ProjectDirectory } from '../../../project/project-directory.js';
import { ProjectGrantDirectory } from '../../../project/project-grant-directory.js';
import { userGrantNotFound } from '../../../project/user-grant/user-grant.errors.js';
import { UserGrantDirectory } from '../../../project/user-grant/user-grant-directory.js';
import { groupNotFound } from '../../../user/group/group.errors.js';
import { GroupDirectory } from '../../../user/group/group-directory.js';
import type { Actor } from '../../../user/permission/actor.js';
import { permissionMissing } from '../../../user/permission/permission.errors.js';
import type { AnyPermission } from '../../../user/permission/role.js';
import { userNotFound } from '../../../user/user.errors.js';
import { UserDirectory } from '../../../user/user-directory.js';

/**
 * Who calls, before it is known about which organization. Use cases take an `Actor`, which only `Reach` makes of one,
 * so that none can be called before the permission was checked where the object is.
 */
export type Caller = Omit<Actor, 'orgId'>;

/** An application, and the actor in its organization. */
interface ReachedApplication {
  readonly actor: Actor;
  readonly place: { readonly projectId: string; readonly appId: string };
}

/** A user grant, and the actor in the organization that granted. */
interface ReachedUserGrant {
  readonly actor: Actor;
  readonly place: { readonly userId: string; readonly grantId: string };
}

/**
 * Checks a permission that an operation needs for some requests only, in the organization of the actor.
 * @throws DomainError PermissionDenied `permission.missing`
 */
export function checkAlso(actor: Actor, permission: AnyPermission): void {
  if (!actor.rights.may(permission, { orgId: actor.orgId })) throw permissionMissing(permission);
}

/**
 * Finds the organization of the object that a request names, and checks the permission there. An object out of reach is
 * answered like one that does not exist, so that nobody learns which of the two it is. The guard has refused callers
 * who hold the permission nowhere.
 */
@Injectable()
export class Reach {
  constructor(
    private readonly orgs: OrgService,
    private readonly projects: ProjectDirectory,
    private readonly users: UserDirectory,
    private readonly clients: ClientDirectory,
    private readonly groups: GroupDirectory,
    private readonly idps: IdpService,
    private readonly instances: InstanceService,
    private readonly projectGrants: ProjectGrantDirectory,
    private readonly userGrants: UserGrantDirectory,
  ) {}

  /** @throws DomainError NotFound `org.not_found` */
  async org(caller: Caller, permission: AnyPermission, orgId: string): Promise<Actor> {
    if (!caller.rights.may(permission, { orgId }) || !(await this.orgs.exists(orgId))) throw orgNotFound();
    return { ...caller, orgId };
  }

  /**
   * The id of the organization that has this domain, for `org`.
   * @throws DomainError NotFound `org.not_found`
   */
  async orgOfDomain(domain: string): Promise<string> {
    const holder = await this.orgs.findByVerifiedDomain(domain);
    if (!holder) throw orgNotFound();
    return holder.id;
  }

  /**
   * A role on the project suffices.
   * @throws DomainError NotFound `project.not_found`
   */
  async project(caller: Caller, permission: AnyPermission, projectId: string): Promise<Actor> {
    const orgId = await this.projects.findOwner(projectId);
    if (orgId === undefined || !caller.rights.may(permission, { orgId, projectId })) throw projectNotFound();
    return { ...caller, orgId };
  }

  /**
   * The grant of a project to an organization, and the actor in that organization, or else in the one that owns the
   * project: each has managers of the grant. A role on the grant or on the project suffices.
   * @throws DomainError NotFound `project_grant.not_found`
   */
  async projectGrant(
    caller: Caller,
    permission: AnyPermission,
    { projectId, grantedOrgId }: { readonly projectId: string; readonly grantedOrgId: string },
  ): Promise<{ readonly actor: Actor; readonly grantId: string }> {
    const [grant] = await this.projectGrants.listTo(grantedOrgId, [projectId]);
    if (!grant) throw projectGrantNotFound();
    const { id: grantId, orgId } = grant;
    const place = [
      { orgId: grantedOrgId, grantId },
      { orgId, projectId },
    ].find((one) => caller.rights.may(permission, one));
    if (!place) throw projectGrantNotFound();
    return { actor: { ...caller, orgId: place.orgId }, grantId };
  }

  /** @throws DomainError NotFound `user.not_found` */
  async user(caller: Caller, permission: AnyPermission, userId: string): Promise<Actor> {
    const orgId = await this.users.findOrg(userId);
    if (orgId === undefined || !caller.rights.may(permission, { orgId })) throw userNotFound();
    return { ...caller, orgId };
  }

  /** @throws DomainError NotFound `group.not_found` */
  async group(caller: Caller, permission: AnyPermission, groupId: string): Promise<Actor> {
    const orgId = await this.groups.findOrg(groupId);
    if (orgId === undefined || !caller.rights.may(permission, { orgId })) throw groupNotFound();
    return { ...caller, orgId };
  }

  /** The caller's own account, for use cases that ask for a proof in place of a permission. */
  own(caller: Caller): Actor {
    return { ...caller, orgId: caller.ownOrgId };
  }

  /**
   * An application, of that project if one is named. A role on the project suffices.
   * @throws DomainError NotFound `client.not_found`
   */
  async application(caller: Caller, permission: AnyPermission, appId: string, named = ''): Promise<ReachedApplication> {
    const reached = await this.findApplication(caller, permission, appId);
    if (!reached || (named !== '' && named !== reached.place.projectId)) throw clientNotFound();
    return reached;
  }

  /**
   * A key of an application.
   * @throws DomainError NotFound `client.key_not_found`
   */
  async applicationKey(caller: Caller, permission: AnyPermission, keyId: string): Promise<ReachedApplication> {
    const appId = await this.clients.findApplicationOfKey(keyId);
    const reached = appId === undefined ? undefined : await this.findApplication(caller, permission, appId);
    if (!reached) throw clientKeyNotFound();
    return reached;
  }

  /**
   * A provider of an organization. Every organization may use one of the instance, so that the permission in any of
   * them suffices.
   * @throws DomainError NotFound `idp.not_found`
   */
  async idp(caller: Caller, permission: AnyPermission, idpId: string): Promise<Actor> {
    const ownerId = await this.idps.findOwner(idpId);
    if (ownerId === undefined) throw idpNotFound();
    const { id: instanceId } = await this.instances.get();
    const isReached =
      ownerId === instanceId
        ? caller.rights.maySomewhere(permission)
        : caller.rights.may(permission, { orgId: ownerId });
    if (!isReached) throw idpNotFound();
    return { ...caller, orgId: ownerId === instanceId ? caller.ownOrgId : ownerId };
  }

  /**
   * An organization, for what it grants of a project. A role on the project suffices if the project is its own, and
   * otherwise one on the grant of the project to it.
   * @throws DomainError NotFound `org.not_found`
   */
  async granting(caller: Caller, permission: AnyPermission, orgId: string, projectId: string): Promise<Actor> {
    const [projectGrant] = await this.projectGrants.listTo(orgId, [projectId]);
    const mayGrant = caller.rights.may(permission, { orgId, projectId, grantId: projectGrant?.id });
    if (!mayGrant || !(await this.orgs.exists(orgId))) throw orgNotFound();
    return { ...caller, orgId };
  }

  /**
   * A user grant. A role on the project or on the project grant that it is of suffices.
   * @throws DomainError NotFound `user_grant.not_found`
   */
  async userGrant(caller: Caller, permission: AnyPermission, grantId: string): Promise<ReachedUserGrant> {
    const found = await this.userGrants.findPlace(grantId);
    if (!found) throw userGrantNotFound();
    const { orgId, userId, projectId, projectGrantId } = found;
    if (!caller.rights.may(permission, { orgId, projectId, grantId: projectGrantId ?? undefined }))
      throw userGrantNotFound();
    return { actor: { ...caller, orgId }, place: { userId, grantId } };
  }

  /**
   * The whole instance. The organization is the caller's own.
   * @throws DomainError PermissionDenied `permission.missing`
   */
  instance(caller: Caller, permission: AnyPermission): Actor {
    if (!caller.rights.mayEverywhere(permission)) throw permissionMissing(permission);
    return this.own(caller);
  }

  /**
   * The caller's own account. No permission: what signs a person in is set up by that person and by no manager.
   * @throws DomainError PermissionDenied `account.not_own`
   */
  ownAccount(caller: Caller, userId: string): Actor {
    if (userId !== caller.userId) throw accountNotOwn();
    return this.own(caller);
  }

  private async findApplication(
    caller: Caller,
    permission: AnyPermission,
    appId: string,
  ): Promise<ReachedApplication | undefined> {
    const found = await this.clients.findPlace(appId);
    if (!found || !caller.rights.may(permission, found)) return undefined;
    return { actor: { ...caller, orgId: found.orgId }, place: { projectId: found.projectId, appId } };
  }
}
