import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newId } from '../../foundation/crypto/id.js';
import { takeLockOn } from '../../foundation/database/advisory-lock.js';
import type { Transaction } from '../../foundation/database/database.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { Project } from '../project.entity.js';
import { ProjectService } from '../project.service.js';

const NAME = 'Registered applications';

/**
 * The project of the applications that describe themselves, in the first organization; made when the first one comes.
 */
@Injectable()
export class RegisteredProject {
  constructor(
    @InjectRepository(Project) private readonly rows: Repository<Project>,
    private readonly instances: InstanceService,
    private readonly projects: ProjectService,
  ) {}

  /** The project, which is made again if an administrator has removed it. */
  async get(tx: Transaction): Promise<Project> {
    return (await this.find(tx, (await this.instances.get()).registeredProjectId)) ?? this.make(tx);
  }

  private async make(tx: Transaction): Promise<Project> {
    await takeLockOn(tx, 'registered project');
    const { registeredProjectId, defaultOrgId: orgId } = await this.instances.hold(tx);
    const made = await this.find(tx, registeredProjectId);
    if (made) return made;
    const isTaken = await tx.of(this.rows).existsBy({ orgId, name: NAME });
    const project = await this.projects.add(tx, { orgId, name: isTaken ? `${NAME} ${newId()}` : NAME }, SYSTEM);
    await this.instances.setRegisteredProject(tx, project.id);
    return project;
  }

  private async find(tx: Transaction, id: string | null): Promise<Project | undefined> {
    return id === null ? undefined : ((await tx.of(this.rows).findOneBy({ id })) ?? undefined);
  }
}
