import { Injectable } from '@nestjs/common';
import { Clock } from '../foundation/time/clock.js';
import type { AuthRequest } from '../session/auth-request/auth-request.js';
import { AuthRequestService } from '../session/auth-request/auth-request.service.js';
import { Handover } from '../session/auth-request/handover.js';
import { SignInDecision } from '../session/auth-request/sign-in-decision.js';
import type { BrowserSession } from '../session/browser-session.js';
import type { ProvedPassword } from '../session/proof/password-check.js';
import { type BegunSession, type RefusedSignIn, SessionService } from '../session/session.service.js';
import type { ProvedPasskey } from './passkey-check.js';
import type { Visit } from './visit.js';
import { showsSuccess } from './way-out.js';

/** `code`: the request is answered as well. */
export type SignedIn = BegunSession & { readonly code?: string };

/**
 * Signs in users who have proved their password or passkey. If nothing else is missing, their request is answered with
 * it.
 */
@Injectable()
export class SignInCompletion {
  constructor(
    private readonly requests: AuthRequestService,
    private readonly decision: SignInDecision,
    private readonly sessions: SessionService,
    private readonly handover: Handover,
    private readonly clock: Clock,
  ) {}

  async begin(
    visit: Visit,
    request: AuthRequest,
    proved: ProvedPassword | ProvedPasskey,
  ): Promise<SignedIn | RefusedSignIn> {
    const { candidate } = proved;
    const { userId, orgId, userEpoch } = candidate.account;
    const isPasskey = 'proof' in proved;
    const session = candidate.sessionAt(this.clock.now(), isPasskey ? 'passkey' : 'password');
    const proof = isPasskey
      ? proved.proof
      : ({ kind: 'password', userId, orgId, userEpoch, clearedAttempts: proved.clearedAttempts } as const);
    if (!(await this.isComplete(visit, request, session))) return this.sessions.signIn(visit.sentBrowser, proof);
    return this.requests.signInAndAnswer(request, session, visit.sentBrowser, {
      ...proof,
      newSessionId: candidate.isNewHere ? session.id : undefined,
      userSequence: candidate.userSequence,
    });
  }

  /** Whether this session leaves nothing to be done on our pages. */
  private async isComplete(
    { client, browser, http, now }: Visit,
    request: AuthRequest,
    session: BrowserSession,
  ): Promise<boolean> {
    const others = browser.sessions.filter(({ userId }) => userId !== session.userId);
    const verdict = await this.decision.of({ request, client, http, sessions: [...others, session], now });
    return (
      verdict.kind === 'ready' &&
      verdict.session === session &&
      !showsSuccess({ client, request, verdict }) &&
      this.handover.answersTo(request).takesCodeAtOnce(request, client)
    );
  }
}
