import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Database } from '../../foundation/database/database.js';
import type { ExternalIdentity } from '../../idp/external-identity.js';
import type { Idp } from '../../idp/idp.entity.js';
import { answerRefused } from '../../idp/idp.errors.js';
import { IdpService } from '../../idp/idp.service.js';
import type { IdpForm } from '../../idp/idp-kind.js';
import { IdpKinds } from '../../idp/idp-kinds.js';
import { IdpLinks, type LinkedAccount } from '../../idp/idp-links.js';
import { IdpLogins, type NewIdpLogin, type TakenIdpLogin } from '../../idp/idp-logins.js';
import { JwtSignIn } from '../../idp/jwt-sign-in.js';
import type { IdpProof, ProviderAnswer, ProviderKind } from '../../idp/provider-kind.js';
import { createsAtOnce } from '../../idp/provider-options.js';
import { ProviderRecord } from '../../idp/provider-record.js';
import { FollowedAccount } from '../../management/user/followed-account.js';
import { FollowedProfile } from '../../management/user/followed-profile.js';
import { paths, type ServicePath } from '../../org/instance/paths.js';
import {
  type AuthRequest,
  withAccountToLink,
  withExternalLogin,
  withoutExternalLogin,
  withoutProvider,
  withUser,
} from '../../session/auth-request/auth-request.js';
import { AuthRequestService } from '../../session/auth-request/auth-request.service.js';
import { demandsNewProof, provedSince } from '../../session/auth-request/proof-age.js';
import { SessionService } from '../../session/session.service.js';
import { loginNameOf } from '../../user/user-name.js';
import { accountNotAdmitted, externalUnknown, providerNotOffered } from '../login.errors.js';
import { newCookieOf } from '../new-cookie.js';
import type { Visit } from '../visit.js';
import { Visits } from '../visits.js';
import { ExternalProviders } from './external-providers.js';
import { ExternalRegistration } from './external-registration.js';
import { TurnRate } from './turn-rate.js';

/** Where a user goes to sign in at a provider: to its site, or to a page of ours for a directory. */
export type Departure = { readonly to: string | IdpForm; readonly provider: string } | { readonly directoryId: string };

/** The result of a turn to a provider; the hub decides what comes next. */
export interface Returned {
  readonly request: AuthRequest;
  /** The user is signed in. */
  readonly cookieValue?: string;
}

/** A browser that has returned from a provider, and what it brings. */
export interface Homecoming {
  readonly visit: Visit;
  readonly login: TakenIdpLogin;
}

/** Redirects users to identity providers, and handles their return. */
@Injectable()
export class ExternalLogin {
  constructor(
    private readonly providers: ExternalProviders,
    private readonly registration: ExternalRegistration,
    private readonly profile: FollowedProfile,
    private readonly account: FollowedAccount,
    private readonly logins: IdpLogins,
    private readonly links: IdpLinks,
    private readonly idps: IdpService,
    private readonly kinds: IdpKinds,
    private readonly record: ProviderRecord,
    private readonly jwt: JwtSignIn,
    private readonly visits: Visits,
    private readonly sessions: SessionService,
    private readonly requests: AuthRequestService,
    private readonly database: Database,
    private readonly issuer: IssuerConfig,
    private readonly rate: TurnRate,
  ) {}

