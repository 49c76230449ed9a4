import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ALSO_SAID, TASKS } from '../tasks.js';
import { type ApiDocument, routesOf } from './document.js';
import { Search } from './search.js';

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as ApiDocument;
const index = Search.of(document, TASKS, ALSO_SAID).toJson();
const search = Search.fromJson(index);
const found = (phrase: string): string[] => search.find(phrase).map(({ id }) => id);

const FIRST = 3;
const NEEDED = 54;

/** Questions in the words of those who administer, and what answers them: operations, or the titles of tasks. */
const QUESTIONS: ReadonlyArray<readonly [question: string, answers: readonly string[]]> = [
  // What was looked for here by somebody who did not know the interface.
  ['german mail', ['German e-mails, and other texts']],
  ['force 2fa', ['Require a second factor', 'UpdateLoginPolicy']],
  ['slack notification', ['Tell another service what happens', 'AddWebhook']],
  ['min password length', ['Password rules and lockout', 'UpdatePasswordComplexityPolicy']],
  ["why can't Ilse sign in", ['Somebody cannot sign in']],
  ['find user by email', ['ListAllUsers', 'ListUsers', 'GetUserByLoginNameGlobal']],
  ['session lifetime', ['UpdateLoginPolicy', 'Keys and lifetimes of tokens', 'UpdateOIDCSettings']],
  ['allow redirect uri', ['UpdateOIDCAppConfig', 'AddOIDCApp']],
  ['make someone admin', ['Share the administration', 'AddOrgMember', 'AddIAMMember']],
  ['export users', ['ExportData', 'Move from or to another instance']],
  ['import dry run', ['ImportData', 'Move from or to another instance']],
  ['change mail sender', ['Send e-mails through our mail server', 'UpdateSMTPConfig', 'GetMailSettings']],
  ["user can't log in", ['Somebody cannot sign in']],
  ['who changed the policy', ['Who did what', 'ListEvents']],
  ['failed logins', ['ListEvents', 'Who did what', 'Somebody cannot sign in', 'UpdateLockoutPolicy']],
  ['rotate signing key', ['Keys and lifetimes of tokens', 'CreateSigningKey', 'ActivateSigningKey']],
  ['backup', ['ExportData', 'Move from or to another instance']],
  ['api token', ['AddPersonalAccessToken', 'Access for a program']],
  ['smtp', ['Send e-mails through our mail server', 'AddSMTPConfig', 'GetSMTPConfig']],
  ['change client secret', ['RegenerateOIDCClientSecret', 'RegenerateAPIClientSecret']],
  ['unlock user', ['UnlockUser']],
  ['reset password', ['SendHumanResetPasswordNotification', 'SetHumanPassword', 'Somebody cannot sign in']],
  ['add google login', ['Sign in with Google, Microsoft or our company directory', 'AddGenericOIDCProvider']],
  ['upload logo', ['SetLabelPolicyLogo', 'Our look']],
  ['delete user', ['RemoveUser', 'Somebody has left, or an account was taken over']],
  ['create organization', ['AddOrg', 'SetUpOrg', 'Another organization']],
  ['assign role', ['AddUserGrant', 'AddProjectRole']],
  ['sign out everywhere', ['EndUserSessions', 'Somebody has left, or an account was taken over']],
  ['passkeys of a user', ['ListHumanPasswordless']],
  ['service account', ['AddMachineUser', 'Access for a program']],
  // As administrators of identity services ask in public forums.
  ['how to reset a user’s MFA if a user lost his MFA device', ['Somebody cannot sign in', 'RemoveHumanAuthFactorOTP']],
  ['how to reset the TOTP setup', ['RemoveHumanAuthFactorOTP', 'Somebody cannot sign in']],
  ['verify email through admin endpoints', ['UpdateHumanEmail']],
  ['disable user and revoke all sessions', ['DeactivateUser', 'LockUser', 'EndUserSessions']],
  ['how to revoke all tokens of a single user', ['EndUserSessions', 'DeactivateUser', 'LockUser']],
  ['administrator can revoke a session', ['EndUserSession', 'EndUserSessions', 'ListUserSessions']],
  [
    'how to best import users from legacy application',
    ['ImportHumanUser', 'ImportData', 'Move from or to another instance'],
  ],
  ['import users with bcrypt hashed passwords', ['ImportHumanUser', 'ImportData']],
  ['change access token expiration time', ['UpdateOIDCSettings', 'Keys and lifetimes of tokens']],
  ['how to configure smtp', ['Send e-mails through our mail server', 'AddSMTPConfig']],
  ['mail server', ['Send e-mails through our mail server', 'AddSMTPConfig']],
  ['new users cannot receive the email verification code', ['E-mails do not arrive', 'ResendHumanEmailVerification']],
  ['resend verification email', ['ResendHumanEmailVerification']],
  ['how do I invite a user to my organization', ['CreateInviteCode', 'Add a user', 'AddHumanUser']],
  ['customize email templates', ['German e-mails, and other texts', 'PreviewMessageText']],
  ['block a user’s access', ['LockUser', 'DeactivateUser', 'Somebody has left, or an account was taken over']],
  ['clear login failures for a user', ['UnlockUser', 'Somebody cannot sign in']],
  ['user is temporarily locked out brute force', ['UnlockUser', 'UpdateLockoutPolicy', 'Password rules and lockout']],
  ['multi tenancy one realm per customer', ['Another organization', 'SetUpOrg', 'AddOrg']],
  ['add custom attributes to users', ['SetUserMetadata', 'BulkSetUserMetadata']],
  [
    'get client id and secret for my app',
    ['AddOIDCApp', 'Let people sign in to my application', 'RegenerateOIDCClientSecret'],
  ],
  ['invalid redirect uri callback url mismatch', ['UpdateOIDCAppConfig', 'AddOIDCApp', 'GetAppByID']],
  ['list active sessions of a user', ['ListUserSessions']],
  ['disable self registration', ['UpdateLoginPolicy', 'UpdateSelfServicePolicy']],
  ['get audit logs of admin actions', ['ListEvents', 'Who did what', 'ListOrgEvents']],
  ['call a webhook when a user registers', ['AddWebhook', 'Tell another service what happens']],
  ['machine to machine token client credentials', ['GenerateMachineSecret', 'Access for a program', 'AddMachineUser']],
  ['how to change the login page logo and colors', ['Our look', 'UpdateLabelPolicy', 'SetLabelPolicyLogo']],
  ['add role to user via API', ['AddUserGrant']],
  ['impersonate user as support', ['Let support staff act for users, or an API pass a token on', 'SetSecurityPolicy']],
  [
    'configure azure ad as identity provider',
    ['Sign in with Google, Microsoft or our company directory', 'AddGenericOIDCProvider'],
  ],
];

