import { Injectable } from '@nestjs/common';
import type { Secret } from '../../foundation/config/secret.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { EventMark } from '../../foundation/event/journal.js';
import type { JsonObject } from '../../foundation/outbound/outbound-client.js';
import { idpOfOtherType, idpUnchanged } from '../../idp/idp.errors.js';
import { IdpService } from '../../idp/idp.service.js';
import type { IdpOwner } from '../../idp/idp-owner.js';
import { IdpProbe, type ProbedPart } from '../../idp/idp-probe.js';
import type { JwtSettings, OidcOptions, OidcSettings } from '../../idp/idp-rules.js';
import { LoginPolicyIdps } from '../../idp/login-policy-idps.js';
import type { AddedIdp, CommonSettings, ExtKindConfig, NewExtIdp, NewJwtIdp, NewOidcIdp } from '../../idp/new-idp.js';
import { ProviderRecord } from '../../idp/provider-record.js';
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

/** What a provider of each type is called with. Of an extension's kind, settings that are not named stay. */
export type ProviderConfig =
  | {
      readonly oidc: Pick<OidcSettings, 'issuer' | 'clientId' | 'scopes'> & { readonly settings: OidcOptions };
      readonly clientSecret: Secret | undefined;
    }
  | { readonly jwt: JwtSettings }
  | {
      readonly extension: { readonly kind: string; readonly clientId: string; readonly settings: JsonObject };
      readonly clientSecret: Secret | undefined;
    };

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
    private readonly record: ProviderRecord,
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
    return this.database.transaction((tx) => this.changeWithin(tx, owner, actor, id, settings));
  }

  /**
   * Changes name, options and configuration at once; look and mappings stay, and so does what is not given of
   * secrets.
   * @throws DomainError FailedPrecondition `idp.unchanged` if nothing of all this changes, `idp.other_type`; otherwise
   * as `change`, and the change of a configuration of its type
   */
  async changeWhole(
    owner: IdpOwner,
    actor: Actor,
    id: string,
    settings: Partial<CommonSettings>,
    config: ProviderConfig,
  ): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      const renamed = await unlessUnchanged(this.changeWithin(tx, owner, actor, id, settings));
      const repointed = await unlessUnchanged(this.changeConfigWithin(tx, owner, actor, id, config));
      const mark = repointed ?? renamed;
      if (!mark) throw idpUnchanged();
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
    return this.database.transaction((tx) =>
      this.repoint(tx, actor, id, this.idps.changeOidcConfig(tx, owner, id, config, clientSecret, actor.userId)),
    );
  }

  /** @throws DomainError PermissionDenied `permission.user_too_strong` */
  async changeJwtConfig(owner: IdpOwner, actor: Actor, id: string, config: JwtSettings): Promise<EventMark> {
    return this.database.transaction((tx) =>
      this.repoint(tx, actor, id, this.idps.changeJwtConfig(tx, owner, id, config, actor.userId)),
    );
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
    return this.database.transaction((tx) =>
      this.repoint(tx, actor, id, this.changeExtConfigWithin(tx, owner, actor, id, config, clientSecret)),
    );
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
    const ok = parts.every((part) => part.ok);
    await this.record.tested(id, ok);
    return { ok, parts };
  }

  /**
   * An attacker who points a provider at another server can sign in as every linked user, so a change is treated like
   * one of their credentials.
   */
  private async repoint(tx: Transaction, actor: Actor, id: string, change: Promise<EventMark>): Promise<EventMark> {
    const mark = await change; // first: users who are about to be linked wait from then on
    await this.memberships.checkNobodyLinkedStronger(tx, actor, id);
    return mark;
  }

  private async changeWithin(
    tx: Transaction,
    owner: IdpOwner,
    actor: Actor,
    id: string,
    settings: Partial<CommonSettings>,
  ): Promise<EventMark> {
    const mark = await this.idps.change(tx, owner, id, settings, actor.userId);
    await this.decided.checkMayKeep(tx, actor, await this.idps.readOf(tx, owner.id, id));
    return mark;
  }

  private async changeConfigWithin(
    tx: Transaction,
    owner: IdpOwner,
    actor: Actor,
    id: string,
    config: ProviderConfig,
  ): Promise<EventMark> {
    const { userId: editorId } = actor;
    const { type, displayNameMapping, usernameMapping, settings } = await this.idps.readOf(tx, owner.id, id);
    if ('jwt' in config)
      return this.repoint(tx, actor, id, this.idps.changeJwtConfig(tx, owner, id, config.jwt, editorId));
    const mappings = { displayNameMapping, usernameMapping };
    if ('oidc' in config) {
      const wanted = { ...config.oidc, ...mappings };
      const change = this.idps.changeOidcConfig(tx, owner, id, wanted, config.clientSecret, editorId);
      return this.repoint(tx, actor, id, change);
    }
    const { kind, clientId, settings: named } = config.extension;
    if (type !== kind) throw idpOfOtherType(type);
    const wanted = { clientId, settings: { ...settings, ...named }, ...mappings };
    return this.repoint(tx, actor, id, this.changeExtConfigWithin(tx, owner, actor, id, wanted, config.clientSecret));
  }

  private async changeExtConfigWithin(
    tx: Transaction,
    owner: IdpOwner,
    actor: Actor,
    id: string,
    config: ExtKindConfig,
    clientSecret: Secret | undefined,
  ): Promise<EventMark> {
    // Of the settings until now as well: who may not fill these groups does not take them from the provider.
    await this.decided.checkMayKeep(tx, actor, await this.idps.readOf(tx, owner.id, id));
    const mark = await this.idps.changeExtConfig(tx, owner, id, config, clientSecret, actor.userId);
    await this.decided.checkMaySet(tx, actor, owner, await this.idps.readOf(tx, owner.id, id));
    return mark;
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

/** Undefined if there was nothing to change, which is found out before anything is written. */
async function unlessUnchanged(change: Promise<EventMark>): Promise<EventMark | undefined> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof DomainError && error.reason === idpUnchanged().reason) return undefined;
    throw error;
  }
}