  /**
   * Returns the address of the provider, or the form that leads there, and the request waits here for the browser to
   * return; or the id of a directory. `isChoosing`: the user wants another account of the provider than last time.
   * @throws DomainError `login.provider_not_offered`, `idp.provider_failed`; ResourceExhausted `request.too_many`
   */
  async leave(visit: Visit, idpId: string, isChoosing: boolean): Promise<Departure> {
    this.rate.count(visit.address);
    const idp = await this.providers.get(visit, idpId);
    if (this.kinds.isDirectory(idp.type)) return { directoryId: idp.id };
    const kind = this.kindOf(idp);
    const { request } = visit;
    const isToChoose = isChoosing || request.prompts.includes('select_account');
    await this.requests.park(this.database, request);
    const login = this.newLogin(visit, idp);
    const secrets = this.logins.newSecrets(login);
    const leaving = {
      ...secrets,
      authRequestId: request.id,
      // A user who chose an account here is known by its name here, which the provider need not learn.
      loginHint: request.userId === undefined ? request.loginName : undefined,
      prompt: isToChoose ? 'select_account' : demandsNewProof(request) ? 'login' : undefined,
      // OIDC Core §3.1.2.1: 0 demands the same as `login`, which is not sent beside the other one.
      maxAgeSeconds: isToChoose && demandsNewProof(request) ? 0 : request.maxAgeSeconds,
    } as const;
    const to = await this.record.during(idp.id, async () => kind.authorizationUrl(idp, leaving));
    if (kind.returnsWithCode) await this.logins.addWithCode(login, secrets);
    else await this.logins.addWithProxy(login);
    return { provider: idp.name, to };
  }

  /**
   * Resolves a state to the browser's own pending authorization.
   * @throws DomainError FailedPrecondition `login.external_unknown`, and as `Visits.open`
   */
  async receive(http: ExpressRequest, state: string): Promise<Homecoming> {
    const browser = await this.visits.browserOf(http);
    const login = browser && (await this.logins.take(state, browser.id));
    if (!login) throw externalUnknown();
    return { login, visit: await this.visits.open(http, login.authRequestId) };
  }

  /**
   * Handles what a browser has brought to `path`, which must be that of its provider (RFC 9700 §4.4.2).
   * @throws DomainError `idp.…`, `login.provider_not_offered`, `login.account_not_admitted`
   */
  async take({ visit, login }: Homecoming, path: ServicePath, answer: ProviderAnswer): Promise<Returned> {
    const idp = await this.providers.get(visit, login.idpId);
    const kind = this.kindOf(idp);
    if (kind.returnsTo(idp) !== path) throw answerRefused('provider_of_other_type');
    const proof = await this.record.during(idp.id, async () => kind.redeem(idp, answer, login));
    return this.conclude(visit, idp, async () => login.id, proof);
  }

  /**
   * Handles what a directory has said about a user who has just typed the right password, which is a fresh proof.
   * @throws DomainError `login.account_not_admitted`
   */
  async takeFromDirectory(visit: Visit, idp: Idp, identity: ExternalIdentity): Promise<Returned> {
    const { subject } = identity;
    const proof = { subject, provedAt: visit.now, describe: async () => identity, said: identity };
    return this.conclude(visit, idp, () => this.takenLoginAt(visit, idp), proof);
  }

  /**
   * A browser arrives through a proxy, which may hide our cookies: the sealed value identifies it. It is redirected to
   * a page where its cookie is visible, with a value created only now and unknown to the initiator of the login, so
   * that no user can be signed in with another user's token (IDP-015).
   * @throws DomainError FailedPrecondition `login.external_unknown`, `idp.answer_refused`; Unavailable
   * `idp.provider_failed`
   */
  async proveByHeader(userAgentId: string, authRequestId: string, headers: NodeJS.Dict<string[]>): Promise<string> {
    const errand = await this.logins.findOnErrand(userAgentId, authRequestId);
    const idp = errand && (await this.idps.findActive(errand.idpId));
    if (!errand || idp?.type !== 'jwt') throw externalUnknown();
    const state = await this.logins.prove(errand.id, await this.jwt.prove(idp, headers, errand.provedAfter));
    if (state === undefined) throw externalUnknown();
    const query = new URLSearchParams({ authRequestID: authRequestId, userAgentID: userAgentId, state });
    return `${this.issuer.publicUrl}${paths.jwtCallback}?${query.toString()}`;
  }

  /**
   * Signs in a user whose account was created in the end, like `take`.
   * @throws DomainError `login.account_not_admitted`, `login.provider_not_offered`
   */
  async signInLinked(visit: Visit, idp: Idp, proof: Omit<IdpProof, 'describe'>): Promise<Returned> {
    const account = await this.links.findAccount(idp.id, proof.subject);
    if (!account) throw accountNotAdmitted('not_linked');
    return this.signIn(visit, idp, account, proof);
  }

