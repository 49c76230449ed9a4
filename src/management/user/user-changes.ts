import { Injectable } from '@nestjs/common';
import type { Secret } from '../../foundation/config/secret.js';
import { definedValues } from '../../foundation/database/changed-values.js';
import type { Transaction } from '../../foundation/database/database.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { lastMark } from '../../foundation/event/journal.js';
import type { EncodedPassword } from '../../foundation/password/encoded-password.js';
import { HashBudget } from '../../foundation/password/hash-budget.js';
import { isImportedHash } from '../../foundation/password/password-form.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import type { MetadataEntry } from '../../org/metadata.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import { type Actor, turnOfActor } from '../../user/permission/actor.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';
import { checkPerson, PersonService } from '../../user/person.service.js';
import type { Profile } from '../../user/profile.js';
import { checkService, type ServiceUserChange, ServiceUserService } from '../../user/service-user.service.js';
import type { User } from '../../user/user.entity.js';
import { UserService } from '../../user/user.service.js';
import { UserMetadataService } from '../../user/user-metadata.service.js';
import { ManagedUsers } from './managed-users.js';

/** A new password or the hash of one, and the field of the request that contains it. */
export type PasswordChange = { readonly changeRequired: boolean; readonly field: string } & (
  | { readonly secret: Secret }
  | { readonly hash: string }
);

export interface PersonChange {
  readonly profile?: Partial<Profile>;
  readonly email?: { readonly address: string; readonly isVerified: boolean };
  /** An empty number removes the present one. */
  readonly phone?: { readonly number: string; readonly isVerified: boolean };
  readonly password?: PasswordChange;
}

/** What changes of a user; what is absent stays. */
export interface UserChange {
  readonly userName?: string;
  readonly person?: PersonChange;
  readonly service?: Partial<ServiceUserChange>;
  readonly metadata?: readonly MetadataEntry[];
}

type Step = (tx: Transaction, user: User) => Promise<EventMark>;

/** Several changes of one user by a manager: all of them or none. */
@Injectable()
export class UserChanges {
  constructor(
    private readonly managed: ManagedUsers,
    private readonly users: UserService,
    private readonly persons: PersonService,
    private readonly services: ServiceUserService,
    private readonly metadata: UserMetadataService,
    private readonly passwordPolicies: PasswordPolicyService,
    private readonly passwords: PasswordHash,
    private readonly hashBudget: HashBudget,
  ) {}

  /**
   * A password needs `user.credential.write` in the organization of the call.
   * @throws DomainError InvalidArgument; NotFound `user.not_found`; PermissionDenied; AlreadyExists `user.name_taken`;
   * FailedPrecondition `user.not_person`, `user.not_service`, `user.domain_elsewhere`
   */
  async change(
    actor: Actor,
    userId: string,
    { userName, person, service, metadata = [] }: UserChange,
  ): Promise<EventMark> {
    const encoded = person?.password && (await this.encode(actor, person.password));
    const steps: Step[] = [
      ...(userName === undefined
        ? []
        : [(tx: Transaction, user: User) => this.users.rename(tx, user, userName, actor.userId)]),
      ...(person ? this.stepsOf(actor, person, encoded) : []),
      ...(service ? [(tx: Transaction, user: User) => this.changeService(tx, actor, user, service)] : []),
      ...(metadata.length === 0
        ? []
        : [(tx: Transaction, user: User) => this.metadata.set(tx, user, metadata, actor.userId)]),
    ];
    return this.managed.change(actor, userId, async (tx, user) => {
      if (person) checkPerson(user);
      if (service) checkService(user);
      let current = user;
      for (const step of steps) {
        await step(tx, current);
        current = await this.users.get(tx, userId); // each step decides by what the ones before have made
      }
      return lastMark(current);
    });
  }

  private stepsOf(actor: Actor, { profile, email, phone, password }: PersonChange, encoded?: EncodedPassword): Step[] {
    return [
      ...(profile
        ? [(tx: Transaction, user: User) => this.persons.changeProfile(tx, user, profile, actor.userId)]
        : []),
      ...(email
        ? [
            (tx: Transaction, user: User) =>
              this.persons.changeEmail(tx, user, email.address, email.isVerified, actor.userId),
          ]
        : []),
      ...(phone ? [(tx: Transaction, user: User) => this.changePhone(tx, actor, user, phone)] : []),
      ...(password && encoded
        ? [
            (tx: Transaction, user: User) =>
              this.managed.storePassword(tx, actor, user, encoded, { changeRequired: password.changeRequired }),
          ]
        : []),
    ];
  }

  private async changePhone(
    tx: Transaction,
    actor: Actor,
    user: User,
    { number, isVerified }: NonNullable<PersonChange['phone']>,
  ): Promise<EventMark> {
    if (number !== '') return this.persons.changePhone(tx, user, number, isVerified, actor.userId);
    return user.phone === '' ? lastMark(user) : this.persons.removePhone(tx, user, actor.userId);
  }

  private async changeService(
    tx: Transaction,
    actor: Actor,
    user: User,
    change: Partial<ServiceUserChange>,
  ): Promise<EventMark> {
    const { serviceName: name, description, accessTokenType } = user;
    return this.services.update(
      tx,
      user,
      { name, description, accessTokenType, ...definedValues(change) },
      actor.userId,
    );
  }

  /** @throws DomainError PermissionDenied `permission.missing`; InvalidArgument */
  private async encode(actor: Actor, password: PasswordChange): Promise<EncodedPassword> {
    if (!actor.rights.may('user.credential.write', { orgId: actor.orgId }))
      throw permissionMissing('user.credential.write');
    if ('secret' in password) {
      await this.passwordPolicies.check(actor.orgId, password.secret, password.field);
      return this.passwords.hash(password.secret, turnOfActor(actor));
    }
    const { hash, field } = password;
    const problem = (await this.hashBudget.limits()).problemOf(hash);
    if (problem !== undefined || !isImportedHash(hash))
      throw invalidFields([{ field, description: problem ?? 'must be the hash of a password' }]);
    return hash;
  }
}
