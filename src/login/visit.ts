import type { Request as ExpressRequest } from 'express';
import { frontOf, paths, type ServicePath } from '../org/instance/paths.js';
import type { PageSetting } from '../page/page-settings.js';
import type { FormTarget } from '../page/part/form.js';
import type { Client } from '../project/client/client.js';
import { SERVICE_PAGES_ID } from '../project/client/service-pages.js';
import type { AuthRequest, SentForm } from '../session/auth-request/auth-request.js';
import { mayContinueAs, type SignInStep, type Verdict } from '../session/auth-request/next-step.js';
import type { BrowserSession } from '../session/browser-session.js';
import type { KnownBrowser } from '../session/browser-sessions.js';
import { deviceOf } from '../session/device.js';
import type { SentBrowser } from '../session/session.service.js';

/** The fields that every form of a sign-in carries. */
export interface CarriedByForms {
  readonly csrf: string;
  /** The request, sealed. */
  readonly authRequestId: string;
}

/** Limits an address to 2,000 characters, which every browser, server and proxy takes. */
const MAX_REFERENCE_CHARACTERS = 1_950;

export interface VisitFacts {
  readonly http: ExpressRequest;
  readonly browser: KnownBrowser;
  readonly cookieValue: string;
  readonly isRepeated: boolean;
  readonly request: AuthRequest;
  readonly sent: SentForm | undefined;
  /** Made when a page needs it, which the answer to an application does not. */
  readonly carry: () => CarriedByForms;
  readonly seal: (request: AuthRequest) => string;
  readonly client: Client;
  readonly verdict: Verdict;
  readonly setting: PageSetting;
  readonly orgId: string;
  readonly address: string;
  /** The name for which the user has searched among the providers. */
  readonly providerName: string | undefined;
  readonly now: Date;
}

/**
 * One request of a browser to its pending authorization. Created by `Visits` only, after these checks: the browser is
 * the one that started the authorization, which has not expired, its client is active, and a form has the right token.
 */
export class Visit {
  private carriedByForms: CarriedByForms | undefined;

  constructor(private readonly facts: VisitFacts) {}

  get browser(): KnownBrowser {
    return this.facts.browser;
  }

  get http(): ExpressRequest {
    return this.facts.http;
  }

  /** The browser and the cookie value that it sent, which a sign-in replaces. */
  get sentBrowser(): SentBrowser {
    const { browser, cookieValue, http, address } = this.facts;
    return { id: browser.id, cookieValue, device: deviceOf(http.headers['user-agent'], address) };
  }

  /** The form came with the cookie value that a sign-in has just replaced: it was sent twice. */
  get isRepeated(): boolean {
    return this.facts.isRepeated;
  }

  get request(): AuthRequest {
    return this.facts.request;
  }

  /** The form that led to this address. */
  get sent(): SentForm | undefined {
    return this.facts.sent;
  }

  /** The reference with which an address leads here again; undefined if it would be too long. */
  referenceWith(sent: SentForm | undefined): string | undefined {
    const reference = sent ? this.facts.seal({ ...this.request, sent }) : this.carried.authRequestId;
    return reference.length > MAX_REFERENCE_CHARACTERS ? undefined : reference;
  }

  get client(): Client {
    return this.facts.client;
  }

  /** The client's name on pages; a place of our own has its title in the reader's language. */
  get clientName(): string {
    if (this.client.id !== SERVICE_PAGES_ID) return this.client.name;
    const { accountPage, overviewPage } = this.setting.texts;
    return frontOf(this.request.redirectUri) === paths.overview ? overviewPage.title : accountPage.title;
  }

  /** The verdict when this request began. */
  get verdict(): Verdict {
    return this.facts.verdict;
  }

  /** The form token for this authorization in this browser. */
  get csrf(): string {
    return this.carried.csrf;
  }

  /** The organization whose policies apply, as far as it is known. */
  get orgId(): string {
    return this.facts.orgId;
  }

  /** Language and look of the pages. */
  get setting(): PageSetting {
    return this.facts.setting;
  }

  /** The peer's address, for limits and for the log. */
  get address(): string {
    return this.facts.address;
  }

  /** The name for which the user has searched among the providers that a page offers. */
  get providerName(): string | undefined {
    return this.facts.providerName;
  }

  get now(): Date {
    return this.facts.now;
  }

  isDue(step: SignInStep): boolean {
    return this.verdict.kind === 'step' && this.verdict.step === step;
  }

  /** The session that the current step is about; undefined while the user is unknown. */
  get session(): BrowserSession | undefined {
    return 'session' in this.verdict ? this.verdict.session : undefined;
  }

  /** Whether a user who is signed in is asked once more, because a change of the account is to follow. */
  get isConfirming(): boolean {
    const isOfAccount = this.client.id === SERVICE_PAGES_ID && this.request.maxAgeSeconds !== undefined;
    return this.session !== undefined && (isOfAccount || this.request.wantedKey !== undefined);
  }

  /** The accounts of this browser that can answer the request. */
  get accounts(): readonly BrowserSession[] {
    return this.browser.sessions.filter((session) => mayContinueAs(session, this.request));
  }

  /** Where the redirect after a form may lead: to the application; undefined for a device, which gets none. */
  get formTarget(): string | undefined {
    return this.request.device === undefined ? this.request.redirectUri : undefined;
  }

  /**
   * The application that a user who rather does not sign in goes back to: one with a proved return address. Its error
   * is sent there (RFC 6749 §4.1.2.1).
   */
  get backTo(): string | undefined {
    return this.formTarget === undefined || this.client.id === SERVICE_PAGES_ID ? undefined : this.clientName;
  }

  formTo(action: ServicePath): FormTarget {
    return { action, ...this.carried };
  }

  /** The fields that every form of this sign-in carries, also one that only leads to another page. */
  get carried(): CarriedByForms {
    return (this.carriedByForms ??= this.facts.carry());
  }
}
