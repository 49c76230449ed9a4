import type { BegunSession, RefusedSignIn } from '../session/session.service.js';
import { userNotFound } from '../user/user.errors.js';
import { browserUnknown } from './login.errors.js';

/**
 * The new cookie value of a user who has proved who they are without a password.
 * @throws DomainError NotFound `user.not_found` if the account was locked or removed meanwhile, `login.browser_unknown`
 * if another user has signed in with the same cookie value
 */
export function newCookieOf(begun: BegunSession | RefusedSignIn): string {
  if (!('refusal' in begun)) return begun.cookieValue;
  throw begun.refusal === 'account_changed' ? userNotFound() : browserUnknown();
}
