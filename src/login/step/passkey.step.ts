import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { CREDENTIAL, idOfKey } from '../../page/part/key-form.js';
import type { PasskeyDecision } from '../../page/passkey.page.js';
import type { LoginPage } from '../../page/render.js';
import { withPasswordInstead } from '../../session/auth-request/auth-request.js';
import { ExternalProviders } from '../idp/external-providers.js';
import { again, type LoginStep, learned, type Retry, type StepOutcome } from '../login-step.js';
import { PasskeyCheck, type RefusedPasskey } from '../passkey-check.js';
import { PasskeyForms } from '../passkey-forms.js';
import { SignInCompletion } from '../sign-in-completion.js';
import type { Visit } from '../visit.js';
import { LoginNameStep } from './login-name.step.js';
import { PasswordStep } from './password.step.js';

/** Signs in with a passkey alone: from the first page, from that of the password, or from a page of its own. */
@Injectable()
export class PasskeyStep implements LoginStep<never> {
  readonly step = 'passkey';
  readonly path = paths.passkey;
  readonly reach = 'form';

  constructor(
    private readonly check: PasskeyCheck,
    private readonly forms: PasskeyForms,
    private readonly signIns: SignInCompletion,
    private readonly providers: ExternalProviders,
    private readonly policies: PolicyService,
    private readonly loginName: LoginNameStep,
    private readonly password: PasswordStep,
  ) {}

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    // The form came from another page, where the user can still choose another way.
    if (visit.isDue('login-name')) return withUnknownKey(await this.loginName.page(visit, retry), retry);
    if (visit.isDue('password')) return withUnknownKey(await this.password.page(visit, retry), retry);
    const page = visit.isDue('passkey') ? await this.ownPage(visit, retry) : undefined;
    return page && withUnknownKey(page, retry);
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    if ((form.find('decision') as PasskeyDecision | undefined) === 'password')
      return learned(withPasswordInstead(visit.request));
    const proved = await this.check.prove(visit, form.find(CREDENTIAL) ?? '');
    if (proved.kind === 'refused') return refused(proved);
    const request = this.check.requestOf(visit, proved);
    const begun = await this.signIns.begin(visit, request, proved);
    if ('refusal' in begun) return refused(await this.check.overtaken(visit, proved, begun));
    this.check.giveBack(proved);
    const { cookieValue, code } = begun;
    return { kind: 'taken', request, cookieValue, ...(code === undefined ? {} : { code }) };
  }

  private async ownPage(visit: Visit, retry: Retry<never> | undefined): Promise<LoginPage | undefined> {
    const { session } = visit;
    if (!session) return undefined;
    const { allowUsernamePassword, hidePasswordReset } = await this.policies.effective('login', session.orgId);
    return {
      page: 'passkey',
      passkey: await this.forms.signIn(visit, session),
      loginName: session.loginName,
      otherAccountHref: paths.loginName,
      isConfirming: visit.isConfirming,
      form: allowUsernamePassword && session.hasPassword ? visit.formTo(this.path) : undefined,
      resetHref: hidePasswordReset ? undefined : paths.passwordReset,
      ...(await this.providers.choiceOf(visit, this.path)),
      errors: retry?.errors,
    };
  }
}

function refused({ because }: RefusedPasskey): StepOutcome<never> {
  return again({ reason: because });
}

/** The browser may hide a passkey that is not known here any more. */
function withUnknownKey(page: LoginPage, retry: Retry<never> | undefined): LoginPage {
  if (!('passkey' in page) || page.passkey === undefined || retry?.errors[0]?.reason !== 'passkeyUnknown') return page;
  const unknownKey = idOfKey(retry.form.find(CREDENTIAL));
  return { ...page, passkey: { ...page.passkey, unknownKey } };
}
