import { Injectable } from '@nestjs/common';
import type { Secret } from '../../foundation/config/secret.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { IdpService } from '../../idp/idp.service.js';
import type { IdpOwner } from '../../idp/idp-owner.js';
import { IdpProbe, type ProbedPart } from '../../idp/idp-probe.js';
import type { JwtSettings, OidcSettings } from '../../idp/idp-rules.js';
import { LoginPolicyIdps } from '../../idp/login-policy-idps.js';
import type { AddedIdp, CommonSettings, ExtKindConfig, NewExtIdp, NewJwtIdp, NewOidcIdp } from '../../idp/new-idp.js';
import type { Actor } from '../../user/permission/actor.js';
import { Memberships } from '../../user/permission/memberships.js';
import { DecidedGroups } from './decided-groups.js';

export type NewProvider =
  | { readonly oidc: NewOidcIdp }
  | { readonly jwt: NewJwtIdp }
  | { readonly extension: NewExtIdp };

/** The result of a test. */
export interface ProviderTest {
  readonly ok: boolean;
  readonly parts: readonly ProbedPart[];
}

export interface TestedProvider extends AddedIdp {
  /** Whether the provider is offered to people. */
  readonly isOffered: boolean;
  readonly parts: readonly ProbedPart[];
}

/** Identity providers as their managers change them. Refusals are those of `IdpService` and `LoginPolicyIdps`. */
@Injectable()
export class IdentityProviders {
  constructor(
    private readonly database: Database,
    private readonly idps: IdpService,
    private readonly listed: LoginPolicyIdps,
    private readonly probe: IdpProbe,
    private readonly memberships: Memberships,
    private readonly decided: DecidedGroups,
  ) {}

  async add(owner: IdpOwner, actor: Actor, provider: NewProvider): Promise<AddedIdp> {
    return this.database.transaction((tx) => this.addWithin(tx, owner, actor, provider));
  }

  /**
   * Stored inactive first: people see a provider only once a test has succeeded, or if the manager insists.
   * @param insists offers it whatever the test says
   */
  async addTested(owner: IdpOwner, actor: Actor, provider: NewProvider, insists: boolean): Promise<TestedProvider> {
    const { id, type, mark } = await this.database.transaction(async (tx) => {
      const idp = await this.addWithin(tx, owner, actor, provider);
      return { ...idp, mark: await this.idps.deactivate(tx, owner, idp.id, actor.userId) };
    });
    const { ok, parts } = await this.test(owner, id);
    const isOffered = ok || insists;
    return { id, type, mark: isOffered ? await this.reactivate(owner, actor, id) : mark, isOffered, parts };
  }

  /** @throws DomainError PermissionDenied `permission.missing` if the actor may not fill the groups it decides about */
  async change(owner: IdpOwner, actor: Actor, id: string, settings: CommonSettings): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      const mark = await this.idps.change(tx, owner, id, settings, actor.userId);
      await this.decided.checkMayKeep(tx, actor, await this.idps.readOf(tx, owner.id, id));
      return mark;
    });
  }

  /**
   * Changes the settings; without `clientSecret` the secret stays.
   * @throws DomainError PermissionDenied `permission.user_too_strong`
   */
  async changeOidcConfig(
    owner: IdpOwner,
    actor: Actor,
    id: string,
    config: OidcSettings,
    clientSecret: Secret | undefined,
  ): Promise<EventMark> {
    return this.repoint(actor, id, (tx) =>
      this.idps.changeOidcConfig(tx, owner, id, config, clientSecret, actor.userId),
    );
  }

  /** @throws DomainError PermissionDenied `permission.user_too_strong` */
  async changeJwtConfig(owner: IdpOwner, actor: Actor, id: string, config: JwtSettings): Promise<EventMark> {
    return this.repoint(actor, id, (tx) => this.idps.changeJwtConfig(tx, owner, id, config, actor.userId));
  }

  /**
   * Changes the settings; the secrets that are not given, `clientSecret` or among the settings, stay.
   * @throws DomainError PermissionDenied `permission.user_too_strong`, `permission.missing`; InvalidArgument for groups
   * that do not exist
   */
  async changeExtConfig(
    owner: IdpOwner,
    actor: Actor,
    id: string,
    config: ExtKindConfig,
    clientSecret: Secret | undefined,
  ): Promise<EventMark> {
    return this.repoint(actor, id, async (tx) => {
      // Of the settings until now as well: who may not fill these groups does not take them from the provider.
      await this.decided.checkMayKeep(tx, actor, await this.idps.readOf(tx, owner.id, id));
      const mark = await this.idps.changeExtConfig(tx, owner, id, config, clientSecret, actor.userId);
      await this.decided.checkMaySet(tx, actor, owner, await this.idps.readOf(tx, owner.id, id));
      return mark;
    });
  }

  async deactivate(owner: IdpOwner, { userId }: Actor, id: string): Promise<EventMark> {
    return this.database.transaction((tx) => this.idps.deactivate(tx, owner, id, userId));
  }

  /** @throws DomainError PermissionDenied `permission.missing` as `change` */
  async reactivate(owner: IdpOwner, actor: Actor, id: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      const mark = await this.idps.reactivate(tx, owner, id, actor.userId);
      await this.decided.checkMayKeep(tx, actor, await this.idps.readOf(tx, owner.id, id));
      return mark;
    });
  }

  async remove(owner: IdpOwner, { userId }: Actor, id: string): Promise<EventMark> {
    return this.database.transaction((tx) => this.idps.remove(tx, owner, id, userId));
  }

  /** Offers a provider of `ownerOfIdp` in the login policy of `owner`. */
  async list(owner: IdpOwner, { userId }: Actor, ownerOfIdp: IdpOwner, id: string): Promise<EventMark> {
    return this.database.transaction((tx) => this.listed.add(tx, owner, ownerOfIdp, id, userId));
  }

  async unlist(owner: IdpOwner, { userId }: Actor, id: string): Promise<EventMark> {
    return this.database.transaction((tx) => this.listed.remove(tx, owner, id, userId));
  }

  async test(owner: IdpOwner, id: string): Promise<ProviderTest> {
    const parts = await this.probe.test(await this.idps.get([owner.id], id));
    return { ok: parts.every(({ ok }) => ok), parts };
  }

  /**
   * An attacker who points a provider at another server can sign in as every linked user, so a change is treated like
   * one of their credentials.
   */
  private async repoint(actor: Actor, id: string, change: (tx: Transaction) => Promise<EventMark>): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      const mark = await change(tx); // first: users who are about to be linked wait from then on
      await this.memberships.checkNobodyLinkedStronger(tx, actor, id);
      return mark;
    });
  }

  private async addWithin(tx: Transaction, owner: IdpOwner, actor: Actor, added: NewProvider): Promise<AddedIdp> {
    const { userId: editorId } = actor;
    if ('oidc' in added) return this.idps.addOidc(tx, owner, added.oidc, editorId);
    if ('jwt' in added) return this.idps.addJwt(tx, owner, added.jwt, editorId);
    const idp = await this.idps.addExt(tx, owner, added.extension, editorId);
    await this.decided.checkMaySet(tx, actor, owner, await this.idps.readOf(tx, owner.id, idp.id));
    return idp;
  }
}
