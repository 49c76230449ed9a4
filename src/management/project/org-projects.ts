import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Transaction } from '../../foundation/database/database.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Project } from '../../project/project.entity.js';
import { ProjectService } from '../../project/project.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';
import type { Permission } from '../../user/permission/role.js';
import { User } from '../../user/user.entity.js';
import { userNotFound } from '../../user/user.errors.js';

/** Decides what an organization may reach; checked before anything about a project is changed. */
@Injectable()
export class OrgProjects {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly projects: ProjectService,
    private readonly instances: InstanceService,
  ) {}

  /**
   * The project of the organization that the call is about, locked until the transaction ends, for changing it or what
   * belongs to it. The system project can only be changed by owners of the instance: anyone who could give its
   * applications another redirect URI would get the tokens of its owners.
   * @throws DomainError NotFound `project.not_found`; PermissionDenied
   */
  async hold(tx: Transaction, actor: Actor, id: string): Promise<Project> {
    const project = await this.projects.getLocked(tx, id, actor.orgId);
    if ((await this.isSystem(id)) && !actor.rights.mayEverywhere('iam.write')) throw permissionMissing('iam.write');
    return project;
  }

  async isSystem(id: string): Promise<boolean> {
    return (await this.instances.get()).systemProjectId === id;
  }

  /**
   * Checks that the user belongs to the organization that the call is about, or to another whose users the actor may
   * read.
   * @throws DomainError NotFound `user.not_found`, also for other users
   */
  async checkSeesUser(on: Pick<Transaction, 'of'>, actor: Actor, userId: string): Promise<void> {
    const user = await on.of(this.users).findOne({ where: { id: userId }, select: { id: true, orgId: true } });
    if (!user || (user.orgId !== actor.orgId && !actor.rights.may('user.read', { orgId: user.orgId })))
      throw userNotFound();
  }
}

/** The objects that the actor may see in a list if no role for the whole organization shows all of them. */
export function shownOnly(
  actor: Actor,
  permission: Permission,
  level: 'project' | 'project_grant',
): string[] | undefined {
  return actor.rights.may(permission, { orgId: actor.orgId })
    ? undefined
    : actor.rights.objectsWith(permission, level, actor.orgId);
}
