import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Secret } from '../../foundation/config/secret.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { callbackUrl } from '../../idp/callback-url.js';
import { IdpService } from '../../idp/idp.service.js';
import { IdpKinds } from '../../idp/idp-kinds.js';
import type { IdpOwner } from '../../idp/idp-owner.js';
import { IdpProbe } from '../../idp/idp-probe.js';
import { type FoundIdp, IdpSearch } from '../../idp/idp-search.js';
import type { AddedIdp } from '../../idp/new-idp.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { Memberships } from '../../user/permission/memberships.js';
import type { Level } from '../kit/level.js';
import { type DetailsResponse, toAddedDetails, toChangedDetails } from '../kit/wire/details.dto.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import type { UpdateIdpExtensionConfigRequest } from './extension-idp.dto.js';
import type {
  AddJwtIdpRequest,
  AddOidcIdpRequest,
  AddOidcIdpResponse,
  GetIdpRequest,
  GetIdpResponse,
  IdpDto,
  IdpIdRequest,
  ListIdpsResponse,
  ListOrgIdpsRequest,
  UpdateIdpJwtConfigRequest,
  UpdateIdpOidcConfigRequest,
  UpdateIdpRequest,
  UpdateOrgIdpOidcConfigRequest,
} from './idp.dto.js';
import { type NewExtensionProvider, toFilter, toIdp, toNewExtIdp, toNewJwtIdp, toNewOidcIdp } from './idp.mapping.js';
import type { TestIdpResponse } from './idp-test.dto.js';
import type { AddGenericOidcProviderResponse } from './provider.dto.js';

type AddedConfig =
  | { readonly oidc: AddOidcIdpRequest }
  | { readonly jwt: AddJwtIdpRequest }
  | { readonly extension: NewExtensionProvider };
type TestedProvider = Pick<AddGenericOidcProviderResponse, 'details' | 'id' | 'callbackUrl' | 'state' | 'parts'>;

/** What the operations of the instance and those of an organization have in common: everything but the owner. */
@Injectable()
export class IdpOperations {
  constructor(
    private readonly database: Database,
    private readonly instances: InstanceService,
    private readonly idps: IdpService,
    private readonly kinds: IdpKinds,
    private readonly searches: IdpSearch,
    private readonly probe: IdpProbe,
    private readonly memberships: Memberships,
    private readonly issuer: IssuerConfig,
  ) {}

  async ownerAt(level: Level, actor: Actor): Promise<IdpOwner> {
    return { level: level.name, id: await level.ownerId(actor, this.instances) };
  }

  async addOidc(owner: IdpOwner, actor: Actor, request: AddOidcIdpRequest): Promise<AddOidcIdpResponse> {
    return this.toAdded(
      owner,
      await this.database.transaction((tx) => this.idps.addOidc(tx, owner, toNewOidcIdp(request), actor.userId)),
    );
  }

  async addJwt(owner: IdpOwner, actor: Actor, request: AddJwtIdpRequest): Promise<AddOidcIdpResponse> {
    return this.toAdded(
      owner,
      await this.database.transaction((tx) => this.idps.addJwt(tx, owner, toNewJwtIdp(request), actor.userId)),
    );
  }

  /**
   * Stored inactive first: people see a provider only once a test has succeeded, or if the manager insists.
   * @param insists offers it whatever the test says
   */
  async addTested(owner: IdpOwner, actor: Actor, added: AddedConfig, insists: boolean): Promise<TestedProvider> {
    const { id, type, mark } = await this.database.transaction(async (tx) => {
      const idp = await this.addConfig(tx, owner, actor, added);
      return { ...idp, mark: await this.idps.deactivate(tx, owner, idp.id, actor.userId) };
    });
    const { ok, parts } = await this.test(owner, { idpId: id });
    const isOffered = ok || insists;
    const last = isOffered
      ? await this.database.transaction((tx) => this.idps.reactivate(tx, owner, id, actor.userId))
      : mark;
    return {
      details: toAddedDetails(last, owner.id),
      id,
      callbackUrl: callbackUrl({ id, type }, this.issuer),
      state: isOffered ? 'active' : 'inactive',
      parts,
    };
  }

  /** An organization sees the instance's providers as well. */
  async get(owner: IdpOwner, { idpId }: GetIdpRequest): Promise<GetIdpResponse> {
    const instance = await this.instances.get();
    const idp = await this.idps.get([owner.id, instance.id], idpId);
    return { idp: this.toIdp(idp, instance.id), callbackUrl: callbackUrl(idp, this.issuer) };
  }

  async list(owner: IdpOwner, { query, sortingColumn, queries }: ListOrgIdpsRequest): Promise<ListIdpsResponse> {
    const instance = await this.instances.get();
    const filters = queries.map((one) => toFilter(one, { instance: instance.id, org: owner.id }));
    const page = await this.searches.find([owner.id, instance.id], filters, {
      ...toRange(query),
      sortBy: sortingColumn,
    });
    return {
      details: toListDetails(page),
      sortingColumn,
      result: page.rows.map((row) => this.toIdp(row, instance.id)),
    };
  }

