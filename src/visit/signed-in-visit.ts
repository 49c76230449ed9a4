import type { Request as ExpressRequest } from 'express';
import type { ServicePath } from '../org/instance/paths.js';
import type { SelfServicePolicy } from '../org/policy/self-service-policy.entity.js';
import type { PageSetting } from '../page/page-settings.js';
import type { FormTarget } from '../page/part/form.js';
import type { BrowserSession } from '../session/browser-session.js';
import type { KnownBrowser } from '../session/browser-sessions.js';

export interface VisitFacts {
  readonly http: ExpressRequest;
  readonly browser: KnownBrowser;
  readonly cookieValue: string;
  readonly session: BrowserSession;
  readonly setting: PageSetting;
  readonly selfService: Readonly<SelfServicePolicy>;
  readonly address: string;
  readonly now: Date;
  readonly csrfFor: (path: ServicePath) => string;
}

/** A request of a user who is signed in in this browser. Created by `SignedInVisits` only, after its checks. */
export class SignedInVisit {
  constructor(private readonly facts: VisitFacts) {}

  get http(): ExpressRequest {
    return this.facts.http;
  }

  get browser(): KnownBrowser {
    return this.facts.browser;
  }

  get cookieValue(): string {
    return this.facts.cookieValue;
  }

  get session(): BrowserSession {
    return this.facts.session;
  }

  get setting(): PageSetting {
    return this.facts.setting;
  }

  /** The settings that the organization leaves to its users. */
  get selfService(): Readonly<SelfServicePolicy> {
    return this.facts.selfService;
  }

  /** The peer's address, for limits and for the log. */
  get address(): string {
    return this.facts.address;
  }

  get now(): Date {
    return this.facts.now;
  }

  /** A form of this section and this user. */
  formTo(action: ServicePath): FormTarget {
    return { action, csrf: this.facts.csrfFor(action) };
  }
}