  private newLogin({ request, browser }: Visit, { id: idpId }: Idp): NewIdpLogin {
    return {
      id: this.logins.newId(),
      idpId,
      authRequestId: request.id,
      browserId: browser.id,
      provedAfter: provedSince(request) ?? null,
    };
  }

  /** A turn to a directory that has come back already, for what must be kept of it; most turns keep nothing. */
  private async takenLoginAt(visit: Visit, idp: Idp): Promise<string> {
    await this.requests.park(this.database, visit.request);
    const login = this.newLogin(visit, idp);
    const secrets = this.logins.newSecrets(login);
    await this.logins.addWithCode(login, secrets);
    const taken = await this.logins.take(secrets.state, visit.browser.id);
    if (!taken) throw externalUnknown();
    return taken.id;
  }

  private kindOf({ type }: Idp): ProviderKind {
    const kind = this.kinds.find(type);
    if (!kind) throw providerNotOffered();
    return kind;
  }

  /** @param loginId the turn at which an identity without an account is kept */
  private async conclude(visit: Visit, idp: Idp, loginId: () => Promise<string>, proof: IdpProof): Promise<Returned> {
    const { subject, provedAt, describe } = proof;
    this.record.answered(idp.id);
    const account = await this.links.findAccount(idp.id, subject);
    if (visit.request.idpWanted !== undefined) return this.link(visit, idp, loginId, account, proof);
    if (account) return this.signInAgain(visit, idp, account, proof);
    const identity = await describe();
    if (createsAtOnce(idp) && (await this.registration.register(visit, idp, identity)))
      return this.signInLinked(visit, idp, proof);
    const externalLoginId = await loginId();
    await this.logins.keep(externalLoginId, { identity, provedAt });
    return {
      request: withExternalLogin(visit.request, {
        externalLoginId,
        externalProvedAt: visit.now,
        externalOrgId: visit.orgId,
      }),
    };
  }

  /**
   * The user is signed in, and wants to link what this account is. It never signs anyone in, and creates no account
   * (ACC-007).
   */
  private async link(
    { request }: Visit,
    idp: Idp,
    loginId: () => Promise<string>,
    account: LinkedAccount | undefined,
    { describe, provedAt }: IdpProof,
  ): Promise<Returned> {
    if (account && account.userId !== request.userId) throw accountNotAdmitted('linked_with_another_user');
    if (account) return { request: withoutProvider(request) };
    if (!idp.isLinkingAllowed) throw accountNotAdmitted('linking_not_allowed');
    const id = await loginId();
    await this.logins.keep(id, { identity: await describe(), provedAt });
    return { request: withAccountToLink(request, id) };
  }

  private async signInAgain(
    visit: Visit,
    idp: Idp,
    account: LinkedAccount,
    { describe, ...proof }: IdpProof,
  ): Promise<Returned> {
    const identity = idp.isAutoUpdate ? await describe() : undefined;
    const returned = await this.signIn(visit, idp, account, proof);
    if (identity) await this.profile.follow(account, identity);
    return returned;
  }

  private async signIn(
    visit: Visit,
    idp: Idp,
    account: LinkedAccount,
    { subject, provedAt, said }: Omit<IdpProof, 'describe'>,
  ): Promise<Returned> {
    const { request } = visit;
    if (!account.isActive) throw accountNotAdmitted('account_not_active');
    if (request.requiredOrgId !== undefined && request.requiredOrgId !== account.orgId)
      throw accountNotAdmitted('of_another_organization');
    if (!(await this.providers.serves(idp.id, account.orgId))) throw providerNotOffered();
    const { userId, orgId } = account;
    // Before the session begins: nobody has roles for a moment that the provider has taken from them.
    if (said) await this.account.follow(idp, { userId, orgId, externalUserId: subject }, said);
    const proof = { kind: 'provider', userId, orgId, idpId: idp.id, externalUserId: subject, provedAt } as const;
    const cookieValue = newCookieOf(await this.sessions.signIn(visit.sentBrowser, proof));
    return { request: withoutExternalLogin(withUser(request, userId, loginNameOf(account))), cookieValue };
  }
}
