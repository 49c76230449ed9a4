import type { Json } from '../../kit/inner-calls.js';
import type { Effects, FieldsChange } from '../kind.js';
import { concerns, shareOf } from './sentences.js';

/*
 * What changes of policies do to the people whom they govern: those of the organization, or those of every
 * organization that has no policy of its own.
 */

const FACTORS = {
  SECOND_FACTOR_TYPE_OTP: 'otp',
  SECOND_FACTOR_TYPE_U2F: 'u2f',
  SECOND_FACTOR_TYPE_OTP_EMAIL: 'otp_email',
} as const;
const FACTOR_NAMES = {
  SECOND_FACTOR_TYPE_OTP: 'an authenticator app',
  SECOND_FACTOR_TYPE_U2F: 'a security key',
  SECOND_FACTOR_TYPE_OTP_EMAIL: 'codes by e-mail',
} as const;

/** Whether a switch is turned from one position to the other. */
function turns({ before, after }: FieldsChange, name: string, to: boolean): boolean {
  return after[name] === to && before[name] !== to;
}

function takesAway({ before, after }: FieldsChange, name: string, entry: string): boolean {
  const has = (from: Json): boolean => Array.isArray(from[name]) && (from[name] as unknown[]).includes(entry);
  return has(before) && after[name] !== undefined && !has(after);
}

export const loginPolicyEffects: Effects = async (change, ground, { orgId }) => {
  const { people } = ground.facts;
  const found: string[] = [];
  if (turns(change, 'forceMfa', true)) {
    const share = await people.withoutFactor(ground.tx, orgId);
    found.push(
      `Forces a second factor: ${shareOf(share, 'has none and will set one up at the next sign-in', 'have none and will set one up at their next sign-in')}.`,
    );
  }
  if (turns(change, 'forceMfa', false))
    found.push('No longer forces a second factor: who has one is still asked for it.');
  if (turns(change, 'allowUsernamePassword', false)) {
    const share = await people.withPasswordAlone(ground.tx, orgId);
    if (concerns(share))
      found.push(
        `Forbids passwords: ${shareOf(share, 'has nothing else and can no longer sign in', 'have nothing else and can no longer sign in')}.`,
      );
  }
  if (turns(change, 'allowExternalIdp', false)) {
    const share = await people.withProviderAlone(ground.tx, orgId);
    if (concerns(share))
      found.push(
        `Forbids identity providers: ${shareOf(share, 'has nothing else and can no longer sign in', 'have nothing else and can no longer sign in')}.`,
      );
  }
  if (turns(change, 'allowRegister', true)) found.push('Lets anybody register an account.');
  for (const [type, kind] of Object.entries(FACTORS)) {
    if (!takesAway(change, 'secondFactors', type)) continue;
    const share = await people.withOnly(ground.tx, orgId, kind);
    const name = FACTOR_NAMES[type as keyof typeof FACTOR_NAMES];
    if (concerns(share))
      found.push(`Takes away ${name}: ${shareOf(share, 'has no other second factor', 'have no other second factor')}.`);
  }
  return found;
};

export const passwordAgeEffects: Effects = async ({ before, after }, ground, { orgId }) => {
  const days = Number(after['maxAgeDays'] ?? 0);
  const former = Number(before['maxAgeDays'] ?? 0);
  if (days === 0 || (former !== 0 && days >= former)) return [];
  const share = await ground.facts.people.withPasswordOlderThan(ground.tx, orgId, days);
  if (!concerns(share)) return [];
  return [
    `Passwords last ${days} days: ${shareOf(share, 'has an older one and must change it at the next sign-in', 'have an older one and must change it at their next sign-in')}.`,
  ];
};

export const lockoutEffects: Effects = async ({ before, after }, ground, { orgId }) => {
  const attempts = Number(after['maxPasswordAttempts'] ?? 0);
  const former = Number(before['maxPasswordAttempts'] ?? 0);
  if (attempts === 0 || (former !== 0 && attempts >= former)) return [];
  const share = await ground.facts.people.withFailures(ground.tx, orgId, attempts);
  if (!concerns(share)) return [];
  return [
    `Locks after ${attempts} wrong passwords: ${shareOf(share, 'has reached that and is locked by the next one', 'have reached that and are locked by the next one')}.`,
  ];
};

export const domainEffects: Effects = async (change, ground, { orgId }) => {
  const isChanged = change.after['userLoginMustBeDomain'] !== change.before['userLoginMustBeDomain'];
  if (!isChanged || change.after['userLoginMustBeDomain'] === undefined) return [];
  const share = await ground.facts.people.named(ground.tx, orgId);
  return [
    `Changes login names: ${shareOf(share, 'signs in with another one', 'sign in with another one')}, since names ${change.after['userLoginMustBeDomain'] === true ? 'end with the domain of the organization from then on' : 'no longer end with the domain of the organization'}.`,
  ];
};
