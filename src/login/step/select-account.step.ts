import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import type { LoginPage } from '../../page/render.js';
import { withLoginName, withUser } from '../../session/auth-request/auth-request.js';
import type { BrowserSession } from '../../session/browser-session.js';
import { again, type LoginStep, learned, type Retry, type StepOutcome } from '../login-step.js';
import type { Visit } from '../visit.js';

/** Asks which of the browser's accounts to use. */
@Injectable()
export class SelectAccountStep implements LoginStep<never> {
  readonly step = 'select-account';
  readonly path = paths.accounts;
  readonly reach = 'link';

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | undefined> {
    if (visit.accounts.length === 0) return undefined;
    return {
      page: 'accounts',
      form: visit.formTo(this.path),
      accounts: hintedFirst(visit).map((session) => ({
        userId: session.userId,
        displayName: session.displayName,
        loginName: session.loginName,
        signedIn: session.isFresh(visit.now),
      })),
      otherAccountHref: paths.loginName,
      clientName: visit.clientName,
      errors: retry?.errors,
    };
  }

  /** An id that is not among this browser's accounts gets the same answer whether or not it exists (LOG-012). */
  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const userId = form.find('userID');
    const session = visit.accounts.find((account) => account.userId === userId);
    if (!session) return again({ reason: 'formStale' });
    const { request } = visit;
    // Whose account is linked is known by a proof alone.
    return learned(
      request.externalLoginId === undefined
        ? withUser(request, session.userId, session.loginName)
        : withLoginName(request, session.loginName),
    );
  }
}

/**
 * The first account is the one that Enter chooses. A hint that matches none of them fills the field behind "another
 * account".
 */
function hintedFirst({ accounts, request: { loginName } }: Visit): readonly BrowserSession[] {
  if (loginName === undefined) return accounts;
  const isHinted = (session: BrowserSession): boolean => session.answersTo(loginName);
  return [...accounts.filter(isHinted), ...accounts.filter((session) => !isHinted(session))];
}
