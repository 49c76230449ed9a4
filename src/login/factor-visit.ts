import { paths, type ServicePath } from '../org/instance/paths.js';
import type { CodeSource, OtherFactor, SecondFactorProps } from '../page/second-factor.page.js';
import { isFactorCheck, isFactorRequired } from '../session/auth-request/factor-step.js';
import type { BrowserSession } from '../session/browser-session.js';
import type { Visit } from './visit.js';

type Way = OtherFactor['source'];

const PLACES: Readonly<Record<Way, ServicePath>> = {
  u2f: paths.securityKey,
  otp: paths.totp,
  otp_email: paths.emailCode,
  recovery_codes: paths.recoveryCode,
};

/**
 * The session that needs a second factor now, if its user can use this one: not a particular one is due, since users
 * may switch between them.
 */
export function sessionToProve(visit: Visit, kind: Way): BrowserSession | undefined {
  const { verdict, session } = visit;
  return verdict.kind === 'step' && isFactorCheck(verdict.step) && session && waysOf(visit, session).includes(kind)
    ? session
    : undefined;
}

/** The parts of a code page that do not depend on the source of the code. */
export function codePage(
  visit: Visit,
  session: BrowserSession,
  source: CodeSource,
): Pick<SecondFactorProps, 'form' | 'source' | 'loginName' | 'otherAccountHref' | 'others' | 'isSetUp'> {
  return {
    form: visit.formTo(PLACES[source]),
    source,
    loginName: session.loginName,
    otherAccountHref: paths.loginName,
    others: othersThan(visit, session, source),
    isSetUp: false,
  };
}

/** The other second factors that the user has. */
export function othersThan(visit: Visit, session: BrowserSession, source: Way): OtherFactor[] {
  return waysOf(visit, session)
    .filter((way) => way !== source)
    .map((way) => ({ source: way, href: PLACES[way] }));
}

/** Whether the user may not go on without a second factor. */
export function isRequired({ request }: Visit, session: BrowserSession): boolean {
  return isFactorRequired(session, request);
}

function waysOf(visit: Visit, session: BrowserSession): Way[] {
  const usable = session.usableFactors(isRequired(visit, session));
  return session.factor.hasRecoveryCodes ? [...usable, 'recovery_codes'] : usable;
}

/** Shows enough to recognize one's own address, and too little to learn the address of another user. */
export function shortened(address: string): string {
  const at = address.lastIndexOf('@');
  return `${[...address][0] ?? ''}•••${at < 0 ? '' : address.slice(at)}`;
}
