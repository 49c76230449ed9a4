import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { allowLongWork } from '../../foundation/database/long-work.js';
import { statement } from '../../foundation/database/statement.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { Clock } from '../../foundation/time/clock.js';
import { IdpService } from '../../idp/idp.service.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { OrgState } from '../../org/org.entity.js';
import { defaultOrgKept, orgNotFound, systemOrgKept } from '../../org/org.errors.js';
import { OrgService } from '../../org/org.service.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { Project } from '../../project/project.entity.js';
import { SessionService } from '../../session/session.service.js';
import { LoginTextService } from '../../text/login-text.service.js';
import { TextService } from '../../text/text.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { Memberships } from '../../user/permission/memberships.js';
import { Webhooks } from '../../webhook/webhooks.js';
import { OWNED } from './owned.js';

const FIND_OWNERS = statement(
  'org.instance_owners',
  `SELECT u.id
   FROM member m
   JOIN user_account u ON u.id = m.user_id AND u.org_id = :id
   WHERE m.level = 'instance' AND m.object_id = (SELECT id FROM instance) AND 'IAM_OWNER' = ANY (m.roles)`,
).rows<{ id: string }>();

/** Deactivates and removes organizations. */
@Injectable()
export class OrgRemoval {
  constructor(
    @InjectRepository(Project) private readonly projects: Repository<Project>,
    private readonly database: Database,
    private readonly orgs: OrgService,
    private readonly instances: InstanceService,
    private readonly memberships: Memberships,
    private readonly idps: IdpService,
    private readonly texts: TextService,
    private readonly loginTexts: LoginTextService,
    private readonly policies: PolicyService,
    private readonly sessions: SessionService,
    private readonly webhooks: Webhooks,
    private readonly clock: Clock,
  ) {}

  /**
   * Removes an organization and everything that it owns, with an event for each object, in one transaction.
   * @throws DomainError NotFound; PermissionDenied `permission.user_too_strong`; FailedPrecondition `org.is_default`,
   * `org.owns_system`, `member.last_owner`
   */
  async remove(actor: Actor, id: string): Promise<EventMark> {
    const editorId = actor.userId;
    return this.database.transaction(async (tx) => {
      await allowLongWork(tx);
      await this.checkMayEnd(tx, actor, id);
      // The sessions are ended first, while their users and applications still exist.
      await this.sessions.endOfOrg(tx, id);
      const org = { level: 'org', id } as const;
      await this.webhooks.removeAllOf(tx, id, editorId);
      await this.idps.removeAllOf(tx, org, editorId);
      await this.texts.removeAllOf(tx, id, editorId);
      await this.loginTexts.removeAllOf(tx, id, editorId);
      await this.policies.removeAllOf(tx, id, editorId);
      for (const { events, remains } of OWNED) {
        await tx.query(events, { orgId: id, editorId, now: this.clock.now() });
        if (remains) await tx.query(remains, { orgId: id });
      }
      return this.orgs.remove(tx, id, editorId);
    });
  }

  /**
   * @throws DomainError NotFound; PermissionDenied `permission.user_too_strong`; FailedPrecondition, also
   * `org.state_unchanged`
   */
  async changeState(actor: Actor, id: string, state: OrgState): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      if (state === 'inactive') await this.checkMayEnd(tx, actor, id);
      return this.orgs.changeState(tx, id, state, actor.userId);
    });
  }

  private async checkMayEnd(tx: Transaction, actor: Actor, id: string): Promise<void> {
    const instance = await this.instances.hold(tx);
    if (!(await this.orgs.exists(id))) throw orgNotFound();
    if (instance.defaultOrgId === id) throw defaultOrgKept();
    if (await tx.of(this.projects).existsBy({ id: instance.systemProjectId, orgId: id })) throw systemOrgKept();
    await this.memberships.checkNobodyStronger(tx, actor, id);
    const owners = await tx.query(FIND_OWNERS, { id });
    if (owners.length > 0)
      await this.memberships.checkOwnerRemains(
        tx,
        owners.map((owner) => owner.id),
      );
  }
}
