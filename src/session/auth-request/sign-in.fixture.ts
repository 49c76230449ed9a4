import { Client } from '../../project/client/client.js';
import { BrowserSession, type BrowserSessionFacts } from '../browser-session.js';
import type { PendingRequest } from './next-step.js';

export const now = new Date('2026-01-01T12:00:00Z');
export const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);

export function session(userName: string, over: Partial<BrowserSessionFacts> = {}): BrowserSession {
  return new BrowserSession({
    id: `session of ${userName}`,
    userId: userName,
    orgId: 'a',
    orgDomain: 'orga.test',
    nameScope: '',
    userName,
    displayName: userName,
    preferredLanguage: '',
    email: `${userName}@mail.test`,
    emailVerified: true,
    emailMayStayUnverified: false,
    passwordChangeRequired: false,
    userEpoch: 0,
    createdAt: ago(3600),
    passwordCheckedAt: ago(3600),
    passwordCheckLifetimeSeconds: 864_000,
    hasPassword: true,
    externalCheckedAt: null,
    externalIdpId: null,
    externalProvedAt: null,
    externalCheckLifetimeSeconds: 864_000,
    passkeyCheckedAt: null,
    passkeyCheckLifetimeSeconds: 43_200,
    secondFactor: {
      held: [],
      hasKeysElsewhere: false,
      checkedAt: null,
      isKey: false,
      arePasskeysAllowed: true,
      isPasskeyEnough: true,
      checkLifetimeSeconds: 64_800,
      listed: ['otp', 'u2f'],
      isForced: false,
      isForcedLocally: false,
      offerPauseSeconds: 2_592_000,
      declinedAt: null,
      accountSince: ago(3600),
      hasVerifiedEmail: true,
    },
    ...over,
  });
}

export function client(
  over: { hasProjectCheck?: boolean; consentPage?: boolean; origin?: 'administrator' | 'document' } = {},
): Client {
  const project = {
    id: 'p',
    orgId: 'a',
    projectRoleAssertion: false,
    projectRoleCheck: false,
    hasProjectCheck: over.hasProjectCheck ?? false,
    privateLabelingSetting: 'unspecified' as const,
    roleKeys: [],
    grantedOrgIds: [],
  };
  const row = {
    clientId: 'web1',
    consentPage: over.consentPage ?? false,
    origin: over.origin ?? 'administrator',
  } as ConstructorParameters<typeof Client>[0];
  return new Client(row, project, []);
}

export const plain: PendingRequest = {
  prompts: [],
  maxAgeSeconds: undefined,
  requiredOrgId: undefined,
  requiredUserId: undefined,
  createdAt: now,
  loginName: undefined,
  userId: undefined,
  accountChosen: false,
  consentGiven: false,
  acrValues: [],
  secondFactorRequired: false,
  externalLoginId: undefined,
  externalProvedAt: undefined,
  registrationId: undefined,
  passwordExpiresAt: undefined,
  passwordChangeWanted: false,
  passwordInstead: false,
  wantedKey: undefined,
  offersPasskey: false,
  offersPasskeyHere: false,
};
