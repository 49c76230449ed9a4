import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import type { Secret } from '../../foundation/config/secret.js';
import { takeLockOn } from '../../foundation/database/advisory-lock.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import { parseDomain, toDefaultDomain } from '../../org/domain-name.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { domainLockOf } from '../../org/name-scope.js';
import type { Org } from '../../org/org.entity.js';
import { OrgService } from '../../org/org.service.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import { type Actor, turnOfActor } from '../../user/permission/actor.js';
import { Memberships } from '../../user/permission/memberships.js';
import { type NewPerson, PersonService } from '../../user/person.service.js';
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
      const org = await this.addOrg(tx, input.name, input.domain, actor.userId);
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
      const org = await this.addOrg(tx, name, '', actor.userId);
      await this.memberships.add(
        tx,
        { userId: actor.userId, level: 'org', objectId: org.id, orgId: org.id, roles: ['ORG_OWNER'] },
        actor.userId,
      );
      return org;
    });
  }

  private async addOrg(tx: Transaction, name: string, domain: string, editorId: string): Promise<Org> {
    const own = domain === '' ? toDefaultDomain(name, this.issuer.publicUrl) : parseDomain(domain);
    if (own === undefined)
      throw invalidFields([{ field: 'org.domain', description: 'must be a domain name such as example.com' }]);
    // Imports are not waited for, unlike by `holdNamesAt`: they take minutes, and rarely name users at a domain that
    // does not exist yet.
    await takeLockOn(tx, domainLockOf(own));
    await checkNobodyElseIsNamedAt(tx, own, '');
    const org = await this.orgs.add(tx, { name, domain: own }, editorId);
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
