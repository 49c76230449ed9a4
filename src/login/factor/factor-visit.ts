import type { FactorStep } from '../../auth-request/second-factor.js';
import type { FactorKind } from '../../factor/factor.entity.js';
import { type OwnPath, paths } from '../../page/paths.js';
import type { CodeSource, SecondFactorProps } from '../../page/second-factor.page.js';
import type { BrowserSession } from '../../session/browser-session.js';
import type { Visit } from '../visit.js';

/** What is due is a second factor, and not this or that one: people turn from one to another. */
const CHECKS: ReadonlySet<string> = new Set(['totp', 'email-code'] satisfies FactorStep[]);

const PLACES: Readonly<Record<CodeSource, OwnPath>> = {
  otp: paths.totp,
  otp_email: paths.emailCode,
  recovery_codes: paths.recoveryCode,
};

/** The session that needs a second factor now, if its person can prove it in this way. */
export function sessionToProve(visit: Visit, kind: FactorKind): BrowserSession | undefined {
  const { verdict, session } = visit;
  return verdict.kind === 'step' && CHECKS.has(verdict.step) && session && waysOf(session).includes(kind)
    ? session
    : undefined;
}

/** The page for a code, as far as it is the same wherever the code comes from. */
export function codePage(
  visit: Visit,
  session: BrowserSession,
  source: CodeSource,
): Pick<SecondFactorProps, 'form' | 'source' | 'loginName' | 'otherAccountHref' | 'others' | 'isSetUp'> {
  return {
    form: visit.formTo(PLACES[source]),
    source,
    loginName: session.loginName,
    otherAccountHref: visit.linkTo(paths.loginName),
    others: waysOf(session)
      .filter((way) => way !== source)
      .map((way) => ({ source: way, href: visit.linkTo(PLACES[way]) })),
    isSetUp: false,
  };
}

function waysOf({ factor }: BrowserSession): CodeSource[] {
  return factor.hasRecoveryCodes ? [...factor.usable, 'recovery_codes'] : factor.usable;
}

/** Enough to recognize one's own address, too little to learn it. */
export function shortened(address: string): string {
  const at = address.lastIndexOf('@');
  return `${[...address][0] ?? ''}•••${at < 0 ? '' : address.slice(at)}`;
}
