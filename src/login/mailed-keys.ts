import { Injectable } from '@nestjs/common';
import { AttemptService } from '../foundation/attempt/attempt.service.js';
import { sha256Base64Url } from '../foundation/crypto/digest.js';
import { Logger } from '../foundation/log/logger.js';
import { PolicyService } from '../org/policy/policy.service.js';
import type { FormTarget } from '../page/part/form.js';
import type { FormError } from '../page/part/form-error.js';
import type { KeyRequest } from '../page/part/key-form.js';
import { newKeyLimit } from '../session/proof/limits.js';
import { CHALLENGE_SECONDS, type ChallengePlace } from '../user/factor/challenge.js';
import { FactorService } from '../user/factor/factor.service.js';
import { PasskeyService } from '../user/factor/passkey.service.js';
import type { Attestation } from '../user/factor/passkey-ceremony.js';
import type { CheckedCode } from '../user/user-codes.js';
import { UserDirectory } from '../user/user-directory.js';
import { refusalOfNewKey } from './new-key-refusal.js';

/** Whose passkey it becomes, in which browser, and what has been proved. */
export interface MailedKeyPlace {
  readonly cookieValue: string;
  readonly orgId: string;
  /** A code that is right, and not used up yet. */
  readonly code: CheckedCode;
  /** The user has confirmed a second step, for those who have one. */
  readonly isConfirmed: boolean;
}

/**
 * Passkeys that are made with the code of a mail, by users who are not signed in. The challenge belongs to the code and
 * to what was confirmed, so that no form can leave a step out.
 */
@Injectable()
export class MailedKeys {
  constructor(
    private readonly passkeys: PasskeyService,
    private readonly factors: FactorService,
    private readonly directory: UserDirectory,
    private readonly policies: PolicyService,
    private readonly attempts: AttemptService,
    private readonly log: Logger,
  ) {}

  /** Whether there are passkeys here, and the organization allows them. */
  async arePossible(orgId: string): Promise<boolean> {
    if (!this.passkeys.arePossible) return false;
    return (await this.policies.effective('login', orgId)).passwordlessType === 'allowed';
  }

  /** Whether a mailbox alone must not add a key: the user has a second factor, or a key that works here. */
  async needsConfirmation(userId: string): Promise<boolean> {
    const codes = await this.factors.listSole(userId);
    if (codes.some(({ state }) => state === 'ready')) return true;
    return (await this.passkeys.list(userId)).some((key) => this.passkeys.worksHere(key));
  }

  /** @param form where the answer goes, with the code */
  async request(place: MailedKeyPlace, form: FormTarget, brand: string): Promise<KeyRequest> {
    const { userId: id } = place.code;
    const { preferredLoginName: name, displayName } = await this.directory.get(place.orgId, id);
    const user = { id, name, displayName };
    const options = await this.passkeys.creationOptions(placeOf(place), { kind: 'passkey', user, brand });
    return { form, ceremony: 'create', options };
  }

  /**
   * Checks the answer of the browser; nothing is stored yet.
   * @throws DomainError as `PasskeyService.checkNew`; ResourceExhausted `attempt.too_many`
   */
  async check(place: MailedKeyPlace, answer: string): Promise<Attestation> {
    await this.attempts.count([newKeyLimit(place.code.userId)]);
    return this.passkeys.checkNew('passkey', answer, placeOf(place), CHALLENGE_SECONDS);
  }

  /** The message for a key that was not stored; rethrows what is no refusal. */
  refusalOf(error: unknown, { code }: MailedKeyPlace, address: string): FormError<never> {
    return refusalOfNewKey(error, this.log, { userId: code.userId, address });
  }
}

/** Bound to the cookie value: nothing about the browser is stored yet. */
function placeOf({ cookieValue, code, isConfirmed }: MailedKeyPlace): ChallengePlace {
  return {
    purpose: 'register-passkey',
    browserId: sha256Base64Url(cookieValue),
    about: JSON.stringify([code.kind, code.codeHash, isConfirmed]),
    userId: code.userId,
  };
}
