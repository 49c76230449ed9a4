import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Form } from '../../foundation/http/form.js';
import { Logger } from '../../foundation/log/logger.js';
import { paths } from '../../org/instance/paths.js';
import { DIRECTORY_ID } from '../../page/directory.page.js';
import type { LoginPage } from '../../page/render.js';
import type { SentForm } from '../../session/auth-request/auth-request.js';
import { EXTERNAL_REFUSALS } from '../external-refusals.js';
import { ExternalLogin } from '../idp/external-login.js';
import { ExternalProviders } from '../idp/external-providers.js';
import { stepMissing } from '../login.errors.js';
import { type Learned, LOGIN_STEPS, type LoginStep } from '../login-step.js';
import { RepeatedSignIn } from '../repeated-sign-in.js';
import { retryOf, sentForm } from '../sent-form.js';
import type { Visit } from '../visit.js';
import { type LearnedInVisit, Visits } from '../visits.js';

/** The answer to the browser: a page of a sign-in, a redirect to a provider, or the answer to the application. */
export type Answer = (
  | {
      readonly kind: 'page';
      readonly page: LoginPage;
      readonly status: number;
      readonly retryAfterSeconds?: number | undefined;
    }
  /** The user goes to a provider. */
  | { readonly kind: 'leaving'; readonly to: string; readonly provider: string }
  /** A form leads to the address of the next page. */
  | { readonly kind: 'see-other'; readonly reference: string }
  /** Nothing is missing, or nothing that a page could change. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'declined' }
  /** The application's answer has been made. */
  | { readonly kind: 'answered'; readonly code: string }
) & {
  /** The sign-in as it is now. */
  readonly visit: Visit;
  /** The new one, if the user has just signed in. */
  readonly cookieValue?: string | undefined;
  /** A further cookie, with what the browser is to remember. */
  readonly setCookie?: string | undefined;
};

/**
 * A form with errors is answered with 400 and shown again; nothing was accepted. 401 would require a WWW-Authenticate
 * header, which a page does not have (RFC 9110 §15.5.2).
 */
const AGAIN = 400;
const REFUSED = 403;
const LIMITED = 429;
/** More steps than can be passed in a row without showing anything. */
const MOST_ROUNDS = 8;

/**
 * Leads a browser from step to step. `SignInDecision` alone decides what comes next; the steps do not depend on one
 * another.
 */
@Injectable()
export class LoginHub {
  constructor(
    @Inject(LOGIN_STEPS) private readonly steps: readonly LoginStep[],
    private readonly repeated: RepeatedSignIn,
    private readonly providers: ExternalProviders,
    private readonly external: ExternalLogin,
    private readonly visits: Visits,
    private readonly log: Logger,
  ) {}

  findStep(path: string): LoginStep | undefined {
    return this.steps.find((step) => step.path === path);
  }

  /** A page at its address: that of the form which led there, or of what is missing now. */
  async open(visit: Visit): Promise<Answer> {
    const { sent, verdict } = visit;
    const step = sent && this.findStep(sent.path);
    if (!step) return this.next(visit);
    const isOpen = { link: true, form: verdict.kind === 'step', due: visit.isDue(step.step) }[step.reach];
    return isOpen ? this.show(step, visit, sent) : this.next(visit);
  }

  /** The page of the next step, or the application's answer. */
  async next(visit: Visit, { round = 0, sent }: { round?: number; sent?: SentForm | undefined } = {}): Promise<Answer> {
    const { verdict, request } = visit;
    if (request.device !== undefined && verdict.kind !== 'step') return deviceRefused(visit);
    switch (verdict.kind) {
      case 'step': {
        const straight = await this.providers.straightTo(visit);
        return straight === undefined
          ? this.show(this.stepFor(verdict.step), visit, sent, round)
          : this.leave(visit, straight, false);
      }
      case 'ready':
        return request.idpWanted === undefined
          ? { kind: 'finished', visit }
          : this.leave(visit, request.idpWanted, true);
      case 'not-admitted': // The application learns of it.
      case 'wrong-user':
      case 'acr-unmet':
        return { kind: 'finished', visit };
    }
  }

  /** A page that the user opens by a button of another one; earlier decisions stay as they are. */
  async turnTo(step: LoginStep, visit: Visit, sent?: SentForm): Promise<Answer> {
    return step.reach === 'link' ? this.show(step, visit, sent) : this.next(visit, { sent });
  }

  /** Handles a form, and answers with the next page. */
  async take(step: LoginStep, visit: Visit, form: Form): Promise<Answer> {
    if (visit.isRepeated) return this.goOn(visit, await this.repeated.signIn(visit, form));
    if (step.reach === 'due' && !visit.isDue(step.step)) return this.next(visit);
    return this.orRefuse(visit, async () => this.submit(step, visit, form));
  }

