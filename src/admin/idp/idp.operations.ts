import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Secret } from '../../foundation/config/secret.js';
import type { EventMark } from '../../foundation/event/journal.js';
import type { JsonObject } from '../../foundation/outbound/outbound-client.js';
import { callbackUrl } from '../../idp/callback-url.js';
import type { ExtIdpType } from '../../idp/idp.entity.js';
import { idpKindUnavailable } from '../../idp/idp.errors.js';
import { IdpService } from '../../idp/idp.service.js';
import { IdpKinds } from '../../idp/idp-kinds.js';
import type { IdpOwner } from '../../idp/idp-owner.js';
import type { ProbedPart } from '../../idp/idp-probe.js';
import { type OidcOptions, oidcOptions } from '../../idp/idp-rules.js';
import { type FoundIdp, IdpSearch } from '../../idp/idp-search.js';
import type { AddedIdp, CommonSettings } from '../../idp/new-idp.js';
import { IdentityProviders, type NewProvider, type ProviderConfig } from '../../management/idp/identity-providers.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
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
import type { Provider } from './provider-config.dto.js';
import { toProvider } from './provider-config.mapping.js';
import { fromOptions, type ProviderOptions } from './provider-options.dto.js';
import type {
  GetProviderByIdResponse,
  ListProvidersOfOrgRequest,
  ListProvidersResponse,
  UpdateGenericOidcProviderRequest,
  UpdateJwtProviderRequest,
} from './provider-requests.dto.js';
import type { VendorRequest } from './template/template.js';

/** The look of a provider that a vendor's operation adds, whose kind has a mark. */
const AS_USUAL = {
  stylingType: 'unspecified',
  displayNameMapping: 'unspecified',
  usernameMapping: 'unspecified',
} as const;

type AddedConfig =
  | { readonly oidc: AddOidcIdpRequest & WithOptions & { readonly settings: OidcOptions } }
  | { readonly jwt: AddJwtIdpRequest & WithOptions }
  | { readonly extension: NewExtensionProvider };
type WithOptions = Pick<CommonSettings, 'options'>;
type TestedProvider = Pick<AddGenericOidcProviderResponse, 'details' | 'id' | 'callbackUrl' | 'state' | 'parts'>;

/** The operations on providers of the instance and of an organization, which differ in nothing but the owner. */
@Injectable()
export class IdpOperations {
  constructor(
    private readonly instances: InstanceService,
    private readonly idps: IdpService,
    private readonly providers: IdentityProviders,
    private readonly kinds: IdpKinds,
    private readonly searches: IdpSearch,
    private readonly issuer: IssuerConfig,
  ) {}

  async ownerAt(level: Level, actor: Actor): Promise<IdpOwner> {
    return { level: level.name, id: await level.ownerId(actor, this.instances) };
  }

  async addOidc(owner: IdpOwner, actor: Actor, request: AddOidcIdpRequest): Promise<AddOidcIdpResponse> {
    return this.toAdded(owner, await this.providers.add(owner, actor, { oidc: toNewOidcIdp(request) }));
  }

  async addJwt(owner: IdpOwner, actor: Actor, request: AddJwtIdpRequest): Promise<AddOidcIdpResponse> {
    return this.toAdded(owner, await this.providers.add(owner, actor, { jwt: toNewJwtIdp(request) }));
  }

  /** @param insists offers it whatever the test says */
  async addTested(owner: IdpOwner, actor: Actor, added: AddedConfig, insists: boolean): Promise<TestedProvider> {
    const tested = await this.providers.addTested(owner, actor, toNewProvider(added), insists);
    return {
      details: toAddedDetails(tested.mark, owner.id),
      id: tested.id,
      callbackUrl: callbackUrl(tested, this.issuer),
      state: tested.isOffered ? 'active' : 'inactive',
      parts: [...tested.parts, ...linkingPart(added)],
    };
  }

  /** @throws DomainError FailedPrecondition `idp.kind_unavailable` */
  async addOfVendor(
    owner: IdpOwner,
    actor: Actor,
    kind: ExtIdpType,
    { name, clientId, clientSecret = '', providerOptions }: VendorRequest,
    settings: JsonObject,
  ): Promise<TestedProvider> {
    if (!this.kinds.has(kind)) throw idpKindUnavailable(kind);
    const options = fromOptions(providerOptions);
    const added = { name, kind, clientId, clientSecret, settings, ...options, ...AS_USUAL };
    return this.addTested(owner, actor, { extension: added }, false);
  }

  /** @throws DomainError FailedPrecondition `idp.kind_unavailable`, `idp.other_type`, `idp.unchanged` */
  async updateOfVendor(
    owner: IdpOwner,
    actor: Actor,
    kind: ExtIdpType,
    request: VendorRequest & { readonly id: string },
    settings: JsonObject,
  ): Promise<DetailsResponse> {
    const { clientId, clientSecret = '' } = request;
    const extension = { kind, clientId, settings };
    return this.changeWhole(owner, actor, request, { extension, clientSecret: toNewSecret(clientSecret) });
  }

  async updateOidc(owner: IdpOwner, actor: Actor, request: UpdateGenericOidcProviderRequest): Promise<DetailsResponse> {
    const { issuer, clientId, clientSecret, scopes, isIdTokenMapping, usePkce } = request;
    const oidc = { issuer, clientId, scopes, settings: oidcOptions({ isIdTokenMapping, usePkce }) };
    return this.changeWhole(owner, actor, request, { oidc, clientSecret: toNewSecret(clientSecret) });
  }

