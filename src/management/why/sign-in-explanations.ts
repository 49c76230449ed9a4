import { Injectable } from '@nestjs/common';
import { DomainError } from '../../foundation/error/domain-error.js';
import { Clock } from '../../foundation/time/clock.js';
import { secondsAfter } from '../../foundation/time/duration.js';
import { IdpLinks } from '../../idp/idp-links.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Client } from '../../project/client/client.js';
import { SERVICE_PAGES, SERVICE_PAGES_ID } from '../../project/client/service-pages.js';
import { type AuthRequest, beginRequest } from '../../session/auth-request/auth-request.js';
import type { ExtStepName } from '../../session/auth-request/ext-login-step.js';
import { type Decided, SignInDecision } from '../../session/auth-request/sign-in-decision.js';
import { SignInPlaces } from '../../session/auth-request/sign-in-places.js';
import { type Supposed, type SupposedUser, supposeTaken } from '../../session/auth-request/supposed-step.js';
import type { Candidate } from '../../session/candidate.js';
import { SupposedSessions } from '../../session/supposed-sessions.js';
import { ScopeRules } from '../../token/claims/scope.js';
import { PasswordAgeService } from '../../user/password-age.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { userNotFound } from '../../user/user.errors.js';
import { UserDirectory, type UserEntry } from '../../user/user-directory.js';
import { AccountLinks } from './account-links.js';
import { ApplicationLinks, type ExplainedApplication } from './application-links.js';
import { AttemptLinks, type ReachedLimits } from './attempt-links.js';
import type { AskedSignIn, Case } from './case.js';
import { EndLinks } from './end-links.js';
import { HeldKinds } from './held-kinds.js';
import { type Link, link, type SignInExplanation } from './link.js';
import { RuleSources } from './rules.js';
import { Sight } from './sight.js';
import { type AskedStep, type Journey, StepLinks } from './step-links.js';
import { summaryOf } from './summary.js';
import { type Way, WayLinks } from './way-links.js';
import { listed } from './wording.js';

/** As long as the pages of a sign-in may take. */
const REQUEST_SECONDS = 3_600;
/** More steps than any sign-in has. */
const MOST_STEPS = 40;
/** Stands for the network of a user where none is given: no browser comes from there. */
const NO_NETWORK = '0.0.0.0';

/**
 * Explains the sign-in of a user in a browser that is new to them: the real decision is asked again and again, each
 * time with the facts as they would be once the user has done what it asked for, until nothing is missing or something
 * refuses. Nothing is changed, counted, locked or recorded by it, and no mail is sent (ADM-065).
 */
@Injectable()
export class SignInExplanations {
  constructor(
    private readonly instances: InstanceService,
    private readonly directory: UserDirectory,
    private readonly rules: RuleSources,
    private readonly links: IdpLinks,
    private readonly sessions: SupposedSessions,
    private readonly decision: SignInDecision,
    private readonly places: SignInPlaces,
    private readonly scopes: ScopeRules,
    private readonly ages: PasswordAgeService,
    private readonly account: AccountLinks,
    private readonly applications: ApplicationLinks,
    private readonly ways: WayLinks,
    private readonly steps: StepLinks,
    private readonly end: EndLinks,
    private readonly attempts: AttemptLinks,
    private readonly held: HeldKinds,
    private readonly clock: Clock,
  ) {}

  /**
   * A user of the organization that the call is about.
   * @throws DomainError NotFound `user.not_found`, `client.not_found`
   */
  async ofOrg(actor: Actor, userId: string, asked: AskedSignIn): Promise<SignInExplanation> {
    return this.explain(actor, await this.directory.get(actor.orgId, userId), asked);
  }

  /**
   * A user of any organization in which the caller may read users.
   * @throws DomainError NotFound `user.not_found`, `client.not_found`
   */
  async ofAny(actor: Actor, userId: string, asked: AskedSignIn): Promise<SignInExplanation> {
    const user = await this.directory.find(userId);
    if (!user) throw userNotFound();
    return this.of(actor, user, asked);
  }

  /**
   * A user whom the caller has read already.
   * @throws DomainError NotFound `user.not_found` if the caller may not, `client.not_found`
   */
  async of(actor: Actor, user: UserEntry, asked: AskedSignIn): Promise<SignInExplanation> {
    if (!actor.rights.may('user.read', { orgId: user.orgId })) throw userNotFound();
    return this.explain(actor, user, asked);
  }

