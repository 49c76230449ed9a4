import type { FactorStep } from '../../auth-request/factor-step.js';
import type { SoleFactorKind } from '../../factor/factor.entity.js';
import { type OwnPath, paths } from '../../foundation/page/paths.js';
import type { CodeSource, SecondFactorProps } from '../../foundation/page/second-factor.page.js';
import type { BrowserSession } from '../../session/browser-session.js';
import type { Visit } from '../visit.js';

/** A second factor is due, not a particular one: users may switch between them. */
const CHECKS: ReadonlySet<string> = new Set(['totp', 'email-code'] satisfies FactorStep[]);

const PLACES: Readonly<Record<CodeSource, OwnPath>> = {
  otp: paths.totp,
  otp_email: paths.emailCode,
  recovery_codes: paths.recoveryCode,
};

/** The session that needs a second factor now, if its user can use this one. */
export function sessionToProve(visit: Visit, kind: SoleFactorKind): BrowserSession | undefined {
  const { verdict, session } = visit;
  return verdict.kind === 'step' && CHECKS.has(verdict.step) && session && waysOf(session).includes(kind)
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
    others: waysOf(session)
      .filter((way) => way !== source)
      .map((way) => ({ source: way, href: PLACES[way] })),
    isSetUp: false,
  };
}

function waysOf({ factor }: BrowserSession): CodeSource[] {
  return factor.hasRecoveryCodes ? [...factor.usable, 'recovery_codes'] : factor.usable;
}

/** Enough to recognize one's own address, too little to learn the address of another user. */
export function shortened(address: string): string {
  const at = address.lastIndexOf('@');
  return `${[...address][0] ?? ''}•••${at < 0 ? '' : address.slice(at)}`;
}
