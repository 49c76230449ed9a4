import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Form } from '../../foundation/http/form.js';
import { Logger } from '../../foundation/log/logger.js';
import { paths } from '../../org/instance/paths.js';
import type { KeySetUpDecision } from '../../page/key-set-up.page.js';
import { CREDENTIAL } from '../../page/part/key-form.js';
import type { LoginPage } from '../../page/render.js';
import { withKeyMade, withWantedKey } from '../../session/auth-request/auth-request.js';
import { newKeyLimit } from '../../session/proof/limits.js';
import { SessionService } from '../../session/session.service.js';
import { SessionChanges } from '../../session/session-changes.js';
import type { KeyKind } from '../../user/factor/factor.entity.js';
import { PasskeyService } from '../../user/factor/passkey.service.js';
import { again, type LoginStep, learned, type Retry, type StepOutcome, taken } from '../login-step.js';
import { refusalOfNewKey } from '../new-key-refusal.js';
import { CHALLENGE_LIFETIME_SECONDS, PasskeyForms, setUpPlace } from '../passkey-forms.js';
import type { Visit } from '../visit.js';

/** The browser makes a key, and the answer proves that its owner has it. */
abstract class SetUpKeyStep implements LoginStep<never> {
  abstract readonly step: 'set-up-passkey' | 'set-up-security-key';
  abstract readonly path: LoginStep['path'];
  readonly reach = 'due';
  protected abstract readonly kind: KeyKind;

  constructor(
    private readonly changes: SessionChanges,
    private readonly passkeys: PasskeyService,
    private readonly forms: PasskeyForms,
    private readonly sessions: SessionService,
    private readonly attempts: AttemptService,
    private readonly log: Logger,
  ) {}

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    const { session } = visit;
    if (!session) return undefined;
    return {
      page: 'keySetUp',
      kind: this.kind,
      passkey: await this.forms.setUp(visit, session, this.kind),
      form: visit.formTo(this.path),
      loginName: session.loginName,
      otherAccountHref: paths.loginName,
      mayUseSecurityKey: session.factor.available.includes('u2f'),
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const { session } = visit;
    if (!session) return taken;
    switch (form.find('decision') as KeySetUpDecision | undefined) {
      case 'back':
        return learned(withWantedKey(visit.request, undefined));
      case 'u2f':
        return learned(withWantedKey(visit.request, 'u2f'));
      case undefined:
    }
    const { kind } = this;
    await this.attempts.count([newKeyLimit(session.userId)]);
    try {
      const place = setUpPlace(visit, session, kind);
      const answer = form.find(CREDENTIAL) ?? '';
      const checked = await this.passkeys.checkNew(kind, answer, place, CHALLENGE_LIFETIME_SECONDS);
      await this.changes.make({ session }, async (tx) => {
        await this.passkeys.add(tx, { kind, owner: session, sessionId: session.id }, checked);
        // Making a key counts as using it: its owner has just done so.
        await this.sessions.recordSecondFactor(tx, session, 'u2f');
      });
    } catch (error) {
      // The next page is that of a browser without the session.
      if (error instanceof DomainError && error.reason === 'session.overtaken') return taken;
      return again(refusalOfNewKey(error, this.log, { userId: session.userId, address: visit.address }));
    }
    return { kind: 'taken', request: withKeyMade(visit.request) };
  }
}

/** A passkey: found without a login name, and verifies its user. */
@Injectable()
export class SetUpPasskeyStep extends SetUpKeyStep {
  readonly step = 'set-up-passkey';
  readonly path = paths.passkeySetUp;
  protected readonly kind = 'passkey';

  constructor(
    changes: SessionChanges,
    passkeys: PasskeyService,
    forms: PasskeyForms,
    sessions: SessionService,
    attempts: AttemptService,
    log: Logger,
  ) {
    super(changes, passkeys, forms, sessions, attempts, log);
  }
}

/** Sets up a security key as a second factor. */
@Injectable()
export class SetUpSecurityKeyStep extends SetUpKeyStep {
  readonly step = 'set-up-security-key';
  readonly path = paths.securityKeySetUp;
  protected readonly kind = 'u2f';

  constructor(
    changes: SessionChanges,
    passkeys: PasskeyService,
    forms: PasskeyForms,
    sessions: SessionService,
    attempts: AttemptService,
    log: Logger,
  ) {
    super(changes, passkeys, forms, sessions, attempts, log);
  }
}