  async updateJwt(owner: IdpOwner, actor: Actor, request: UpdateJwtProviderRequest): Promise<DetailsResponse> {
    const { jwtEndpoint, issuer, keysEndpoint, headerName } = request;
    return this.changeWhole(owner, actor, request, { jwt: { jwtEndpoint, issuer, keysEndpoint, headerName } });
  }

  /** Like `get`. */
  async getProvider(owner: IdpOwner, id: string): Promise<GetProviderByIdResponse> {
    const instance = await this.instances.get();
    return { idp: this.toProvider(await this.idps.get([owner.id, instance.id], id), instance.id) };
  }

  async listProviders(owner: IdpOwner, { query, queries }: ListProvidersOfOrgRequest): Promise<ListProvidersResponse> {
    const instance = await this.instances.get();
    const filters = queries.map((one) => toFilter(one, { instance: instance.id, org: owner.id }));
    const page = await this.searches.find([owner.id, instance.id], filters, { ...toRange(query), sortBy: 'id' });
    return { details: toListDetails(page), result: page.rows.map((row) => this.toProvider(row, instance.id)) };
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
    const { idpId, name, stylingType, autoRegister, providerOptions } = request;
    const settings = providerOptions ? fromOptions(providerOptions) : { autoRegister };
    return toChanged(owner, await this.providers.change(owner, actor, idpId, { name, stylingType, ...settings }));
  }

  async updateOidcConfig(
    owner: IdpOwner,
    actor: Actor,
    request: UpdateIdpOidcConfigRequest | UpdateOrgIdpOidcConfigRequest,
  ): Promise<DetailsResponse> {
    const { idpId, issuer, clientId, clientSecret, scopes, displayNameMapping, usernameMapping } = request;
    const config = { issuer, clientId, scopes, displayNameMapping, usernameMapping };
    const secret = toNewSecret(clientSecret);
    return toChanged(owner, await this.providers.changeOidcConfig(owner, actor, idpId, config, secret));
  }

  async updateJwtConfig(owner: IdpOwner, actor: Actor, request: UpdateIdpJwtConfigRequest): Promise<DetailsResponse> {
    const { idpId, jwtEndpoint, issuer, keysEndpoint, headerName } = request;
    const config = { jwtEndpoint, issuer, keysEndpoint, headerName };
    return toChanged(owner, await this.providers.changeJwtConfig(owner, actor, idpId, config));
  }

  async updateExtensionConfig(
    owner: IdpOwner,
    actor: Actor,
    request: UpdateIdpExtensionConfigRequest,
  ): Promise<DetailsResponse> {
    const { idpId, clientId, clientSecret, settings = {}, displayNameMapping, usernameMapping } = request;
    const config = { clientId, settings, displayNameMapping, usernameMapping };
    const secret = toNewSecret(clientSecret);
    return toChanged(owner, await this.providers.changeExtConfig(owner, actor, idpId, config, secret));
  }

  async deactivate(owner: IdpOwner, actor: Actor, { idpId }: IdpIdRequest): Promise<DetailsResponse> {
    return toChanged(owner, await this.providers.deactivate(owner, actor, idpId));
  }

  async reactivate(owner: IdpOwner, actor: Actor, { idpId }: IdpIdRequest): Promise<DetailsResponse> {
    return toChanged(owner, await this.providers.reactivate(owner, actor, idpId));
  }

  async remove(owner: IdpOwner, actor: Actor, { idpId }: IdpIdRequest): Promise<DetailsResponse> {
    return toChanged(owner, await this.providers.remove(owner, actor, idpId));
  }

  async test(owner: IdpOwner, { idpId }: IdpIdRequest): Promise<TestIdpResponse> {
    return this.providers.test(owner, idpId);
  }

  private async changeWhole(
    owner: IdpOwner,
    actor: Actor,
    { id, name, providerOptions }: { readonly id: string; readonly name: string; providerOptions?: ProviderOptions },
    config: ProviderConfig,
  ): Promise<DetailsResponse> {
    const options = providerOptions ? fromOptions(providerOptions) : {};
    return toChanged(owner, await this.providers.changeWhole(owner, actor, id, { name, ...options }, config));
  }

  private toProvider(idp: FoundIdp, instanceId: string): Provider {
    return toProvider(idp, instanceId, this.kinds.has(idp.type));
  }

  private toIdp(idp: FoundIdp, instanceId: string): IdpDto {
    return toIdp(idp, instanceId, this.kinds.has(idp.type));
  }

  private toAdded(owner: IdpOwner, { id, type, mark }: AddedIdp): AddOidcIdpResponse {
    return { details: toAddedDetails(mark, owner.id), idpId: id, callbackUrl: callbackUrl({ id, type }, this.issuer) };
  }
}

function toNewProvider(added: AddedConfig): NewProvider {
  if ('oidc' in added) return { oidc: toNewOidcIdp(added.oidc) };
  if ('jwt' in added) return { jwt: toNewJwtIdp(added.jwt) };
  return { extension: toNewExtIdp(added.extension) };
}

/** Whoever asks for links by a name or an address is told what happens instead. */
function linkingPart(added: AddedConfig): ProbedPart[] {
  const { options } = 'oidc' in added ? added.oidc : 'jwt' in added ? added.jwt : added.extension;
  if (options === undefined || options.autoLinking === 'unspecified') return [];
  const detail =
    'Users are offered to link an account that has their verified address, and sign in to it once. ' +
    'Nothing is linked by a name or an address alone.';
  return [{ part: 'auto_linking', ok: true, detail }];
}

/** The secret to store; an empty text leaves it unchanged. */
function toNewSecret(typed: string): Secret | undefined {
  return typed === '' ? undefined : new Secret(typed);
}

function toChanged(owner: IdpOwner, mark: EventMark): DetailsResponse {
  return { details: toChangedDetails(mark, owner.id) };
}
