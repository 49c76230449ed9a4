import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import type { Form } from '../../foundation/http/form.js';
import { IdpService } from '../../idp/idp.service.js';
import { IdpLogins } from '../../idp/idp-logins.js';
import { paths } from '../../org/instance/paths.js';
import { OrgService } from '../../org/org.service.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import type { LinkingDecision } from '../../page/login-name.page.js';
import type { LoginPage } from '../../page/render.js';
import { withLoginName, withoutExternalLogin } from '../../session/auth-request/auth-request.js';
import { SignInPlaces } from '../../session/auth-request/sign-in-places.js';
import { unknownNameLimit } from '../../session/proof/limits.js';
import { UserService } from '../../user/user.service.js';
import { ExternalProviders } from '../idp/external-providers.js';
import { again, type LoginStep, learned, type Retry, type StepOutcome } from '../login-step.js';
import { PasskeyForms } from '../passkey-forms.js';
import { Registration } from '../registration.js';
import type { Visit } from '../visit.js';

/** A login name is never longer than a user name with a domain. */
export const MAX_LOGIN_NAME_CHARACTERS = 400;

/** Asks for the login name. Whether it exists is not decided here: the answer is the same for every name. */
@Injectable()
export class LoginNameStep implements LoginStep<'loginName'> {
  readonly step = 'login-name';
  readonly path = paths.loginName;
  readonly reach = 'link';

  constructor(
    private readonly registration: Registration,
    private readonly providers: ExternalProviders,
    private readonly logins: IdpLogins,
    private readonly idps: IdpService,
    private readonly policies: PolicyService,
    private readonly places: SignInPlaces,
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly attempts: AttemptService,
    private readonly passkeys: PasskeyForms,
  ) {}

  async page(visit: Visit, retry?: Retry<'loginName'>): Promise<LoginPage> {
    const linkTo = await this.providerToLink(visit);
    // A user who links an account has one already, and is not offered a registration.
    const isOpen = linkTo === undefined && (await this.registration.findOrg(visit)) !== undefined;
    return {
      page: 'loginName',
      form: visit.formTo(this.path),
      loginName: retry ? retry.form.find('loginName') : typedName(visit),
      clientName: visit.clientName,
      registerHref: isOpen ? paths.register : undefined,
      ...(await this.providers.choiceOf(visit, this.path)),
      linkTo,
      suffix: await this.suffixOf(visit),
      // Linking asks for a proof of an account that exists: a passkey is one.
      passkey: await this.passkeys.beside(visit),
      accountsHref: visit.accounts.length > 0 ? paths.accounts : undefined,
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<'loginName'>> {
    if ((form.find('decision') as LinkingDecision | undefined) === 'cancel') {
      return learned(withoutExternalLogin(visit.request));
    }
    const loginName = form.find('loginName');
    if (loginName === undefined || loginName.trim() === '')
      return again({ field: 'loginName', reason: 'loginNameMissing' });
    if ([...loginName].length > MAX_LOGIN_NAME_CHARACTERS) {
      return again({ field: 'loginName', reason: 'valueTooLong', count: MAX_LOGIN_NAME_CHARACTERS });
    }
    if (await this.mustSayUnknown(visit, loginName)) return again({ field: 'loginName', reason: 'loginNameUnknown' });
    return learned(withLoginName(visit.request, loginName));
  }

  /** The name of the provider to which an account is to be linked. */
  private async providerToLink({ request, browser }: Visit): Promise<string | undefined> {
    if (request.externalLoginId === undefined) return undefined;
    const kept = await this.logins.findKept(request.externalLoginId, browser.id);
    return kept && (await this.idps.findActive(kept.idpId))?.name;
  }

  /**
   * Unknown names are revealed only if an administrator has allowed it, also for the organization whose domain the name
   * contains; and the number of unknown names is limited.
   */
  private async mustSayUnknown(visit: Visit, loginName: string): Promise<boolean> {
    const { request, client } = visit;
    const named = await this.places.of({ request: { ...request, loginName }, client, session: undefined });
    for (const orgId of [visit.orgId, named.orgId]) {
      if ((await this.policies.effective('login', orgId)).ignoreUnknownUsernames) return false;
    }
    if (await this.users.findByLoginName(loginName, request.requiredOrgId ?? '')) return false;
    await this.attempts.count([unknownNameLimit(visit.address)]);
    return true;
  }

  /** If names are unique within the organization that the application requests, its domain need not be typed. */
  private async suffixOf({ request: { requiredOrgId } }: Visit): Promise<string | undefined> {
    if (requiredOrgId === undefined) return undefined;
    const { userLoginMustBeDomain } = await this.policies.effective('domain', requiredOrgId);
    const { hideLoginNameSuffix } = await this.policies.effective('label', requiredOrgId);
    if (!userLoginMustBeDomain || hideLoginNameSuffix) return undefined;
    const domain = await this.orgs.findPrimaryDomain(requiredOrgId);
    return domain === undefined ? undefined : `@${domain}`;
  }
}

/** The typed or hinted name, for correcting it; not the name of a chosen account that the user is leaving. */
function typedName({ request }: Visit): string | undefined {
  return request.userId === undefined ? request.loginName : undefined;
}