  private async explain(actor: Actor, user: UserEntry, asked: AskedSignIn): Promise<SignInExplanation> {
    const sight = new Sight(actor, (await this.instances.get()).id);
    const name = user.kind === 'human' && user.displayName !== '' ? user.displayName : user.userName;
    const rules = this.rules.for(sight);
    const { spoken: org } = await rules.nameOfOrg(user.orgId);
    const linked = user.kind === 'human' ? await this.links.of(user.id) : [];
    const given: Case = { sight, rules, user, name, org, asked, linked, now: this.clock.now() };
    const application = await this.applications.find(given, asked.application);
    const { limits, reached } = await this.attempts.limits(given);
    const candidate = user.kind === 'human' ? await this.sessions.find(user.id) : undefined;
    const { chain, way } = await this.chainOf(given, candidate, application, reached);
    return {
      ...summaryOf(given, { application: application.name, way: way?.spoken }, chain),
      chain,
      limits,
      failures: await this.attempts.failures(given),
      factors: await this.held.of(given, candidate),
    };
  }

  private async chainOf(
    given: Case,
    candidate: Candidate | undefined,
    application: ExplainedApplication,
    reached: ReachedLimits,
  ): Promise<{ readonly chain: readonly Link[]; readonly way?: Way }> {
    const { asked } = given;
    const required = await this.scopes.requiredOrg(asked.scopes);
    const before = [
      ...(await this.account.of(given, required === given.user.orgId ? required : undefined)),
      ...(await this.applications.of(given, application)),
      ...otherOrg(given, required),
    ];
    const { client } = application;
    if (!candidate) return { chain: before };
    const request = await this.requestOf(given, client, required);
    const loginName = typedName(given);
    const placed = { client: client ?? SERVICE_PAGES, session: undefined };
    const nameless = (await this.places.of({ ...placed, request })).orgId;
    const named = (await this.places.of({ ...placed, request: { ...request, loginName } })).orgId;
    const ways = (await this.ways.of(given, candidate, { nameless, named })).map((one) => limited(one, reached));
    const way = ways.find(({ problems }) => !problems.some(({ effect }) => effect === 'refuses'));
    const others = ways.filter((one) => one !== way);
    if (!way) return { chain: [...before, ...others.flatMap(({ problems }) => problems)] };
    // Another way works: what keeps the user from one that they have is worth knowing.
    const aside = others
      .filter(({ problems }) => !problems.some(({ code }) => NOT_HELD.includes(code)))
      .flatMap(({ problems }) => problems)
      .map((one): Link => ({ ...one, effect: 'informs' }));
    const chain = [...before, ...dropped(asked.scopes, request, client), ...way.problems, ...aside];
    if (!client || chain.some(({ effect }) => effect === 'refuses')) return { chain, way };
    return {
      chain: [
        ...chain,
        ...(await this.walk(given, candidate, { application, client, way, request, loginName, reached })),
      ],
      way,
    };
  }

  /** Loops the real decision until nothing is missing. */
  private async walk(
    given: Case,
    candidate: Candidate,
    start: {
      readonly application: ExplainedApplication;
      readonly client: Client;
      readonly way: Way;
      readonly request: AuthRequest;
      readonly loginName: string;
      readonly reached: ReachedLimits;
    },
  ): Promise<Link[]> {
    const { application, client, way, loginName } = start;
    const { user: owner, asked, now } = given;
    const isPasswordExpired = way.method === 'password' && (await this.ages.isExpired(candidate.account));
    const begun = candidate.sessionAt(now).supposing((facts) => ({
      passwordCheckedAt: null,
      passwordChangeRequired: facts.passwordChangeRequired || isPasswordExpired,
    }));
    const user: SupposedUser = {
      userId: owner.id,
      orgId: owner.orgId,
      loginName,
      proof:
        way.method === 'provider'
          ? { kind: 'provider', idpId: way.idpId ?? '', isLinked: way.isLinked === true }
          : { kind: way.method },
      session: begun,
      passwordExpiresAt: await this.ages.findWarning(candidate.account),
      now,
    };
    const journey: Journey = { application, way: way.spoken, isPasswordExpired };
    const browser = { id: '', address: asked.network === '' ? NO_NETWORK : asked.network, userAgent: '' };
    const taken = new Set<ExtStepName>();
    const links: Link[] = [];
    let at: Supposed = { request: start.request, session: undefined };
    for (let round = 0; round < MOST_STEPS; round += 1) {
      const sessions = at.session ? [at.session] : [];
      const decided = await this.decide({ request: at.request, client, sessions, now }, { browser, taken });
      if (decided === undefined) return [...links, unavailable(given)];
      if (decided.kind !== 'step') return [...links, ...(await this.end.of(given, journey, decided))];
      if (asked.prompts.includes('none')) return [...links, pageNotWanted(given, application)];
      const isDemandedByExtension = decided.secondFactorRequired === true;
      if (isDemandedByExtension) at = { ...at, request: { ...at.request, secondFactorRequired: true } };
      const step: AskedStep = { step: decided.step, request: at.request, session: at.session, isDemandedByExtension };
      links.push(await this.steps.of(given, journey, step));
      if (CODE_STEPS.has(decided.step) && start.reached.code.length > 0) return [...links, ...start.reached.code];
      if (isExtStep(decided.step)) taken.add(decided.step);
      at = supposeTaken(decided.step, at, user);
    }
    throw new Error(`The sign-in of ${owner.id} did not end after ${MOST_STEPS} steps.`);
  }

