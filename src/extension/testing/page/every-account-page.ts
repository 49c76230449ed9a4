import { readDrawing } from '../../../foundation/drawing/drawing.js';
import { paths } from '../../../org/instance/paths.js';
import type { PageName } from '../../../page/part/page-names.js';
import type { LoginPage } from '../../../page/render.js';
import { rules } from './every-rule.js';

type AccountPage = Exclude<Extract<PageName, `account${string}`>, 'accounts'>;

/** The pages of the account, each with all that it can show; each piece of text that comes from outside is `word`. */
export function accountPagesSaying(word: string): { readonly [Name in AccountPage]: LoginPage<Name> } {
  const person = { displayName: word, loginName: `${word} ` };
  const target = { action: paths.account, csrf: word };
  const frame = {
    person,
    sections: ['profile', 'password', 'steps', 'devices'],
    done: { what: 'sessions', count: 3 },
  } as const;
  const moment = new Date('2026-03-01T12:00:00Z');
  const mark = readDrawing('<svg viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>');
  const returnTo = { href: `https://rp1.test/?state=${word}`, clientName: word };
  return {
    accountOverview: {
      page: 'accountOverview',
      frame,
      hint: { what: 'secondStep', at: 'steps' },
      password: { resetHref: paths.passwordReset },
      returnTo,
    },
    accountProfile: {
      page: 'accountProfile',
      frame,
      target,
      values: {
        firstName: word,
        lastName: word,
        nickName: word,
        displayName: word,
        language: word,
        gender: 'diverse',
      },
      errors: [{ field: 'firstName', reason: 'firstNameMissing' }],
    },
    accountPassword: {
      page: 'accountPassword',
      frame,
      target,
      rules,
      hasPassword: true,
      errors: [{ field: 'oldPassword', reason: 'oldPasswordWrong' }],
    },
    accountKeys: {
      page: 'accountKeys',
      frame,
      target,
      keys: [
        {
          id: word,
          kind: 'passkey',
          name: word,
          createdAt: moment,
          lastUsedAt: moment,
          backedUp: true,
          worksHere: true,
        },
        { id: word, kind: 'u2f', name: word, createdAt: moment, lastUsedAt: null, backedUp: false, worksHere: false },
      ],
      addable: ['passkey', 'u2f'],
      signals: JSON.stringify({ accounts: [], name: word }),
      errors: [{ reason: 'lastWayIn' }],
    },
    accountKeyName: {
      page: 'accountKeyName',
      frame,
      target,
      name: word,
      errors: [{ field: 'name', reason: 'keyNameInvalid' }],
    },
    accountSteps: {
      page: 'accountSteps',
      frame,
      target,
      held: ['otp'],
      available: ['otp_email'],
      codesLeft: 3,
      errors: [{ reason: 'factorRequired' }],
    },
    accountDevices: {
      page: 'accountDevices',
      frame,
      target,
      devices: [
        {
          id: word,
          agent: word,
          system: word,
          network: word,
          since: moment,
          lastAt: moment,
          how: 'passkey',
          hasSecondFactor: true,
          isThis: true,
        },
        {
          id: word,
          agent: '',
          system: '',
          network: '',
          since: moment,
          lastAt: moment,
          how: 'provider',
          hasSecondFactor: false,
          isThis: false,
        },
      ],
    },
    accountContact: {
      page: 'accountContact',
      frame,
      target,
      email: word,
      pending: word,
      mayChange: { email: true, phone: true },
      typed: { email: word, code: word, phone: word },
      errors: [{ field: 'email', reason: 'emailInvalid' }],
    },
    accountLinks: {
      page: 'accountLinks',
      frame,
      target,
      links: [
        { provider: word, account: word, providerName: word, accountName: word, since: moment },
        { provider: word, account: word, providerName: word, accountName: '', since: moment, mark },
      ],
      offered: [
        { provider: word, providerName: word },
        { provider: word, providerName: word, mark },
      ],
      errors: [{ reason: 'lastWayIn' }],
    },
    accountApplications: {
      page: 'accountApplications',
      frame,
      target,
      applications: [{ clientId: word, name: word, scopes: ['openid', word], since: moment, lastAt: moment }],
    },
    accountData: {
      page: 'accountData',
      frame,
      target,
      errors: [{ reason: 'tooManyAttempts', duration: '15 minutes' }],
    },
    accountActivity: {
      page: 'accountActivity',
      frame,
      activities: [
        { at: moment, what: 'signedIn', how: 'password', names: [word, word], isByAdministrator: false },
        { at: moment, what: 'other', names: [], isByAdministrator: true },
      ],
      olderHref: paths.accountActivity,
    },
    accountDeletion: {
      page: 'accountDeletion',
      frame,
      target,
      graceDays: 14,
      errors: [{ field: 'loginName', reason: 'loginNameDiffers' }],
    },
    accountClosed: { page: 'accountClosed', dueAt: moment },
    accountQuestion: {
      page: 'accountQuestion',
      frame,
      section: 'steps',
      target,
      question: 'removeFactor',
      thing: word,
      backHref: paths.accountSteps,
    },
  };
}
