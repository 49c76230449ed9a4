import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import { Secret } from '../../foundation/config/secret.js';
import type { Form } from '../../foundation/http/form.js';
import { fullNameIn } from '../../foundation/language/name-order.js';
import { Logger } from '../../foundation/log/logger.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import { paths } from '../../org/instance/paths.js';
import { PASSKEY_INSTEAD } from '../../page/part/passkey-instead.js';
import { type RegisterField, registerFields } from '../../page/register.page.js';
import type { LoginPage } from '../../page/render.js';
import { withRegistration } from '../../session/auth-request/auth-request.js';
import { AuthRequestService } from '../../session/auth-request/auth-request.service.js';
import { registrationLimit, turnOf } from '../../session/proof/limits.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import { Registrations } from '../../user/registrations.js';
import { again, type LoginStep, learned, type Retry, type StepOutcome } from '../login-step.js';
import { Registration } from '../registration.js';
import { nameUnavailable, parseRegistration } from '../registration-entry.js';
import { unhurried } from '../unhurried.js';
import type { Visit } from '../visit.js';

/**
 * Creates the user's own account, with a password or, once the address is verified, with a passkey (`prompt=create`, or
 * from the first page).
 */
@Injectable()
export class RegisterStep implements LoginStep<RegisterField> {
  readonly step = 'register';
  readonly path = paths.register;
  readonly reach = 'link';

  constructor(
    private readonly registration: Registration,
    private readonly registrations: Registrations,
    private readonly attempts: AttemptService,
    private readonly policies: PasswordPolicyService,
    private readonly hashes: PasswordHash,
    private readonly requests: AuthRequestService,
    private readonly log: Logger,
  ) {}

  async page(visit: Visit, retry?: Retry<RegisterField>): Promise<LoginPage> {
    const org = await this.registration.findOrg(visit);
    if (!org) return { page: 'error', reason: 'registrationClosed', backHref: paths.loginName };
    const shown = registerFields.filter((field) => field !== 'password' && field !== 'passwordRepeat');
    return {
      page: 'register',
      form: visit.formTo(this.path),
      rules: org.allowsPasswords ? await this.policies.of(org.id) : undefined,
      mayUsePasskey: org.allowsPasskeys,
      values: retry && Object.fromEntries(shown.map((field) => [field, retry.form.find(field)])),
      asksUserName: true,
      clientName: visit.clientName,
      signInHref: paths.loginName,
      errors: retry?.errors,
    };
  }

  /**
   * Reads its own fields only: roles, states or ids in the form are ignored (LOG-046). An existing user gets a mail;
   * the page that follows asks for a code in either case (LOG-027).
   */
  async submit(visit: Visit, form: Form): Promise<StepOutcome<RegisterField>> {
    const org = await this.registration.findOrg(visit);
    if (!org) {
      this.log.warn({ reason: 'registration.closed', address: visit.address }, 'registration refused');
      return again();
    }
    const { links } = visit.setting.look;
    const isByPasskey = org.allowsPasskeys && (!org.allowsPasswords || form.hasField(PASSKEY_INSTEAD));
    const { entry, errors } = parseRegistration(form, isByPasskey ? undefined : await this.policies.of(org.id), {
      hasTerms: links.tos !== undefined || links.privacy !== undefined,
      brand: visit.setting.brand,
    });
    if (!entry) return again(...errors);
    await this.attempts.count([registrationLimit(visit.address)]);
    if (await this.registration.belongsElsewhere(entry.email, org))
      return again({ field: 'email', reason: 'emailUnavailable' });
    if (await this.registration.belongsElsewhere(entry.userName, org)) return again(nameUnavailable);
    const { userName, email, firstName, lastName } = entry;
    const turn = turnOf(visit.address, visit.request.id);
    const hash = isByPasskey ? undefined : await this.hashes.hash(new Secret(entry.password), turn);
    const { language } = visit.setting;
    const displayName = fullNameIn(language, { firstName, lastName });
    const profile = { firstName, lastName, displayName, preferredLanguage: language };
    let { request } = visit;
    // A name or an address that exists takes other statements, and often a second transaction.
    await unhurried(
      this.registrations.register(
        { orgId: org.id, userName, email, profile, ...(hash === undefined ? {} : { passwordHash: hash }) },
        { authRequestId: request.id },
        async (tx, registrationId) => {
          request = withRegistration(visit.request, registrationId);
          await this.requests.park(tx, request);
        },
      ),
    );
    return learned(request);
  }
}