  private async decide(...supposed: Parameters<SignInDecision['suppose']>): Promise<Decided | undefined> {
    try {
      return await this.decision.suppose(...supposed);
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'extension.step_unavailable') return undefined;
      throw error;
    }
  }

  private async requestOf(
    { asked, now }: Case,
    client: Client | undefined,
    requiredOrg: string | undefined,
  ): Promise<AuthRequest> {
    const isOwnPages = client === undefined || client.id === SERVICE_PAGES_ID;
    const wanted = ['openid', ...asked.scopes];
    const scopes = isOwnPages ? [] : await this.scopes.grantToClient(wanted, client, client.mayAskFor('code'));
    return beginRequest(
      {
        clientId: client?.id ?? '',
        redirectUri: '',
        responseType: isOwnPages ? 'none' : 'code',
        responseMode: 'query',
        scopes,
        administers: isOwnPages ? false : await this.scopes.asksToAdminister(scopes, client),
        leavesOrg: isOwnPages ? false : await this.scopes.leavesOrg(scopes, [], client),
        state: undefined,
        nonce: undefined,
        codeChallenge: undefined,
        prompts: asked.prompts,
        maxAgeSeconds: asked.maxAgeSeconds,
        loginHint: undefined,
        uiLocales: [],
        acrValues: asked.acrValues,
        secondFactorRequired: asked.isSecondFactorDemanded,
        claims: undefined,
        requiredOrgId: requiredOrg === '' ? undefined : requiredOrg,
        requiredUserId: undefined,
      },
      { id: '', browserId: '', createdAt: now, expiresAt: secondsAfter(now, REQUEST_SECONDS) },
    );
  }
}

/** What a user does not have is no news while another way works. */
const NOT_HELD: ReadonlyArray<Link['code']> = ['password_not_set', 'passkey_missing', 'provider_not_linked'];

/** The pages on which a code is typed, which its limit closes. */
const CODE_STEPS: ReadonlySet<string> = new Set(['totp', 'email-code', 'recovery-code']);

/** A way whose attempts are used up is closed, and others are not. */
function limited(way: Way, reached: ReachedLimits): Way {
  return way.method === 'provider' ? way : { ...way, problems: [...way.problems, ...reached[way.method]] };
}

function typedName({ asked, user }: Case): string {
  return asked.loginName === '' ? user.preferredLoginName : asked.loginName;
}

function isExtStep(step: string): step is ExtStepName {
  return step.startsWith('ext/');
}

function otherOrg({ user, name }: Case, required: string | undefined): Link[] {
  if (required === undefined || required === user.orgId) return [];
  const sentence =
    required === ''
      ? 'The application asks by a scope for users of an organization that does not exist or is inactive.'
      : `The application asks by a scope for users of another organization than that of ${name}.`;
  return [link({ code: 'organization_required', effect: 'refuses', sentence })];
}

function dropped(scopes: readonly string[], request: AuthRequest, client: Client | undefined): Link[] {
  const missing = client && client.id !== SERVICE_PAGES_ID ? scopes.filter((one) => !request.scopes.includes(one)) : [];
  if (missing.length === 0) return [];
  const sentence = `The application would not get ${listed([...new Set(missing)])}: unknown here, or not for this application.`;
  return [link({ code: 'scopes_dropped', effect: 'informs', sentence })];
}

function unavailable({ name }: Case): Link {
  const sentence = `An extension does not say whether its step is due, so that ${name} cannot go on. The log names the extension.`;
  return link({ code: 'extension_unavailable', effect: 'refuses', sentence });
}

function pageNotWanted({ name }: Case, { name: application }: ExplainedApplication): Link {
  const sentence = `${application === '' ? 'The page' : application} wants an answer without any page (prompt=none), and ${name} would have to see one.`;
  return link({ code: 'page_not_wanted', effect: 'refuses', sentence });
}
