import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { IssuerConfig } from '../../foundation/config/config.js';
import type { Secret } from '../../foundation/config/secret.js';
import { newId } from '../../foundation/crypto/id.js';
import { takeLockOn } from '../../foundation/database/advisory-lock.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import { parseDomain, toDefaultDomain } from '../../org/domain-name.js';
import { ORG_IN_PATH } from '../../org/in-path.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { domainLockOf } from '../../org/name-scope.js';
import type { Org } from '../../org/org.entity.js';
import { orgIdTaken } from '../../org/org.errors.js';
import { type NewOrg, OrgService } from '../../org/org.service.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import { type Actor, turnOfActor } from '../../user/permission/actor.js';
import { Memberships } from '../../user/permission/memberships.js';
import { Rights } from '../../user/permission/rights.js';
import { RoleBook } from '../../user/permission/role-book.js';
import { type NewPerson, PersonService } from '../../user/person.service.js';
import { User } from '../../user/user.entity.js';
import { userNotFound } from '../../user/user.errors.js';
import { type Newcomer, Newcomers, type PreparedNewcomer } from '../user/newcomers.js';
import { checkNobodyElseIsNamedAt } from './names-at-domain.js';

export interface NewOrgWithOwner {
  readonly name: string;
  /** The first domain; empty if it is derived from the name. */
  readonly domain: string;
  readonly human: Omit<NewPerson, 'orgId' | 'passwordHash'>;
  /** The owner's password; without one the owner sets the account up. */
  readonly password: Secret | undefined;
  /** The owner's roles; empty for ORG_OWNER. */
  readonly roles: readonly string[];
}

/** Somebody who manages a new organization: a user that there is, or a new one in it. */
export type FirstManager = ({ readonly userId: string } | { readonly human: Newcomer }) & {
  /** Empty for ORG_OWNER. */
  readonly roles: readonly string[];
};

export interface NewOrgWithManagers {
  /** Chosen by the caller. */
  readonly id: string | undefined;
  readonly name: string;
  /** Empty for the caller. */
  readonly managers: readonly FirstManager[];
}

/** Creates organizations. */
@Injectable()
export class OrgSetup {
  constructor(
    private readonly database: Database,
    private readonly orgs: OrgService,
    private readonly persons: PersonService,
    private readonly memberships: Memberships,
    private readonly passwordPolicies: PasswordPolicyService,
    private readonly passwords: PasswordHash,
    private readonly instances: InstanceService,
    private readonly issuer: IssuerConfig,
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly newcomers: Newcomers,
    private readonly book: RoleBook,
  ) {}

  /**
   * Creates an organization with its first user and their roles: all of it or nothing.
   * @throws DomainError InvalidArgument; AlreadyExists; FailedPrecondition `org.domain_in_use`
   */
  async setUp(actor: Actor, input: NewOrgWithOwner): Promise<{ org: Org; userId: string }> {
    // The rules of the instance: the organization cannot have any of its own yet.
    if (input.password)
      await this.passwordPolicies.check((await this.instances.get()).id, input.password, 'human.password');
    const passwordHash = input.password && (await this.passwords.hash(input.password, turnOfActor(actor)));
    return this.database.transaction(async (tx) => {
      const org = await this.addOrg(tx, input, actor.userId);
      const { id: userId } = await this.persons.add(
        tx,
        { ...input.human, orgId: org.id, ...(passwordHash === undefined ? {} : { passwordHash }) },
        actor.userId,
      );
      await this.makeManager(tx, actor, org.id, userId, input.roles.length > 0 ? input.roles : ['ORG_OWNER']);
      return { org, userId };
    });
  }

  /**
   * Creates an organization owned by the caller.
   * @throws DomainError AlreadyExists
   */
  async add(actor: Actor, name: string): Promise<Org> {
    return this.database.transaction(async (tx) => {
      const org = await this.addOrg(tx, { name, domain: '' }, actor.userId);
      await this.memberships.add(
        tx,
        { userId: actor.userId, level: 'org', objectId: org.id, orgId: org.id, roles: ['ORG_OWNER'] },
        actor.userId,
      );
      return org;
    });
  }

