import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { lastMark } from '../../foundation/event/journal.js';
import { Logger } from '../../foundation/log/logger.js';
import { seconds } from '../../foundation/time/duration.js';
import { MyAccount } from '../../management/user/my-account.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { Branding } from '../../page/branding/branding.js';
import { newKeyLimit } from '../../session/proof/limits.js';
import type { ChallengePlace } from '../../user/factor/challenge.js';
import type { KeyKind } from '../../user/factor/factor.entity.js';
import { factorNotAllowed, keyNameInvalid, passkeysNotAllowed } from '../../user/factor/factor.errors.js';
import { parseKeyName } from '../../user/factor/key-names.js';
import { PasskeyService } from '../../user/factor/passkey.service.js';
import type { Attestation } from '../../user/factor/passkey-ceremony.js';
import type { Actor } from '../../user/permission/actor.js';
import { UserService } from '../../user/user.service.js';
import type { UserEntry } from '../../user/user-directory.js';

/**
 * Stands for a browser. No browser has this id, so that no page takes a challenge of the API, and the other way round.
 */
const API = 'own-account-api';
/** As long as the dialog of a browser waits. */
const CHALLENGE_SECONDS = 5 * seconds.perMinute;

/** A key that the caller's authenticator has made. */
export interface MadeKey {
  /** JSON, as `PublicKeyCredential.toJSON()` makes it. */
  readonly answer: string;
  /** The name as typed; empty for the name of the key's manager. */
  readonly name: string;
  /** The field of the request that has the name. */
  readonly nameField: string;
  /** The id that came with the options, if one did. */
  readonly id?: string;
}

/** What the caller says of a key that is to be made. */
export interface WantedKey {
  /** The id that it will have, and with which its answer comes; by default it gets one when it is stored. */
  readonly id?: string;
  readonly isForThisDevice?: boolean | undefined;
}

/** Passkeys and security keys that callers add to their own account. */
@Injectable()
export class MyKeys {
  constructor(
    private readonly account: MyAccount,
    private readonly passkeys: PasskeyService,
    private readonly users: UserService,
    private readonly policies: PolicyService,
    private readonly branding: Branding,
    private readonly attempts: AttemptService,
    private readonly log: Logger,
  ) {}

  /**
   * The options of `navigator.credentials.create`, as JSON. Nothing is stored: the challenge proves itself that it is
   * ours.
   * @throws DomainError as `MyAccount.prove`; FailedPrecondition `passkey.unavailable`, `passkey.not_allowed`,
   * `factor.not_allowed`
   */
  async options(
    actor: Actor,
    kind: KeyKind,
    { id: keyId, isForThisDevice }: WantedKey = {},
  ): Promise<{ readonly json: string; readonly owner: UserEntry }> {
    const owner = await this.proveFor(actor, kind);
    const { id, orgId, preferredLoginName: name, displayName } = owner;
    const brand = await this.branding.nameOf(orgId);
    const user = { id, name, displayName };
    const json = await this.passkeys.creationOptions(placeOf(actor, kind, keyId), {
      ...{ kind, user, brand, isForThisDevice },
    });
    return { json, owner };
  }

  /**
   * Checks and stores the key. The session does not count it as a use: who made it has the token, and perhaps not the
   * browser.
   * @throws DomainError as `options` and `PasskeyService.add`; InvalidArgument; ResourceExhausted `attempt.too_many`
   */
  async add(actor: Actor, kind: KeyKind, { answer, name: typed, nameField, id }: MadeKey): Promise<EventMark> {
    await this.proveFor(actor, kind);
    const name = typed === '' ? undefined : parseKeyName(typed);
    if (typed !== '' && name === undefined) throw keyNameInvalid(nameField);
    await this.attempts.count([newKeyLimit(actor.userId)]);
    const checked = await this.check(actor, kind, { answer, id });
    return this.account.make(actor, async (tx, { id: userId, orgId }) => {
      await this.passkeys.add(tx, { id, kind, owner: { userId, orgId }, name }, checked);
      return lastMark(await this.users.get(tx, userId));
    });
  }

  private async check(
    actor: Actor,
    kind: KeyKind,
    { answer, id }: { readonly answer: string; readonly id: string | undefined },
  ): Promise<Attestation> {
    try {
      return await this.passkeys.checkNew(kind, answer, placeOf(actor, kind, id), CHALLENGE_SECONDS);
    } catch (error) {
      // The flaw in the answer is for the log alone.
      if (error instanceof DomainError && typeof error.cause === 'string')
        this.log.warn({ reason: error.reason, detail: error.cause, userId: actor.userId }, 'key refused');
      throw error;
    }
  }

  private async proveFor(actor: Actor, kind: KeyKind): Promise<UserEntry> {
    const owner = await this.account.prove(actor, 'manageFactors');
    this.passkeys.checkPossible();
    const { passwordlessType, secondFactors } = await this.policies.effective('login', owner.orgId);
    if (kind === 'passkey' && passwordlessType !== 'allowed') throw passkeysNotAllowed();
    if (kind === 'u2f' && !secondFactors.includes('u2f')) throw factorNotAllowed();
    return owner;
  }
}

/**
 * The user, the purpose and the sign-in of the token: a challenge does not outlive the proof for which it was given.
 * And the id of the key, which nobody but us chooses.
 */
function placeOf({ userId, signIn }: Actor, kind: KeyKind, keyId: string | undefined): ChallengePlace {
  const { sessionId = null, authTime, userEpoch } = signIn ?? {};
  return {
    purpose: `register-${kind}`,
    browserId: API,
    about: JSON.stringify([sessionId, authTime, userEpoch, ...(keyId === undefined ? [] : [keyId])]),
    userId,
  };
}
