import { Injectable } from '@nestjs/common';
import { type AttemptLimit, AttemptService, type StandingLimit } from '../../foundation/attempt/attempt.service.js';
import { codeLimits, mailedCodeLimit, mailLimit, passkeyLimits, passwordLimits } from '../../session/proof/limits.js';
import { type RefusedSignInEntry, RefusedSignIns } from '../../session/proof/refused-sign-ins.js';
import type { Case } from './case.js';
import { type ExplainedFailure, type ExplainedLimit, type Link, link } from './link.js';
import { counted, minute } from './wording.js';

const MOST_FAILURES = 10;

/** What is counted, in the words of a sentence. */
const COUNTED: Readonly<Record<string, string>> = {
  password: 'wrong password',
  'password-account': 'wrong password',
  'passkey-account': 'refused passkey',
  code: 'wrong code',
};

/** Counts of a whole network: who reads how many there are learns of people who are not theirs. */
const OF_NETWORK: Readonly<Record<string, string>> = {
  'password-address': 'wrong passwords',
  'passkey-address': 'refused passkeys',
  'code-address': 'wrong codes',
  'mailed-code': 'wrong codes of e-mails',
  'mail-request': 'requests for e-mails',
};

/** The limits that refuse passwords, passkeys and codes now. */
export type ReachedLimits = Readonly<Record<'password' | 'passkey' | 'code', readonly Link[]>>;

/** The attempts that count against the user now, and those that failed. Nothing is counted by asking. */
@Injectable()
export class AttemptLinks {
  constructor(
    private readonly attempts: AttemptService,
    private readonly refused: RefusedSignIns,
  ) {}

  /** `reached`: those that refuse something now, by what is refused. */
  async limits(given: Case): Promise<{ readonly limits: ExplainedLimit[]; readonly reached: ReachedLimits }> {
    const standing = await this.attempts.standing(limitsOn(given));
    const ofUser = standing.filter(({ limit }) => limit.what in COUNTED);
    const ofNetwork = standing.filter((one) => one.limit.what in OF_NETWORK && isReached(one));
    // A name and the account behind it count the same attempts.
    const most = [...Map.groupBy(ofUser, ({ limit }) => COUNTED[limit.what]).values()].map((same) =>
      same.reduce((one, other) => (other.failures > one.failures ? other : one)),
    );
    const limits = [
      ...most.map((one) => toLimit(given, one)),
      ...ofNetwork.map((one) => ({ ...toLimit(given, one), failures: one.limit.failures })),
      ...(await this.lockouts(given)),
    ];
    const reached = Object.fromEntries(
      (['password', 'passkey', 'code'] as const).map((what) => [
        what,
        distinct(
          standing.filter((one) => isReached(one) && one.limit.what.startsWith(what)).map((one) => toLink(given, one)),
        ),
      ]),
    ) as unknown as ReachedLimits;
    return { limits, reached };
  }

  async failures({ user, name }: Case): Promise<ExplainedFailure[]> {
    const found = await this.refused.lastOf(user.id, MOST_FAILURES);
    return found.map((one) => ({ at: one.at, reason: reasonOf(one), sentence: `${sentenceOf(one, name)}` }));
  }

  /** The guesses in a row after which the lockout policy locks the account. */
  private async lockouts({ user, sight, rules, name }: Case): Promise<ExplainedLimit[]> {
    const { failedPasswordChecks: passwords, failedCodeChecks: codes } = user;
    if (passwords + codes === 0 || user.state !== 'active' || !sight.seesPolicies(user.orgId)) return [];
    const { policy } = await rules.policy('lockout', user.orgId);
    const locks = [
      { what: 'wrong password', failures: passwords, most: policy.maxPasswordAttempts },
      { what: 'wrong code', failures: codes, most: policy.maxOtpAttempts },
    ];
    return locks
      .filter(({ failures, most }) => failures > 0 && most > 0)
      .map(({ what, failures, most }) => ({
        sentence: `${name} has ${counted(failures, what)} in a row; after ${most} the account is locked.`,
        isReached: false,
        failures,
        mostFailures: most,
        until: undefined,
      }));
  }
}

/**
 * The limits that attempts of this user, from this network, would meet; by the names that lead to the user, since
 * others count what is typed of somebody else.
 */
