import { Injectable } from '@nestjs/common';
import { ExtKinds } from '../../idp/ext-kinds.js';
import type { Idp } from '../../idp/idp.entity.js';
import { IdpService } from '../../idp/idp.service.js';
import { type OfferedIdp, OfferedIdps } from '../../idp/offered-idps.js';
import { searchProviders } from '../../idp/provider-search.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { paths, type ServicePath } from '../../org/instance/paths.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import type { ProviderLink } from '../../page/part/provider-links.js';
import type { ProviderSearch } from '../../page/part/provider-search.js';
import { Urn } from '../../token/claims/urn.js';
import { providerNotOffered } from '../login.errors.js';
import type { Visit } from '../visit.js';

/** The providers as a page shows them. */
export interface ProviderChoice {
  readonly providers: readonly ProviderLink[];
  readonly providerSearch?: ProviderSearch | undefined;
}

const NONE: ProviderChoice = { providers: [] };

/** The identity providers that a sign-in offers. */
@Injectable()
export class ExternalProviders {
  constructor(
    private readonly offered: OfferedIdps,
    private readonly idps: IdpService,
    private readonly kinds: ExtKinds,
    private readonly policies: PolicyService,
    private readonly instances: InstanceService,
    private readonly urn: Urn,
  ) {}

  /** The providers of the organization whose policies apply. */
  async of(visit: Visit): Promise<readonly OfferedIdp[]> {
    return this.offered.of(visit.orgId);
  }

  /** The buttons of a page; none in a sign-in that links an account to a provider, which takes a password. */
  async choiceOf(visit: Visit, action: ServicePath): Promise<ProviderChoice> {
    if (visit.request.externalLoginId !== undefined) return NONE;
    const { shown, search } = searchProviders(await this.of(visit), visit.providerName);
    return { providers: shown.map((idp) => this.toLink(idp)), providerSearch: search && { ...search, action } };
  }

  /**
   * The buttons that the first page could not show: those of an organization found by the domain of the typed name, or
   * all of them if the application named the user and that page was skipped.
   */
  async newChoiceOf(visit: Visit, action: ServicePath): Promise<ProviderChoice> {
    const { requiredOrgId, accountChosen } = visit.request;
    const firstOrgId = requiredOrgId ?? (await this.instances.get()).defaultOrgId;
    return accountChosen && visit.orgId === firstOrgId ? NONE : this.choiceOf(visit, action);
  }

  toLink({ id, name, type, stylingType }: Pick<OfferedIdp, 'id' | 'name' | 'type' | 'stylingType'>): ProviderLink {
    return { name, isVendor: stylingType === 'vendor', mark: this.kinds.markOf(type), href: startOf(id) };
  }

  /** The address at which the user can choose another account of the same provider. */
  otherAccountOf(idpId: string): ServicePath {
    return `${startOf(idpId)}&choose=true`;
  }

  /**
   * The provider as it is now: it may have been deactivated, removed or taken off the list since its button was shown
   * (IDP-010).
   * @throws DomainError PermissionDenied `login.provider_not_offered`
   */
  async get(visit: Visit, idpId: string): Promise<Idp> {
    const idp = await this.find(visit, idpId);
    if (!idp) throw providerNotOffered();
    return idp;
  }

  async find(visit: Visit, idpId: string): Promise<Idp | undefined> {
    const isOffered = (await this.of(visit)).some(({ id }) => id === idpId);
    return isOffered ? this.idps.findActive(idpId) : undefined;
  }

  /**
   * Whether users of an organization may use this provider: it belongs to them or to the instance, and their policy
   * offers it.
   */
  async serves(idpId: string, orgId: string): Promise<boolean> {
    return (await this.offered.of(orgId)).some(({ id }) => id === idpId);
  }

  /**
   * The id of the provider to which the user is sent without being asked for a name: the one that the application names
   * by a scope, unless the user has asked for another way; or the only one if passwords are not allowed.
   */
  async straightTo(visit: Visit): Promise<string | undefined> {
    const { scopes, userId, accountChosen, externalLoginId } = visit.request;
    if (externalLoginId !== undefined) return undefined;
    const isNobodyYet = userId === undefined && !accountChosen && visit.session === undefined;
    const asksName = isNobodyYet && (visit.isDue('login-name') || visit.isDue('register'));
    const asksPassword = visit.isDue('password');
    const named = scopes.map((scope) => this.urn.idpOf(scope)).find((id) => id !== undefined);
    const isOpen = asksName || (isNobodyYet && (asksPassword || visit.isDue('select-account')));
    if (named !== undefined && isOpen) return named;
    if (!(asksName || asksPassword) || (await this.allowsPasswords(visit))) return undefined;
    const [only, ...others] = await this.of(visit);
    return others.length > 0 ? undefined : only?.id;
  }

  /** Whether users may sign in with a password here, and so link an existing account. */
  async allowsPasswords({ orgId }: Visit): Promise<boolean> {
    return (await this.policies.effective('login', orgId)).allowUsernamePassword;
  }
}

function startOf(idpId: string): ServicePath {
  return `${paths.externalStart}?idpConfigID=${encodeURIComponent(idpId)}`;
}