  /**
   * Creates an organization with its managers, those who are new included: all of it or nothing.
   * @returns the ids of the new users, in the order of the managers
   * @throws DomainError InvalidArgument; NotFound `user.not_found`; AlreadyExists; FailedPrecondition; as
   * `Newcomers.prepare` and `addWithin`
   */
  async addWithManagers(
    actor: Actor,
    { id = newId(), name, managers }: NewOrgWithManagers,
  ): Promise<{ org: Org; createdIds: string[] }> {
    const { id: instanceId } = await this.instances.get();
    checkId(id, instanceId);
    this.checkRoles(managers);
    const there: Actor = { ...actor, orgId: id };
    // The rules of the instance: the organization cannot have any of its own yet.
    const prepared = new Map<FirstManager, PreparedNewcomer>();
    for (const manager of managers)
      if ('human' in manager) prepared.set(manager, await this.newcomers.prepare(there, manager.human, instanceId));
    return this.database.transaction(async (tx) => {
      const org = await this.addOrg(tx, { id, name, domain: '' }, actor.userId);
      // Who creates an organization could be its owner, and may give others what an owner may.
      const owner: Actor = { ...there, rights: this.rightsOfOwner(id) };
      const createdIds: string[] = [];
      for (const manager of managers.length > 0 ? managers : [{ userId: actor.userId, roles: [] }]) {
        const newcomer = prepared.get(manager);
        const added = newcomer && (await this.newcomers.addWithin(tx, there, newcomer)).id;
        if (added !== undefined) createdIds.push(added);
        const userId = added ?? (await this.visible(tx, actor, manager));
        await this.makeManager(tx, owner, id, userId, manager.roles.length > 0 ? manager.roles : ['ORG_OWNER']);
      }
      return { org, createdIds };
    });
  }

  /** @throws DomainError NotFound `user.not_found`, also for a user whom the actor may not read */
  private async visible(tx: Transaction, actor: Actor, manager: FirstManager): Promise<string> {
    const userId = 'userId' in manager ? manager.userId : '';
    if (userId === actor.userId) return userId;
    const user = await tx.of(this.users).findOne({ where: { id: userId }, select: { id: true, orgId: true } });
    if (!user || !actor.rights.may('user.read', { orgId: user.orgId })) throw userNotFound();
    return userId;
  }

  private rightsOfOwner(orgId: string): Rights {
    return new Rights([{ level: 'org', objectId: orgId, orgId, roles: ['ORG_OWNER'] }], this.book);
  }

  private checkRoles(managers: readonly FirstManager[]): void {
    const violations = managers.flatMap(({ roles }, index) =>
      roles
        .filter((role) => !this.book.isOf('org', role))
        .map((role) => ({
          field: `admins[${index}].roles`,
          description: `the role ${role} does not exist at this level`,
        })),
    );
    if (violations.length > 0) throw invalidFields(violations);
  }

  private async addOrg(tx: Transaction, { id, name, domain }: NewOrg, editorId: string): Promise<Org> {
    const own = domain === '' ? toDefaultDomain(name, this.issuer.publicUrl) : parseDomain(domain);
    if (own === undefined)
      throw invalidFields([{ field: 'org.domain', description: 'must be a domain name such as example.com' }]);
    // Imports are not waited for, unlike by `holdNamesAt`: they take minutes, and rarely name users at a domain that
    // does not exist yet.
    await takeLockOn(tx, domainLockOf(own));
    await checkNobodyElseIsNamedAt(tx, own, '');
    const org = await this.orgs.add(tx, { ...(id === undefined ? {} : { id }), name, domain: own }, editorId);
    await this.orgs.checkNameIsFree(tx, name, org.id); // after the domain, whose refusal says more
    return org;
  }

  private async makeManager(
    tx: Transaction,
    actor: Actor,
    orgId: string,
    userId: string,
    roles: readonly string[],
  ): Promise<void> {
    const object = { level: 'org', objectId: orgId, orgId } as const;
    this.memberships.checkMayGive(actor, object, roles);
    await this.memberships.add(tx, { ...object, userId, roles }, actor.userId);
  }
}

/**
 * An id that a caller has chosen. That of the instance is taken: settings of an organization are kept by its id.
 * @throws DomainError InvalidArgument; AlreadyExists `org.id_taken`
 */
function checkId(id: string, instanceId: string): void {
  const description = ORG_IN_PATH.problem(id);
  if (description !== undefined) throw invalidFields([{ field: 'organizationId', description }]);
  if (id === instanceId) throw orgIdTaken();
}