function limitsOn({ user, asked }: Case): AttemptLimit[] {
  const { network: address } = asked;
  const names = new Set([...user.loginNames, user.preferredLoginName, ...(user.emailVerified ? [user.email] : [])]);
  const passwords = [...names].map((name) => passwordLimits(name, user.id, address));
  const own = [
    ...passwords.map(({ name }) => name),
    passwordLimits(user.userName, user.id, address).account,
    passkeyLimits(user.id, address).account,
    codeLimits(user.id, address).account,
  ];
  if (address === '') return own;
  return [
    ...own,
    passwordLimits('', undefined, address).address,
    passkeyLimits(undefined, address).address,
    codeLimits(user.id, address).address,
    mailedCodeLimit(address),
    mailLimit(address),
  ];
}

function isReached({ failures, limit }: StandingLimit): boolean {
  return failures >= limit.failures;
}

function toLimit({ name, asked }: Case, { limit, failures, windowEndsAt }: StandingLimit): ExplainedLimit {
  const isFull = failures >= limit.failures;
  const what = COUNTED[limit.what];
  const until = minute(windowEndsAt);
  const sentence = what
    ? `${counted(failures, what)} of ${limit.failures} for ${name} ${isFull ? `are used up until` : `count until`} ${until}.`
    : `The network ${asked.network} has too many ${OF_NETWORK[limit.what]} until ${until}.`;
  return { sentence, isReached: isFull, failures, mostFailures: limit.failures, until: windowEndsAt };
}

function toLink(given: Case, one: StandingLimit): Link {
  const isOfNetwork = one.limit.what in OF_NETWORK;
  const { name, asked } = given;
  const until = minute(one.windowEndsAt);
  const sentence = isOfNetwork
    ? `There have been too many ${OF_NETWORK[one.limit.what]} from the network ${asked.network}: from there nobody can try until ${until}, not even with the right one.`
    : `There have been ${counted(one.limit.failures, COUNTED[one.limit.what] ?? '')} for ${name} within a quarter of an hour: even the right one is refused until ${until}.`;
  return link({
    code: isOfNetwork ? 'network_limited' : 'attempts_used_up',
    effect: 'refuses',
    sentence,
    until: one.windowEndsAt,
  });
}

function distinct(links: readonly Link[]): Link[] {
  return [...new Map(links.map((one) => [`${one.code} ${one.sentence.split(' for ')[0]}`, one])).values()];
}

function reasonOf({ presented, reason, factor }: RefusedSignInEntry): string {
  return reason === ''
    ? `${presented === 'mfa' ? 'code' : presented}_wrong${factor === '' ? '' : `:${factor}`}`
    : reason;
}

/** Why it failed, by the reasons of `PasswordCheck`, `PasskeyCheck` and `FactorCheck`. */
const SENTENCES: Readonly<Record<string, string>> = {
  account_limited: 'There had been too many wrong passwords.',
  password_too_long: 'The password was longer than any may be.',
  password_not_set: 'A password was typed, and there was none.',
  password_wrong: 'The password was wrong.',
  account_locked: 'The password was right, but the account was locked.',
  account_inactive: 'The password was right, but the account was deactivated.',
  account_not_set_up: 'The password was right, but the account had not been set up.',
  account_not_active: 'The account was not active.',
  account_changed: 'The account was changed meanwhile.',
  passwords_not_allowed: 'The password was right, but the login policy did not allow passwords.',
  'passkey.limited': 'There had been too many refused passkeys.',
  'passkey.account_not_active': 'The passkey was right, but the account was not active.',
  'passkey.not_allowed': 'The passkey was right, but the login policy did not allow passkeys.',
  'passkey.other_user': 'The passkey was of another user than the application asked for.',
  'passkey.other_org': 'The passkey was of a user of another organization than the application asked for.',
  'passkey.user_not_verified': 'The device did not check who used the passkey.',
  'passkey.challenge_expired': 'The page had been open for too long.',
  'passkey.challenge_spent': 'The answer of the passkey had been used already.',
  'passkey.counter_back': 'The passkey may have been copied: its counter went back.',
  'passkey.browser_replaced': 'Somebody else had signed in with this browser meanwhile.',
};

const FACTOR_SENTENCES: Readonly<Record<string, string>> = {
  otp: 'The code of the authenticator app was wrong.',
  otp_email: 'The code of the e-mail was wrong or too old.',
  recovery_codes: 'The recovery code was wrong, or had been used.',
  u2f: 'The security key was refused.',
};

function sentenceOf({ presented, reason, factor }: RefusedSignInEntry, name: string): string {
  const known = SENTENCES[reason] ?? FACTOR_SENTENCES[factor];
  if (known !== undefined) return known;
  return presented === 'passkey' ? 'The passkey was refused.' : `The sign-in of ${name} was refused.`;
}
