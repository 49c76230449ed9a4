import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import { sha256Base64Url } from '../../foundation/crypto/digest.js';
import type { Form } from '../../foundation/http/form.js';
import { addressOf } from '../../foundation/http/request.js';
import { Clock } from '../../foundation/time/clock.js';
import { toUnixSeconds } from '../../foundation/time/duration.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { paths } from '../../org/instance/paths.js';
import { type PageSetting, PageSettings } from '../../page/page-settings.js';
import type { FormTarget } from '../../page/part/form.js';
import { deviceRequest } from '../../session/auth-request/auth-request.js';
import { AuthRequestService } from '../../session/auth-request/auth-request.service.js';
import { BrowserCookie } from '../../session/browser-cookie.js';
import type { KnownBrowser } from '../../session/browser-sessions.js';
import { CsrfTokens } from '../../session/csrf-token.js';
import { userCodeLimits } from '../../session/proof/limits.js';
import { SessionService } from '../../session/session.service.js';
import { ScopeRules } from '../../token/claims/scope.js';
import { DeviceAuthorizations } from '../../token/device/device-authorizations.js';
import { formMalformed, formNotOurs, formWithoutCookie } from '../login.errors.js';
import type { Visit } from '../visit.js';
import { Visits } from '../visits.js';

/** A visitor with a code of a device, who may be signed in or not. */
export interface DeviceVisitor {
  readonly form: FormTarget;
  readonly setting: PageSetting;
  readonly browser: KnownBrowser;
  readonly cookieValue: string;
  /** The new cookie value for a browser that has sent none and opens a request. */
  readonly newCookieValue: string | undefined;
  readonly uiLocales: readonly string[];
  readonly address: string;
}

/** Admits visitors with the code of a device. Their form is bound to the cookie, since there is no request yet. */
@Injectable()
export class DeviceEntry {
  constructor(
    private readonly devices: DeviceAuthorizations,
    private readonly attempts: AttemptService,
    private readonly requests: AuthRequestService,
    private readonly visits: Visits,
    private readonly sessions: SessionService,
    private readonly cookie: BrowserCookie,
    private readonly csrf: CsrfTokens,
    private readonly settings: PageSettings,
    private readonly instances: InstanceService,
    private readonly scopeRules: ScopeRules,
    private readonly clock: Clock,
  ) {}

  async open(http: ExpressRequest): Promise<DeviceVisitor> {
    return this.visitor(http, this.cookie.read(http.headers.cookie), []);
  }

  /** @throws DomainError `login.form_malformed`, `login.form_without_cookie`, `login.form_not_ours` */
  async openFor(http: ExpressRequest, form: Form): Promise<DeviceVisitor> {
    if (form.isTooLong || form.problems.size > 0) throw formMalformed();
    const sent = this.cookie.read(http.headers.cookie);
    if (sent === undefined) throw formWithoutCookie();
    const own = { token: form.find('csrf'), headers: http.headers };
    if (!this.csrf.isValid(own, sha256Base64Url(sent), paths.device)) throw formNotOurs();
    return this.visitor(http, sent, form.words('ui_locales'));
  }

  /**
   * The sign-in that leads to the decision about the device; undefined for a code that opens nothing.
   * @throws DomainError ResourceExhausted `attempt.too_many`
   */
  async begin(http: ExpressRequest, visitor: DeviceVisitor, typed: string): Promise<Visit | undefined> {
    const { browser, cookieValue, uiLocales, address } = visitor;
    const limits = userCodeLimits(address, browser.id);
    const found = await this.attempts.attempt(limits, () => this.devices.find(typed));
    if (!found) return undefined;
    for (const limit of limits) this.attempts.giveBack(limit);
    const { device, client, userCode } = found;
    const request = deviceRequest({
      clientId: client.id,
      scopes: device.scopes,
      resources: device.resources,
      administers: await this.scopeRules.asksToAdminister(device.scopes, client),
      requiredOrgId: device.requiredOrgId ?? undefined,
      device: { id: device.id, userCode, network: device.network, requestedAt: toUnixSeconds(device.createdAt) },
    });
    const begun = this.requests.begin({ ...request, uiLocales }, browser.id, this.clock.now());
    return this.visits.begin(http, { request: begun, browser, cookieValue });
  }

  private async visitor(
    http: ExpressRequest,
    sent: string | undefined,
    uiLocales: readonly string[],
  ): Promise<DeviceVisitor> {
    const known = await this.sessions.findBrowser(sent);
    const added = known ? undefined : this.sessions.newBrowser();
    const cookieValue = added?.cookieValue ?? sent ?? '';
    const { defaultOrgId } = await this.instances.get();
    const setting = await this.settings.forReader(http, { uiLocales, orgId: defaultOrgId });
    return {
      form: {
        action: paths.device,
        csrf: this.csrf.tokenFor(sha256Base64Url(cookieValue), paths.device),
        fields: { ui_locales: setting.language },
      },
      setting: { ...setting, languageSwitch: setting.languageSwitch ?? { action: paths.device, fields: {} } },
      browser: known ?? { id: added?.browserId ?? '', sessions: [] },
      cookieValue,
      newCookieValue: added?.cookieValue,
      uiLocales,
      address: addressOf(http),
    };
  }
}