  async update(owner: IdpOwner, actor: Actor, request: UpdateIdpRequest): Promise<DetailsResponse> {
    const { idpId, name, stylingType, autoRegister } = request;
    return this.change(owner, (tx) =>
      this.idps.change(tx, owner, idpId, { name, stylingType, autoRegister }, actor.userId),
    );
  }

  async updateOidcConfig(
    owner: IdpOwner,
    actor: Actor,
    request: UpdateIdpOidcConfigRequest | UpdateOrgIdpOidcConfigRequest,
  ): Promise<DetailsResponse> {
    const { idpId, issuer, clientId, clientSecret, scopes, displayNameMapping, usernameMapping } = request;
    const config = { issuer, clientId, scopes, displayNameMapping, usernameMapping };
    const secret = clientSecret === '' ? undefined : new Secret(clientSecret);
    return this.repoint(owner, actor, idpId, (tx) =>
      this.idps.changeOidcConfig(tx, owner, idpId, config, secret, actor.userId),
    );
  }

  async updateJwtConfig(owner: IdpOwner, actor: Actor, request: UpdateIdpJwtConfigRequest): Promise<DetailsResponse> {
    const { idpId, jwtEndpoint, issuer, keysEndpoint, headerName } = request;
    return this.repoint(owner, actor, idpId, (tx) =>
      this.idps.changeJwtConfig(tx, owner, idpId, { jwtEndpoint, issuer, keysEndpoint, headerName }, actor.userId),
    );
  }

  async updateExtensionConfig(
    owner: IdpOwner,
    actor: Actor,
    request: UpdateIdpExtensionConfigRequest,
  ): Promise<DetailsResponse> {
    const { idpId, clientId, clientSecret, settings = {}, displayNameMapping, usernameMapping } = request;
    const config = { clientId, settings, displayNameMapping, usernameMapping };
    const secret = clientSecret === '' ? undefined : new Secret(clientSecret);
    return this.repoint(owner, actor, idpId, (tx) =>
      this.idps.changeExtConfig(tx, owner, idpId, config, secret, actor.userId),
    );
  }

  async deactivate(owner: IdpOwner, actor: Actor, { idpId }: IdpIdRequest): Promise<DetailsResponse> {
    return this.change(owner, (tx) => this.idps.deactivate(tx, owner, idpId, actor.userId));
  }

  async reactivate(owner: IdpOwner, actor: Actor, { idpId }: IdpIdRequest): Promise<DetailsResponse> {
    return this.change(owner, (tx) => this.idps.reactivate(tx, owner, idpId, actor.userId));
  }

  async remove(owner: IdpOwner, actor: Actor, { idpId }: IdpIdRequest): Promise<DetailsResponse> {
    return this.change(owner, (tx) => this.idps.remove(tx, owner, idpId, actor.userId));
  }

  async test(owner: IdpOwner, { idpId }: IdpIdRequest): Promise<TestIdpResponse> {
    const parts = await this.probe.test(await this.idps.get([owner.id], idpId));
    return { ok: parts.every(({ ok }) => ok), parts };
  }

  /**
   * An attacker who points a provider at another server can sign in as every linked user, so a change is treated like
   * one of their credentials.
   */
  private async repoint(
    owner: IdpOwner,
    actor: Actor,
    idpId: string,
    change: (tx: Transaction) => Promise<EventMark>,
  ): Promise<DetailsResponse> {
    return this.change(owner, async (tx) => {
      const mark = await change(tx); // first: users who are about to be linked wait from then on
      await this.memberships.checkNobodyLinkedStronger(tx, actor, idpId);
      return mark;
    });
  }

  private async change(owner: IdpOwner, change: (tx: Transaction) => Promise<EventMark>): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.database.transaction(change), owner.id) };
  }

  private async addConfig(tx: Transaction, owner: IdpOwner, { userId }: Actor, added: AddedConfig): Promise<AddedIdp> {
    if ('oidc' in added) return this.idps.addOidc(tx, owner, toNewOidcIdp(added.oidc), userId);
    if ('jwt' in added) return this.idps.addJwt(tx, owner, toNewJwtIdp(added.jwt), userId);
    return this.idps.addOwn(tx, owner, toNewExtIdp(added.extension), userId);
  }

  private toIdp(idp: FoundIdp, instanceId: string): IdpDto {
    return toIdp(idp, instanceId, this.kinds.has(idp.type));
  }

  private toAdded(owner: IdpOwner, { id, type, mark }: AddedIdp): AddOidcIdpResponse {
    return { details: toAddedDetails(mark, owner.id), idpId: id, callbackUrl: callbackUrl({ id, type }, this.issuer) };
  }
}
