import { Inject, Injectable } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import { sha256Base64Url } from '../../foundation/crypto/digest.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { PartCalls, PartFailed } from '../../foundation/extension/part-calls.js';
import type { Filled } from '../../foundation/extension/seam.js';
import { addressOf } from '../../foundation/http/request.js';
import { Consents } from '../../project/client/consents.js';
import { SERVICE_PAGES_ID } from '../../project/client/service-pages.js';
import type { BrowserSession } from '../browser-session.js';
import type { AuthRequest } from './auth-request.js';
import {
  type ExtStepName,
  extStepName,
  LOGIN_STEP,
  type LoginStep,
  type StepDue,
  type Turn,
} from './ext-login-step.js';
import { nextStep, type SignIn, type Verdict, wantsConsent } from './next-step.js';

const LIMIT_MS = 1_000;
const MAX_AGENT_CHARACTERS = 400;
const NONE_TAKEN: ReadonlySet<ExtStepName> = new Set();

/** A sign-in about which extensions may be asked, and the request of the browser. */
export type DecidedSignIn = SignIn & { readonly request: AuthRequest; readonly http: ExpressRequest };

/** A sign-in that has not happened: which steps of extensions its user would have taken, and where. */
export interface SupposedSignIn {
  readonly browser: Turn['browser'];
  readonly taken: ReadonlySet<ExtStepName>;
}

/** A verdict, and whether an extension requires two factors, although the application does not. */
export type Decided = Verdict & { readonly secondFactorRequired?: boolean };

/**
 * The decision of every sign-in, with the steps of extensions: after the proof of who the user is and every step of the
 * product, and before consent. Extensions can only add a step, a second factor or a refusal: they are asked when
 * `nextStep` finds nothing missing, so they learn of nobody who has not signed in, and their answer replaces "ready",
 * and never anything by "ready".
 */
@Injectable()
export class SignInDecision {
  constructor(
    @Inject(LOGIN_STEP.token) private readonly steps: ReadonlyArray<Filled<LoginStep>>,
    private readonly calls: PartCalls,
    private readonly consents: Consents,
  ) {}

  /**
   * @throws DomainError Unavailable `extension.step_unavailable` if an extension does not say whether its step is due
   */
  async of(signIn: DecidedSignIn): Promise<Decided> {
    return this.decide(signIn, (session) => toTurn(signIn, session), NONE_TAKEN);
  }

  /**
   * Like `of`, for a sign-in that has not happened: extensions are asked about the user as about any, and their steps
   * that the user would have taken are not due again.
   * @throws DomainError as `of`
   */
  async suppose(
    signIn: SignIn & { readonly request: AuthRequest },
    { browser, taken }: SupposedSignIn,
  ): Promise<Decided> {
    return this.decide(signIn, (session) => turnIn(signIn, session, browser), taken);
  }

  private async decide(
    signIn: SignIn & { readonly request: AuthRequest },
    turnOf: (session: BrowserSession) => Turn,
    taken: ReadonlySet<ExtStepName>,
  ): Promise<Decided> {
    const known = { ...signIn, consented: await this.consentedIn(signIn) };
    const verdict = nextStep(known);
    const session = this.steps.length === 0 ? undefined : finishedBy(verdict);
    if (!session) return verdict;
    const turn = turnOf(session);
    let decided: Decided = verdict;
    for (const filled of this.steps) {
      const step = extStepName(filled);
      const due = await this.isDue(filled, turn);
      if (due === true && taken.has(step)) continue;
      if (due === 'refuse') return { kind: 'not-admitted', session, by: step };
      if (due === 'second-factor') {
        decided = withSecondFactor(known);
        if (finishedBy(decided) !== session) return decided;
      } else if (due) return { ...decided, kind: 'step', step, session };
    }
    return decided;
  }

  /** The users who have consented before, read only where the page for consent may be due. */
  private async consentedIn({
    request,
    client,
    sessions,
  }: Omit<DecidedSignIn, 'http'>): Promise<ReadonlySet<string> | undefined> {
    if (client.describesItself || !wantsConsent({ request, client })) return undefined;
    const userIds = [...new Set(sessions.map(({ userId }) => userId))];
    return this.consents.given(userIds, client, request);
  }

  private async isDue(filled: Filled<LoginStep>, turn: Turn): Promise<StepDue> {
    const call = { seam: LOGIN_STEP, of: filled, limitMs: LIMIT_MS };
    try {
      return await this.calls.call(call, async (step, signal) => {
        const answer: unknown = await step.isDue(turn, signal);
        if (!isStepDue(answer)) throw new Error("Its answer is none of true, false, 'refuse' and 'second-factor'.");
        return answer;
      });
    } catch (error) {
      throw stepUnavailable(error);
    }
  }
}

function isStepDue(answer: unknown): answer is StepDue {
  return typeof answer === 'boolean' || answer === 'refuse' || answer === 'second-factor';
}

/** The verdict on a sign-in that needs two factors. */
function withSecondFactor(signIn: SignIn): Decided {
  const request = { ...signIn.request, secondFactorRequired: true };
  return { ...nextStep({ ...signIn, request }), secondFactorRequired: true };
}

/** The session with which nothing of the product is missing but the user's agreement. */
function finishedBy(verdict: Verdict): BrowserSession | undefined {
  if (verdict.kind === 'ready') return verdict.session;
  const isLast = verdict.kind === 'step' && (verdict.step === 'consent' || verdict.step === 'confirm-device');
  return isLast ? verdict.session : undefined;
}

/** Facts in a form that no extension can change for another one. */
export function toTurn(signIn: Omit<DecidedSignIn, 'sessions'>, session: BrowserSession): Turn {
  const { request, http } = signIn;
  return turnIn(signIn, session, {
    // Its own id is half of what the cookie proves.
    id: sha256Base64Url(`browser of a turn ${request.browserId}`),
    address: addressOf(http),
    userAgent: (http.headers['user-agent'] ?? '').slice(0, MAX_AGENT_CHARACTERS),
  });
}

function turnIn(
  { request, client, now }: Pick<DecidedSignIn, 'request' | 'client' | 'now'>,
  session: BrowserSession,
  browser: Turn['browser'],
): Turn {
  return Object.freeze({
    userId: session.userId,
    orgId: session.orgId,
    loginName: session.loginName,
    displayName: session.displayName,
    client: client.id === SERVICE_PAGES_ID ? undefined : Object.freeze({ id: client.id, name: client.name }),
    scopes: Object.freeze([...request.scopes]),
    amr: Object.freeze(session.amrAt(now, request.createdAt)),
    browser: Object.freeze({ ...browser }),
    now: new Date(now),
  });
}

/**
 * The error for a step that has failed, so that nobody gets past it.
 * @returns the error itself if no extension has caused it
 */
export function stepUnavailable(error: unknown): unknown {
  if (!(error instanceof PartFailed)) return error;
  return new DomainError(
    'Unavailable',
    'extension.step_unavailable',
    'A step of the sign-in cannot be decided at the moment. Try again later.',
    { cause: error },
  );
}
