import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import type { FormErrorReason } from '../../page/part/form-error.js';
import type { LoginPage } from '../../page/render.js';
import { type AuthRequest, withExpiryWarning, withUser } from '../../session/auth-request/auth-request.js';
import { PasswordCheck, type ProvedPassword, type RefusedPassword } from '../../session/proof/password-check.js';
import { PasswordAgeService } from '../../user/password-age.service.js';
import { ExternalProviders, type ProviderChoice } from '../idp/external-providers.js';
import { browserUnknown, formMalformed } from '../login.errors.js';
import { again, type LoginStep, type Retry, type StepOutcome } from '../login-step.js';
import { PasskeyForms } from '../passkey-forms.js';
import { SignInCompletion } from '../sign-in-completion.js';
import type { Visit } from '../visit.js';

const REASONS = {
  account_locked: 'accountLocked',
  account_inactive: 'accountInactive',
  passwords_not_allowed: 'passwordsNotAllowed',
} as const satisfies Record<NonNullable<RefusedPassword['because']>, FormErrorReason>;

/** Asks for the password of the account; the only step that signs in a user with an existing account. */
@Injectable()
export class PasswordStep implements LoginStep<'password'> {
  readonly step = 'password';
  readonly path = paths.password;
  readonly reach = 'form';

  constructor(
    private readonly passwords: PasswordCheck,
    private readonly signIns: SignInCompletion,
    private readonly policies: PolicyService,
    private readonly ages: PasswordAgeService,
    private readonly providers: ExternalProviders,
    private readonly passkeys: PasskeyForms,
  ) {}

  async page(visit: Visit, retry?: Retry<'password'>): Promise<LoginPage> {
    const policy = await this.policies.effective('login', visit.orgId);
    if (!policy.allowUsernamePassword) {
      // Whomever the name means, the browser offers what it has: the page says nothing about the account.
      if (await this.passkeys.arePossible(visit)) {
        return {
          page: 'passkey',
          passkey: await this.passkeys.signIn(visit, undefined),
          loginName: loginNameIn(visit, retry?.form),
          otherAccountHref: paths.loginName,
          isConfirming: visit.isConfirming,
          areKeysElsewhere: visit.session?.factor.hasOnlyKeysElsewhere,
          resetHref: policy.hidePasswordReset ? undefined : paths.passwordReset,
          ...(await this.providers.choiceOf(visit, this.path)),
          errors: retry?.errors.map(({ reason }) => ({ reason })),
        };
      }
      return {
        page: 'error',
        reason: 'passwordsNotAllowed',
        ...(await this.providers.choiceOf(visit, this.path)),
        backHref: paths.loginName,
      };
    }
    return {
      page: 'password',
      form: visit.formTo(this.path),
      loginName: loginNameIn(visit, retry?.form),
      otherAccountHref: paths.loginName,
      clientName: visit.clientName,
      isConfirming: visit.isConfirming,
      resetHref: policy.hidePasswordReset ? undefined : paths.passwordReset,
      areKeysElsewhere: visit.session?.factor.hasOnlyKeysElsewhere,
      ...(await this.choiceOf(visit)),
      passkey: await this.passkeys.beside(visit),
      errors: retry?.errors,
    };
  }

  /**
   * A user who last came through a provider may do so again; for a typed name only its domain matters, which reveals
   * nothing about the user.
   */
  private async choiceOf(visit: Visit): Promise<ProviderChoice> {
    const { session, request } = visit;
    if (!session) return this.providers.newChoiceOf(visit, this.path);
    const idp =
      session.externalIdpId === undefined || request.externalLoginId !== undefined
        ? undefined
        : await this.providers.find(visit, session.externalIdpId);
    return { providers: idp ? [this.providers.toLink(idp)] : [] };
  }

  /** @throws DomainError `login.browser_unknown` if another user was faster with the same cookie value */
  async submit(visit: Visit, form: Form): Promise<StepOutcome<'password'>> {
    const loginName = loginNameIn(visit, form);
    const typed = form.find('password');
    if (typed === undefined) return again({ field: 'password', reason: 'passwordMissing' });
    const trial = {
      loginName,
      password: new Secret(typed),
      orgId: visit.request.requiredOrgId,
      address: visit.address,
    };
    let request = visit.request;
    const begun = await this.passwords.signIn(trial, visit.browser.id, async (proved) => {
      request = await this.withAccount(visit.request, proved, loginName);
      return this.signIns.begin(visit, request, proved);
    });
    if ('kind' in begun)
      return again({ field: 'password', reason: begun.because ? REASONS[begun.because] : 'credentialsWrong' });
    if ('refusal' in begun) {
      if (begun.refusal === 'browser_replaced') throw browserUnknown();
      return again({ field: 'password', reason: 'credentialsWrong' });
    }
    const { cookieValue, code } = begun;
    return { kind: 'taken', request, cookieValue, ...(code === undefined ? {} : { code }) };
  }

  private async withAccount(
    request: AuthRequest,
    { candidate: { account } }: ProvedPassword,
    loginName: string,
  ): Promise<AuthRequest> {
    const expiresAt = await this.ages.findWarning(account);
    const signedIn = withUser(request, account.userId, loginName);
    return expiresAt ? withExpiryWarning(signedIn, expiresAt) : signedIn;
  }
}

/** The name as it was typed; that of the session only if the user is asked for the password once more. */
function loginNameIn(visit: Visit, form: Form | undefined): string {
  const loginName = form?.find('loginName') ?? visit.request.loginName ?? visit.session?.loginName;
  if (loginName === undefined) throw formMalformed();
  return loginName;
}
