import { Injectable } from '@nestjs/common';
import { AuthRequestService } from '../../auth-request/auth-request.service.js';
import type { Form } from '../../http/form.js';
import { paths } from '../../page/paths.js';
import type { LoginPage } from '../../page/render.js';
import { ExternalProviders } from '../idp/external-providers.js';
import { Registration } from '../registration.js';
import type { Visit } from '../visit.js';
import { again, taken, type LoginStep, type Retry, type StepOutcome } from './login-step.js';

/** Nobody's login name is longer than a user name at a domain. */
export const MAX_LOGIN_NAME_CHARACTERS = 400;

/** Who is it? Whether anybody has that name is not decided here: the answer is the same for every name. */
@Injectable()
export class LoginNameStep implements LoginStep<'loginName'> {
  readonly step = 'login-name';
  readonly path = paths.loginName;
  readonly reach = 'link';

  constructor(
    private readonly requests: AuthRequestService,
    private readonly registration: Registration,
    private readonly providers: ExternalProviders,
  ) {}

  async page(visit: Visit, retry?: Retry<'loginName'>): Promise<LoginPage> {
    const isOpen = (await this.registration.findOrg(visit)) !== undefined;
    return {
      page: 'loginName',
      form: visit.formTo(this.path),
      loginName: retry ? retry.form.find('loginName') : typedName(visit),
      clientName: visit.client.name,
      registerHref: isOpen ? visit.linkTo(paths.register) : undefined,
      // Whoever signs in to be linked with one of them does so by a password.
      providers: visit.request.externalLoginId === undefined ? await this.providers.linksOf(visit) : [],
      accountsHref: visit.accounts.length > 0 ? visit.linkTo(paths.accounts) : undefined,
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<'loginName'>> {
    const loginName = form.find('loginName');
    if (loginName === undefined || loginName.trim() === '') return again({ field: 'loginName', reason: 'loginNameMissing' });
    if ([...loginName].length > MAX_LOGIN_NAME_CHARACTERS) {
      return again({ field: 'loginName', reason: 'valueTooLong', count: MAX_LOGIN_NAME_CHARACTERS });
    }
    await this.requests.setLoginName(visit.request, loginName);
    return taken;
  }
}

/** What was typed or hinted, for correcting it; not the name of an account that was chosen and is left now. */
function typedName({ request }: Visit): string | undefined {
  return request.userId === undefined ? request.loginName : undefined;
}