  private async submit(step: LoginStep, visit: Visit, form: Form): Promise<Answer> {
    try {
      const outcome = await step.submit(visit, form);
      switch (outcome.kind) {
        case 'taken':
          if (outcome.code !== undefined) return { ...outcome, kind: 'answered', code: outcome.code, visit };
          return await this.goOn(visit, outcome);
        case 'learned':
          return await this.learn(visit, outcome);
        case 'shown':
          return await this.show(step, visit, sentForm(step.path, form));
        case 'page':
          return { kind: 'page', visit, page: outcome.page, status: outcome.status };
        case 'ended':
          return { kind: 'page', visit, page: outcome.page, status: 200 };
        case 'declined':
          return { kind: 'declined', visit };
        case 'again':
          return await this.show(step, visit, sentForm(step.path, form, outcome.errors));
      }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.reason === 'user.rule_refused')
        return this.show(step, visit, sentForm(step.path, form, [{ reason: 'refusedByRule' }]));
      if (error.reason !== 'attempt.too_many') throw error;
      this.log.warn({ reason: error.reason, step: step.step, address: visit.address }, 'limited');
      const waitsUntilMs = visit.now.getTime() + (error.retryAfterSeconds ?? 0) * 1000;
      return this.show(step, visit, { ...sentForm(step.path, form, []), waitsUntilMs });
    }
  }

  private async learn(visit: Visit, { request, setCookie }: Learned): Promise<Answer> {
    const answer = await this.next(await this.visits.learn(visit, request));
    return setCookie === undefined ? answer : { ...answer, setCookie };
  }

  /** Continues after something was learned. */
  async goOn(visit: Visit, learned: LearnedInVisit, round = 0): Promise<Answer> {
    const answer = await this.next(await this.visits.goOn(visit, learned), { round });
    return { ...answer, cookieValue: learned.cookieValue };
  }

  /** Sends the user to a provider: to its site, or to the page of a directory. */
  async leave(visit: Visit, idpId: string, isChoosing: boolean): Promise<Answer> {
    return this.orRefuse(visit, async () => {
      const departure = await this.external.leave(visit, idpId, isChoosing);
      if ('to' in departure) return { kind: 'leaving', visit, ...departure };
      const step = this.stepFor('directory');
      return this.show(step, visit, {
        path: step.path,
        typed: { [DIRECTORY_ID]: departure.directoryId },
        errors: [],
      });
    });
  }

  /** Does work that involves a provider: after a refusal the user can still choose another way. */
  async orRefuse(visit: Visit, work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      const refusal = error instanceof DomainError ? EXTERNAL_REFUSALS[error.reason] : undefined;
      if (!(error instanceof DomainError) || !refusal) throw error;
      const detail = typeof error.cause === 'string' ? { detail: error.cause } : {};
      const { path } = visit.http;
      this.log.warn({ reason: error.reason, ...detail, path, address: visit.address }, 'refused');
      const page = { page: 'error', reason: refusal.reason, backHref: paths.loginName } as const;
      return { kind: 'page', visit, status: refusal.status, page };
    }
  }

  /**
   * A form is answered with the address of its page, so that the browser can load it again without the form; directly
   * only where the request is too long for an address.
   */
  private async show(step: LoginStep, visit: Visit, sent?: SentForm, round = 0): Promise<Answer> {
    const reference = visit.http.method === 'POST' ? visit.referenceWith(sent) : undefined;
    if (reference !== undefined) return { kind: 'see-other', visit, reference };
    const retry = sent && retryOf(sent, visit);
    const page = await step.page(visit, retry);
    // There is nothing to show: another window has changed the sign-in, or the step has learned something.
    if (!page || 'request' in page) {
      if (round === MOST_ROUNDS) throw stepMissing(step.step);
      return this.goOn(visit, page ?? {}, round + 1);
    }
    if (page.page === 'error')
      return { kind: 'page', visit, page, status: page.providers?.length || page.providerSearch ? 200 : REFUSED };
    if (retry && retry.waitSeconds > 0)
      return { kind: 'page', visit, page, status: LIMITED, retryAfterSeconds: retry.waitSeconds };
    return { kind: 'page', visit, page, status: retry?.errors.length ? AGAIN : 200 };
  }

  private stepFor(name: LoginStep['step']): LoginStep {
    const step = this.steps.find((each) => each.step === name);
    if (!step) throw stepMissing(name);
    return step;
  }
}

/** The account may not use the application. Unlike after a redirect, the application would not learn that from us. */
function deviceRefused(visit: Visit): Answer {
  const reason = visit.verdict.kind === 'acr-unmet' ? 'secondFactorUnavailable' : 'accountNotAllowed';
  return { kind: 'page', visit, status: REFUSED, page: { page: 'error', reason, backHref: paths.loginName } };
}
