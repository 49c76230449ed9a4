import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import type { Form } from '../../foundation/http/form.js';
import { displayNameAt, type ExternalIdentity } from '../../idp/external-identity.js';
import type { Idp } from '../../idp/idp.entity.js';
import { IdpLogins } from '../../idp/idp-logins.js';
import { mayCreate } from '../../idp/provider-options.js';
import { isEmail } from '../../org/email-address.js';
import { paths } from '../../org/instance/paths.js';
import type { ExternalUserDecision } from '../../page/external-user.page.js';
import type { LoginPage } from '../../page/render.js';
import { withAccountHere, withoutExternalLogin } from '../../session/auth-request/auth-request.js';
import { registrationLimit } from '../../session/proof/limits.js';
import { ExternalLogin } from '../idp/external-login.js';
import { ExternalProviders } from '../idp/external-providers.js';
import { ExternalRegistration } from '../idp/external-registration.js';
import { again, type Learned, type LoginStep, learned, type Retry, type StepOutcome, taken } from '../login-step.js';
import { Registration } from '../registration.js';
import type { Visit } from '../visit.js';

type Field = 'email';

const emailUnavailable = { field: 'email', reason: 'emailUnavailable' } as const;

/**
 * A user has returned from a provider and is not linked to an account: asks whether there is one, and for what is
 * missing to create one.
 */
@Injectable()
export class ExternalUserStep implements LoginStep<Field> {
  readonly step = 'external-user';
  readonly path = paths.externalUser;
  readonly reach = 'due';

  constructor(
    private readonly providers: ExternalProviders,
    private readonly external: ExternalLogin,
    private readonly externalRegistration: ExternalRegistration,
    private readonly registration: Registration,
    private readonly logins: IdpLogins,
    private readonly attempts: AttemptService,
  ) {}

  async page(visit: Visit, retry?: Retry<Field>): Promise<LoginPage | Learned> {
    const found = await this.find(visit);
    if (!found) {
      // The provider is gone, or it took too long: the identity is dropped, and the user is asked for a name.
      return learned(withoutExternalLogin(visit.request));
    }
    const { idp, identity } = found;
    const isCreated = mayCreate(idp) && !(await this.externalRegistration.hasAccountToLink(visit, identity));
    // Insufficient data of the provider is refused like typed data.
    const refused =
      isCreated && !retry && identity.email !== undefined && (await this.belongsElsewhere(visit, identity.email))
        ? identity.email
        : undefined;
    return {
      page: 'externalUser',
      form: visit.formTo(this.path),
      providerName: idp.name,
      accountName: displayNameAt(identity, idp),
      // The provider gave everything else that is needed; without an address there is no account.
      email: isCreated ? (retry?.form.find('email') ?? refused ?? identity.email ?? '') : undefined,
      mayLink: idp.isLinkingAllowed && (await this.providers.allowsPasswords(visit)),
      otherAccountHref: this.providers.otherAccountOf(idp.id),
      errors: refused === undefined ? retry?.errors : [emailUnavailable],
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<Field>> {
    const found = await this.find(visit);
    if (!found) return taken;
    switch (form.find('decision') as ExternalUserDecision | undefined) {
      case 'link':
        return found.idp.isLinkingAllowed ? learned(withAccountHere(visit.request)) : again({ reason: 'formStale' });
      case 'cancel':
        return learned(withoutExternalLogin(withAccountHere(visit.request)));
      case 'create':
        return mayCreate(found.idp)
          ? this.create(visit, found, form.find('email')?.trim() ?? '')
          : again({ reason: 'formStale' });
      default:
        return again({ reason: 'formStale' });
    }
  }

  /** Creates the user with an address that they must still verify, unless it is the one that the provider has. */
  private async create(visit: Visit, { idp, identity, provedAt }: Found, email: string): Promise<StepOutcome<Field>> {
    if (email === '') return again({ field: 'email', reason: 'emailMissing' });
    if (!isEmail(email)) return again({ field: 'email', reason: 'emailInvalid' });
    await this.attempts.count([registrationLimit(visit.address)]);
    if (await this.belongsElsewhere(visit, email)) return again(emailUnavailable);
    const emailVerified = identity.emailVerified && email === identity.email;
    const isMade = await this.externalRegistration.register(visit, idp, { ...identity, email, emailVerified });
    if (!isMade) return again({ field: 'email', reason: 'emailInvalid' });
    return {
      kind: 'taken',
      ...(await this.external.signInLinked(visit, idp, { subject: identity.subject, provedAt, said: identity })),
    };
  }

  private belongsElsewhere({ orgId }: Visit, email: string): Promise<boolean> {
    return this.registration.belongsElsewhere(email, { id: orgId });
  }

  private async find(visit: Visit): Promise<Found | undefined> {
    const kept = await this.logins.findKept(visit.request.externalLoginId ?? '', visit.browser.id);
    const idp = kept && (await this.providers.find(visit, kept.idpId));
    return idp && { idp, identity: kept.identity, provedAt: kept.provedAt };
  }
}

interface Found {
  readonly idp: Idp;
  readonly identity: ExternalIdentity;
  readonly provedAt: Date | null;
}
