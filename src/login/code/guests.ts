import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import { sha256Base64Url } from '../../foundation/crypto/digest.js';
import type { Form } from '../../foundation/http/form.js';
import { addressOf, readQuery } from '../../foundation/http/request.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { ServicePath } from '../../org/instance/paths.js';
import { OrgService } from '../../org/org.service.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { toWebAddress } from '../../org/policy/policy-rules.js';
import { PageSettings } from '../../page/page-settings.js';
import { BrowserCookie } from '../../session/browser-cookie.js';
import { CsrfTokens, formOf } from '../../session/csrf-token.js';
import { deviceOf } from '../../session/device.js';
import { SessionService } from '../../session/session.service.js';
import { formMalformed, formNotOurs } from '../login.errors.js';
import type { Visit } from '../visit.js';
import { Visits } from '../visits.js';
import { type CodeLink, fieldsOf, readLink } from './code-link.js';
import { Guest } from './guest.js';

interface Arriving {
  readonly cookieValue: string;
  /** Whether this answer sets the cookie for the first time. */
  readonly isNew?: boolean;
  readonly visit?: Visit | undefined;
  readonly uiLocales?: readonly string[];
}

/**
 * Admits visitors who follow the link of a mail. Their forms are bound to the cookie value, since nothing about the
 * browser is stored yet.
 */
@Injectable()
export class Guests {
  constructor(
    private readonly visits: Visits,
    private readonly sessions: SessionService,
    private readonly cookie: BrowserCookie,
    private readonly csrf: CsrfTokens,
    private readonly settings: PageSettings,
    private readonly orgs: OrgService,
    private readonly instances: InstanceService,
    private readonly policies: PolicyService,
  ) {}

  /** Stores nothing and uses nothing up: programs that scan mails open links as well. */
  async open(http: ExpressRequest): Promise<Guest> {
    const sent = this.cookie.read(http.headers.cookie);
    const link = readLink(readQuery(http));
    if (sent === undefined)
      return this.guest(http, link, { cookieValue: this.sessions.newBrowser().cookieValue, isNew: true });
    return this.guest(http, link, { cookieValue: sent, visit: await this.visits.findOwn(http, link.authRequestId) });
  }

  /**
   * Opens a page within a sign-in that leads here, or whose page changes its language: the form carries the sign-in.
   * @throws as `Visits.openFor`
   */
  async openWithin(http: ExpressRequest, form: Form): Promise<Guest> {
    const visit = await this.visits.openFor(http, form);
    const link = readLink(http.url.includes('?') ? readQuery(http) : form);
    return this.guest(http, link, { cookieValue: visit.sentBrowser.cookieValue, visit });
  }

  /** @throws DomainError `login.form_malformed`, `login.form_not_ours` */
  async openFor(http: ExpressRequest, form: Form): Promise<Guest> {
    if (form.isTooLong || form.problems.size > 0) throw formMalformed();
    const sent = this.cookie.read(http.headers.cookie);
    const link = readLink(form);
    const own = { token: form.find('csrf'), headers: http.headers };
    if (sent === undefined || !this.csrf.isValid(own, sha256Base64Url(sent), formOf(http.path, link.userId)))
      throw formNotOurs();
    return this.guest(http, link, {
      cookieValue: sent,
      visit: await this.visits.findOwn(http, link.authRequestId),
      uiLocales: form.words('ui_locales'),
    });
  }

  private async guest(
    http: ExpressRequest,
    link: CodeLink,
    { cookieValue, isNew = false, visit, uiLocales = [] }: Arriving,
  ): Promise<Guest> {
    const known = isNew ? undefined : (visit?.browser ?? (await this.sessions.findBrowser(cookieValue)));
    const named = link.orgId === '' ? undefined : await this.orgs.findActive(link.orgId);
    const orgId = named?.id ?? visit?.orgId ?? (await this.instances.get()).defaultOrgId;
    const setting =
      named || !visit
        ? await this.settings.forReader(http, { uiLocales: [...uiLocales, ...(visit?.request.uiLocales ?? [])], orgId })
        : visit.setting;
    const { defaultRedirectUri } = await this.policies.effective('login', orgId);
    const fields = fieldsOf(link);
    return new Guest({
      link,
      visit,
      orgId,
      browser: {
        id: known?.id ?? this.sessions.newBrowser().browserId,
        cookieValue,
        device: deviceOf(http.headers['user-agent'], addressOf(http)),
      },
      newCookieValue: isNew ? cookieValue : undefined,
      setting: { ...setting, languageSwitch: setting.languageSwitch ?? { action: http.path as ServicePath, fields } },
      address: addressOf(http),
      formTarget: visit ? visit.formTarget : toWebAddress(defaultRedirectUri),
      csrfFor: (path, userId) => this.csrf.tokenFor(sha256Base64Url(cookieValue), formOf(path, userId)),
    });
  }
}
