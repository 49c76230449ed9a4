import { Injectable } from '@nestjs/common';
import { SessionService } from '../../session/session.service.js';
import { parseLoginName, toNameKey } from '../../user/user-name.js';
import { type Case, reachOf } from './case.js';
import { type Link, link, type Rule } from './link.js';
import { domainPolicyMends, loginPolicyMends } from './policy-mends.js';
import { madeBy } from './rules.js';
import { type Change, counted, minute, sinceWhen } from './wording.js';

/** Stands for a browser that nobody has used. */
const NO_BROWSER = '';

const STATES = ['user.state.locked', 'user.state.inactive', 'user.state.active', 'user.state.initial'] as const;

/** What the account itself has against a sign-in: its state, that of its organization, and its names. */
@Injectable()
export class AccountLinks {
  constructor(private readonly sessions: SessionService) {}

  async of(given: Case, requiredOrgId: string | undefined): Promise<Link[]> {
    const { user, name, rules } = given;
    if (user.kind === 'service') {
      const sentence = `${name} is a service user, not a person: programs get tokens with a key, a secret or a personal access token, and never sign in on a page.`;
      return [link({ code: 'not_person', effect: 'refuses', sentence })];
    }
    const isOrgActive = (await rules.org(user.orgId)).state === 'active';
    const states = [...(isOrgActive ? [] : [await this.inactiveOrg(given)]), ...(await this.state(given))];
    // A name leads to nobody while the organization is inactive.
    return isOrgActive ? [...states, ...(await this.loginName(given, requiredOrgId))] : states;
  }

  private async inactiveOrg(given: Case): Promise<Link> {
    const { user, org, sight, rules } = given;
    const { orgId } = user;
    const isShown = sight.may('org.read', { orgId });
    const change = isShown
      ? await rules.change({ aggregateType: 'org', aggregateId: orgId, types: ['org.deactivated'] })
      : undefined;
    const spoken = org.charAt(0).toUpperCase() + org.slice(1);
    return link({
      code: 'organization_inactive',
      effect: 'refuses',
      sentence: `${spoken} has been inactive${sinceWhen(change)}: none of its users can sign in.`,
      rule: isShown ? ruleOf('state', 'organization', orgId, org.replace(/^organization /, ''), change) : undefined,
      mends: [sight.mend({ operationId: 'ReactivateOrg', permission: 'org.write', reach: { orgId } })],
    });
  }

  private async state(given: Case): Promise<Link[]> {
    const { user, name, sight, rules } = given;
    if (user.state === 'active') return [];
    const parameters = { id: user.id };
    const reach = reachOf(given);
    const change = await rules.change({ aggregateType: 'user', aggregateId: user.id, types: STATES });
    const rule = ruleOf('state', 'user', user.id, name, change);
    const said = { effect: 'refuses', rule } as const;
    const permission = 'user.write';
    if (user.state === 'initial') {
      const sentence = `The account of ${name} has not been set up yet: ${name} must open the link of the invitation and choose a password first.`;
      const mends = [
        sight.mend({
          operationId: 'ResendHumanInitialization',
          permission,
          parameters: { userId: user.id, email: '' },
          reach,
        }),
      ];
      return [link({ ...said, code: 'user_not_set_up', sentence, mends })];
    }
    if (user.state === 'inactive') {
      const mends = [sight.mend({ operationId: 'ReactivateUser', permission, parameters, reach })];
      const sentence = `${name} has been deactivated${sinceWhen(change)}.`;
      return [link({ ...said, code: 'user_inactive', sentence, mends })];
    }
    const mends = [sight.mend({ operationId: 'UnlockUser', permission, parameters, reach })];
    const failures = failuresIn(change);
    if (!change || failures === undefined)
      return [link({ ...said, code: 'user_locked', sentence: `${name} has been locked${sinceWhen(change)}.`, mends })];
    const setting = failures.what === 'password' ? 'maxPasswordAttempts' : 'maxOtpAttempts';
    const { policy } = await rules.policy('lockout', user.orgId);
    const voice = await rules.voice('lockout', user.orgId, setting);
    const locked = `${name} was locked at ${minute(change.at)} after ${counted(failures.count, `wrong ${failures.what}`)} in a row.`;
    const demand = voice.rule
      ? voice.says(policy[setting] === 0 ? 'no longer locks anybody' : `locks accounts after ${policy[setting]}`)
      : '';
    const sentence = `${locked} ${demand}`.trim();
    return [link({ code: 'user_locked_by_failures', effect: 'refuses', rule: voice.rule ?? rule, sentence, mends })];
  }

  /** Whether what the user would type leads to the user; of another account that it leads to, nothing is said. */
  private async loginName(given: Case, requiredOrgId: string | undefined): Promise<Link[]> {
    const { user, name, asked, sight, rules } = given;
    const typed = asked.loginName === '' ? user.preferredLoginName : asked.loginName;
    const found = await this.sessions.findCandidate(typed, requiredOrgId ?? '', NO_BROWSER);
    if (found?.account.userId === user.id) return [];
    const key = toNameKey(typed.trim());
    const goOn = `${name} signs in with ${user.preferredLoginName}.`;
    const refuse = (why: string, more: Partial<Link> = {}): Link[] => [
      link({ code: 'login_name_unknown', effect: 'refuses', sentence: `${why} ${goOn}`, ...more }),
    ];
    if (key === toNameKey(user.email) && key !== toNameKey(user.userName)) {
      if (!user.emailVerified) {
        const parameters = { userId: user.id, email: user.email, isEmailVerified: true };
        const remedy = { operationId: 'UpdateHumanEmail', permission: 'user.write', parameters } as const;
        return refuse(`Nobody signs in with an e-mail address that is not verified.`, {
          mends: [sight.mend({ ...remedy, reach: reachOf(given) })],
        });
      }
      const login = await rules.policy('login', user.orgId);
      if (login.policy.disableLoginWithEmail) {
        const voice = await rules.voice('login', user.orgId, 'disableLoginWithEmail');
        const mends = loginPolicyMends(sight, login, user.orgId, { disableLoginWithEmail: false });
        return refuse(voice.says('lets nobody sign in with an e-mail address'), { rule: voice.rule, mends });
      }
    }
    const { domain } = parseLoginName(typed);
    if (domain === '' && key === toNameKey(user.userName)) {
      const naming = await rules.policy('domain', user.orgId);
      if (naming.policy.userLoginMustBeDomain) {
        const voice = await rules.voice('domain', user.orgId, 'userLoginMustBeDomain');
        const mends = domainPolicyMends(sight, naming, user.orgId);
        const demand = voice.says('demands login names with the domain of the organization');
        return refuse(demand, { rule: voice.rule, mends });
      }
    }
    return refuse(`The login name ${typed} does not lead to ${name}.`);
  }
}

interface Failures {
  readonly what: 'password' | 'code';
  readonly count: number;
}

/** The wrong guesses after which the service locked the account. */
function failuresIn(change: Change | undefined): Failures | undefined {
  const { failedPasswordChecks, failedCodeChecks } = change?.payload ?? {};
  if (typeof failedPasswordChecks === 'number') return { what: 'password', count: failedPasswordChecks };
  return typeof failedCodeChecks === 'number' ? { what: 'code', count: failedCodeChecks } : undefined;
}

function ruleOf(
  name: string,
  ownerType: Rule['ownerType'],
  ownerId: string,
  ownerName: string,
  change: Change | undefined,
): Rule {
  return { name, setting: '', ownerType, ownerId, ownerName, ...madeBy(change), isDefault: false };
}
