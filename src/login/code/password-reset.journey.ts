import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { Logger } from '../../foundation/log/logger.js';
import { paths } from '../../org/instance/paths.js';
import type { LoginPage } from '../../page/render.js';
import { UserService } from '../../user/user.service.js';
import type { Retry } from '../login-step.js';
import { MAX_LOGIN_NAME_CHARACTERS } from '../step/login-name.step.js';
import { type CodeJourney, type JourneyOutcome, once } from './code-journey.js';
import { resetHref } from './code-link.js';
import type { Guest } from './guest.js';
import { PasswordResetRequests } from './password-reset-requests.js';

/**
 * "Forgot your password?", or "I have lost my passkey" where there are no passwords: asks for a name, and answers the
 * same whether or not it exists (LOG-027).
 */
@Injectable()
export class PasswordResetJourney implements CodeJourney {
  readonly path = paths.passwordReset;

  constructor(
    private readonly resets: PasswordResetRequests,
    private readonly users: UserService,
    private readonly log: Logger,
  ) {}

  async page(guest: Guest, retry?: Retry<'loginName'>): Promise<LoginPage> {
    const wayBack = await this.resets.wayBackIn(guest.orgId);
    if (!wayBack) return { page: 'error', reason: 'passwordResetClosed', backHref: guest.signInHref };
    return {
      page: 'passwordReset',
      wayBack,
      form: guest.formTo(this.path, { ...guest.link, userId: '', loginName: undefined }),
      loginName: retry ? retry.form.find('loginName') : (guest.visit?.request.loginName ?? guest.link.loginName),
      signInHref: guest.signInHref,
      errors: retry?.errors,
    };
  }

  async submit(guest: Guest, form: Form): Promise<JourneyOutcome> {
    const wayBack = await this.resets.wayBackIn(guest.orgId);
    if (!wayBack) {
      this.log.warn({ reason: 'password_reset.closed', address: guest.address }, 'password reset refused');
      return once();
    }
    const loginName = form.find('loginName');
    if (loginName === undefined || loginName.trim() === '')
      return once({ field: 'loginName', reason: 'loginNameMissing' });
    if ([...loginName].length > MAX_LOGIN_NAME_CHARACTERS)
      return once({ field: 'loginName', reason: 'valueTooLong', count: MAX_LOGIN_NAME_CHARACTERS });
    await this.resets.send(
      guest,
      await this.users.findByLoginName(loginName, guest.visit?.request.requiredOrgId ?? ''),
    );
    const link = { ...guest.link, userId: '', asksName: false, loginName };
    if (wayBack === 'password')
      return { kind: 'page', page: await this.resets.codePage(guest, link, { asked: 'before' }) };
    return {
      kind: 'page',
      page: {
        page: 'passkeyLink',
        asks: 'code',
        form: guest.formTo(paths.passkeyLink, link),
        resetHref: resetHref(link),
      },
    };
  }
}
