import { Injectable } from '@nestjs/common';
import { paths } from '../org/instance/paths.js';
import { PolicyService } from '../org/policy/policy.service.js';
import type { KeyRequest } from '../page/part/key-form.js';
import type { BrowserSession } from '../session/browser-session.js';
import { SIGN_IN_CHALLENGE_SECONDS } from '../user/factor/challenge.js';
import type { KeyKind } from '../user/factor/factor.entity.js';
import { PasskeyService } from '../user/factor/passkey.service.js';
import type { Visit } from './visit.js';

/** Challenges last as long as the page is valid. */
export const CHALLENGE_LIFETIME_SECONDS = SIGN_IN_CHALLENGE_SECONDS;

/** The options that the pages of a sign-in pass to browsers for passkeys. */
@Injectable()
export class PasskeyForms {
  constructor(
    private readonly passkeys: PasskeyService,
    private readonly policies: PolicyService,
  ) {}

  /** Whether a passkey may be used where the sign-in stands now; the policy of its owner decides once it is known. */
  async arePossible(visit: Visit): Promise<boolean> {
    if (!this.passkeys.arePossible) return false;
    return (await this.policies.effective('login', visit.orgId)).passwordlessType === 'allowed';
  }

  /** Beside another way to sign in; undefined where passkeys are not possible. */
  async beside(visit: Visit): Promise<KeyRequest | undefined> {
    return (await this.arePossible(visit)) ? { ...this.openRequest(visit), fillsField: true } : undefined;
  }

  /** The passkeys of a user whom this browser knows; without one, whatever the browser has. */
  async signIn(visit: Visit, session: BrowserSession | undefined): Promise<KeyRequest> {
    if (!session) return this.openRequest(visit);
    const place = { purpose: 'sign-in', browserId: visit.browser.id, about: visit.request.id } as const;
    const options = await this.passkeys.requestOptions(
      { ...place, userId: session.userId },
      ['passkey'],
      session.userId,
    );
    return { form: visit.formTo(paths.passkey), ceremony: 'get', options };
  }

  async secondFactor(visit: Visit, session: BrowserSession): Promise<KeyRequest> {
    const options = await this.passkeys.requestOptions(
      secondFactorPlace(visit, session),
      keysThatFollow(session),
      session.userId,
    );
    return { form: visit.formTo(paths.securityKey), ceremony: 'get', options };
  }

  async setUp(visit: Visit, session: BrowserSession, kind: KeyKind): Promise<KeyRequest> {
    const { userId: id, loginName: name, displayName } = session;
    const options = await this.passkeys.creationOptions(setUpPlace(visit, session, kind), {
      kind,
      user: { id, name, displayName },
      brand: visit.setting.brand,
      ...(kind === 'passkey' && visit.request.offersPasskeyHere ? { isForThisDevice: true } : {}),
    });
    const action = kind === 'passkey' ? paths.passkeySetUp : paths.securityKeySetUp;
    return { form: visit.formTo(action), ceremony: 'create', options };
  }

  private openRequest(visit: Visit): KeyRequest {
    const options = this.passkeys.openOptions({
      purpose: 'sign-in',
      browserId: visit.browser.id,
      about: visit.request.id,
    });
    return { form: visit.formTo(paths.passkey), ceremony: 'get', options };
  }
}

export function secondFactorPlace({ browser, request }: Visit, { userId }: BrowserSession) {
  return { purpose: 'second-factor', browserId: browser.id, about: request.id, userId } as const;
}

export function setUpPlace({ browser, request }: Visit, { userId }: BrowserSession, kind: KeyKind) {
  return { purpose: `register-${kind}`, browserId: browser.id, about: request.id, userId } as const;
}

/** A passkey serves as a security key, but does not follow itself. */
export function keysThatFollow({ latestProof }: BrowserSession): readonly KeyKind[] {
  return latestProof === 'passkey' ? ['u2f'] : ['u2f', 'passkey'];
}