describe('The search at /docs', () => {
  it(`has an answer among the first ${FIRST} for ${NEEDED} of ${QUESTIONS.length} questions of administrators`, () => {
    const missed = QUESTIONS.filter(
      ([question, answers]) =>
        !found(question)
          .slice(0, FIRST)
          .some((one) => answers.includes(one)),
    ).map(([question]) => `${question}: ${found(question).slice(0, FIRST).join(' | ')}`);
    expect(QUESTIONS).toHaveLength(61);
    expect(missed.length <= QUESTIONS.length - NEEDED ? [] : missed).toEqual([]);
  });

  it('knows of each question what would answer it', () => {
    const operations = routesOf(document).map(({ operation }) => operation.operationId);
    const known = new Set([...TASKS.map(({ title }) => title), ...operations]);
    const named = [...QUESTIONS.flatMap(([, answers]) => answers), ...Object.keys(ALSO_SAID)];
    expect(named.filter((one) => !known.has(one))).toEqual([]);
  });

  it.each([
    ['lock', 'LockUser'],
    ['LOCK user', 'LockUser'],
    ['user lock', 'LockUser'],
    ['SetLabelPolicyIconDark', 'SetLabelPolicyIconDark'],
    ['deactivate people', 'DeactivateUser'],
    ['sesions of a usr', 'ListUserSessions'],
    ['rotating signing keys', 'CreateSigningKey'],
    ['webauthn', 'ListHumanPasswordless'],
  ])('finds by “%s” the operation %s among the first five', (phrase, id) => {
    expect(found(phrase).slice(0, 5)).toContain(id);
  });

  it.each([
    ['/management/v1/users/{id}/_lock', 'LockUser'],
    ['user.write', 'LockUser'],
  ])('finds by “%s” also %s', (phrase, id) => {
    expect(found(phrase)).toContain(id);
  });

  it('does not take the parts of paths for words', () => {
    expect(found('v1')).not.toContain('LockUser');
    expect(found('api token').slice(0, FIRST)).not.toContain('GetHealth');
  });

  it('narrows with each word that something is about, and finds nothing for nothing', () => {
    expect(found('xyzzy')).toEqual([]);
    expect(found('   ')).toEqual([]);
    expect(found('how can I')).toEqual([]);
    expect(found('user metadata remove').length).toBeLessThan(found('user').length);
  });

  it('has an index of at most 62 kB as it is sent', () => {
    expect(brotliCompressSync(index, { params: { 1: 5 } }).length).toBeLessThan(62_000);
  });
});
