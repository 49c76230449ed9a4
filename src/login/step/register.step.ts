import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../attempt/attempt.service.js';
import { AuthRequestService } from '../../auth-request/auth-request.service.js';
import { PasswordHash } from '../../crypto/password-hash.js';
import { Secret } from '../../crypto/secret.js';
import { Database } from '../../database/database.js';
import { DomainError } from '../../error/domain-error.js';
import type { Form } from '../../http/form.js';
import { Logger } from '../../log/logger.js';
import type { ActiveOrg } from '../../org/org.service.js';
import { registerFields, type RegisterField } from '../../page/register.page.js';
import { paths } from '../../page/paths.js';
import type { LoginPage } from '../../page/render.js';
import { SessionService, type IssuedBrowser } from '../../session/session.service.js';
import type { NewHuman } from '../../user/new-human.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import { PersonService } from '../../user/person.service.js';
import { registrationLimit } from '../limits.js';
import { nameTaken, parseRegistration, type RegistrationEntry } from '../registration-entry.js';
import { Registration } from '../registration.js';
import type { Visit } from '../visit.js';
import { again, type LoginStep, type Retry, type StepOutcome } from './login-step.js';

/** A new account, made by the person it is for (`prompt=create`, or from the first page). */
@Injectable()
export class RegisterStep implements LoginStep<RegisterField> {
  readonly step = 'register';
  readonly path = paths.register;
  readonly reach = 'link';

  constructor(
    private readonly registration: Registration,
    private readonly attempts: AttemptService,
    private readonly policies: PasswordPolicyService,
    private readonly persons: PersonService,
    private readonly hashes: PasswordHash,
    private readonly sessions: SessionService,
    private readonly requests: AuthRequestService,
    private readonly database: Database,
    private readonly log: Logger,
  ) {}

  async page(visit: Visit, retry?: Retry<RegisterField>): Promise<LoginPage> {
    const org = await this.registration.findOrg(visit);
    if (!org) return { page: 'error', reason: 'registrationClosed' };
    const shown = registerFields.filter((field) => field !== 'password' && field !== 'passwordRepeat');
    return {
      page: 'register',
      form: visit.formTo(this.path),
      rules: await this.policies.of(org.id),
      values: retry && Object.fromEntries(shown.map((field) => [field, retry.form.find(field)])),
      asksUserName: true,
      clientName: visit.client.name,
      signInHref: visit.linkTo(paths.loginName),
      errors: retry?.errors,
    };
  }

  /** Reads its own fields and no other: what a form says about roles, states or ids is not heard (LOG-046). */
  async submit(visit: Visit, form: Form): Promise<StepOutcome<RegisterField>> {
    const org = await this.registration.findOrg(visit);
    if (!org) {
      this.log.warn({ reason: 'registration.closed', address: visit.address }, 'registration refused');
      return again();
    }
    const { entry, errors } = parseRegistration(form, await this.policies.of(org.id));
    if (!entry) return again(...errors);
    await this.attempts.count([registrationLimit(visit.address)]);
    if (await this.registration.belongsElsewhere(entry.email, org)) return again({ field: 'email', reason: 'emailUnavailable' });
    if (await this.registration.belongsElsewhere(entry.userName, org)) return again(nameTaken);
    try {
      const { cookieValue } = await this.register(visit, org, entry);
      return { kind: 'taken', cookieValue };
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'user.name_taken') return again(nameTaken);
      throw error;
    }
  }

  /** The account, and its owner signed in with it. The e-mail address is unverified until they enter what was sent there. */
  private async register(visit: Visit, org: ActiveOrg, entry: RegistrationEntry): Promise<IssuedBrowser> {
    const { userName, email, firstName, lastName } = entry;
    const person: NewHuman = {
      orgId: org.id, userName, email, passwordHash: await this.hashes.hash(new Secret(entry.password)),
      profile: { firstName, lastName, preferredLanguage: visit.setting.language },
    };
    const userId = await this.database.transaction(async (tx) => {
      const id = await this.persons.register(tx, person, { authRequestId: visit.request.id });
      await this.requests.setUser(tx, visit.request, id, userName);
      return id;
    });
    return this.sessions.signIn(visit.sentBrowser, { userId, orgId: org.id });
  }
}
