import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../foundation/error/domain-error.js';
import type { Form } from '../foundation/http/form.js';
import { Logger } from '../foundation/log/logger.js';
import type { ProviderLink } from '../foundation/page/part/provider-links.js';
import { paths } from '../foundation/page/paths.js';
import type { LoginPage } from '../foundation/page/render.js';
import { ExternalProviders } from './idp/external-providers.js';
import { stepMissing } from './login.errors.js';
import { RepeatedSignIn } from './repeated-sign-in.js';
import { LOGIN_STEPS, type LoginStep, type Retry } from './step/login-step.js';
import type { Visit } from './visit.js';
import { onward, showsSuccess, successOf, toCallback, toRefusal } from './way-out.js';

/** The response: a page of this sign-in, or a redirect. */
export type Answer =
  | { readonly page: LoginPage; readonly status: number; readonly retryAfterSeconds?: number | undefined }
  | { readonly redirectTo: string; readonly cookieValue?: string | undefined };

/**
 * A form with errors is answered with 400 and shown again; nothing was accepted. 401 would require a WWW-Authenticate
 * header, which a page does not have (RFC 9110 §15.5.2).
 */
const AGAIN = 400;
const REFUSED = 403;
const LIMITED = 429;

/**
 * Leads a browser from step to step. `nextStep` alone decides what comes next; the steps do not depend on one another.
 */
@Injectable()
export class LoginHub {
  constructor(
    @Inject(LOGIN_STEPS) private readonly steps: readonly LoginStep[],
    private readonly repeated: RepeatedSignIn,
    private readonly providers: ExternalProviders,
    private readonly log: Logger,
  ) {}

  findStep(path: string): LoginStep | undefined {
    return this.steps.find((step) => step.path === path);
  }

  /** The page of the next step, or the redirect to the application's answer. */
  async next(visit: Visit): Promise<Answer> {
    const { verdict } = visit;
    switch (verdict.kind) {
      case 'step': {
        const straight = await this.providers.straightTo(visit);
        if (straight === undefined) return this.show(this.stepFor(verdict.step), visit);
        return straight.href === undefined
          ? { page: onwardTo(visit, straight.provider), status: 200 }
          : { redirectTo: straight.href };
      }
      case 'ready':
        return showsSuccess(visit) ? { page: successOf(visit), status: 200 } : { redirectTo: toCallback(visit) };
      case 'not-admitted': // Returned to the application as an error.
      case 'wrong-user':
      case 'acr-unmet':
        return { redirectTo: toCallback(visit) };
    }
  }

  /** A page that the user opens by a link; earlier decisions stay as they are. */
  async turnTo(step: LoginStep, visit: Visit): Promise<Answer> {
    return this.show(step, visit);
  }

  /** Handles a form. 303: the browser continues with GET and never forwards a password (RFC 9700 §4.12). */
  async take(step: LoginStep, visit: Visit, form: Form): Promise<Answer> {
    if (step.reach === 'due' && !visit.isDue(step.step)) return toHub(visit);
    try {
      const outcome = visit.isRepeated ? await this.repeated.submit(visit, form) : await step.submit(visit, form);
      switch (outcome.kind) {
        case 'taken':
          // The user has just signed in: nearly always nothing is missing, and if something is, the callback finds it.
          return outcome.cookieValue === undefined
            ? toHub(visit)
            : { redirectTo: onward(visit), cookieValue: outcome.cookieValue };
        case 'shown':
          return { redirectTo: visit.linkTo(step.path) };
        case 'declined':
          return { redirectTo: toRefusal(visit) };
        case 'again':
          return await this.show(step, visit, { form, errors: outcome.errors });
      }
    } catch (error) {
      if (!(error instanceof DomainError) || error.reason !== 'attempt.too_many') throw error;
      this.log.warn({ reason: error.reason, step: step.step, address: visit.address }, 'limited');
      const answer = await this.show(step, visit, { form, errors: [{ reason: 'tooManyAttempts' }] });
      return 'page' in answer ? { ...answer, status: LIMITED, retryAfterSeconds: error.retryAfterSeconds } : answer;
    }
  }

  private async show(step: LoginStep, visit: Visit, retry?: Retry): Promise<Answer> {
    const page = await step.page(visit, retry);
    if (!page) return toHub(visit);
    if (page.page === 'error') return { page, status: page.providers?.length ? 200 : REFUSED };
    return { page, status: retry?.errors.length ? AGAIN : 200 };
  }

  private stepFor(name: LoginStep['step']): LoginStep {
    const step = this.steps.find((each) => each.step === name);
    if (!step) throw stepMissing(name);
    return step;
  }
}

function onwardTo(visit: Visit, provider: ProviderLink): LoginPage<'onward'> {
  return {
    page: 'onward',
    provider,
    loginName: visit.request.loginName ?? visit.session?.loginName ?? '',
    otherAccountHref: visit.linkTo(paths.loginName),
  };
}

function toHub(visit: Visit): { redirectTo: string } {
  return { redirectTo: visit.linkTo(paths.hub) };
}
