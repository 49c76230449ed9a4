import { readDrawing } from '../../../foundation/drawing/drawing.js';
import { paths } from '../../../org/instance/paths.js';
import type { LoginLanguage } from '../../../page/catalogue/catalogue.js';
import type { KeyRequest } from '../../../page/part/key-form.js';
import { PLAIN_LOOK } from '../../../page/part/look.js';
import type { PageName } from '../../../page/part/page-names.js';
import { registerFields } from '../../../page/register.page.js';
import type { LoginPage } from '../../../page/render.js';
import { renderPage } from '../../../page/render.js';
import { accountPagesSaying } from './every-account-page.js';
import { overviewPagesSaying } from './every-overview-page.js';
import { rules } from './every-rule.js';

/**
 * The page that carries an answer to an application has a script and leaves the service: test/oidc proves what it
 * promises.
 */
export type ShownPage = Exclude<PageName, 'formPost'>;

/** Every page with all that it can show; each piece of text that comes from outside is `word`. */
export function pagesSaying(word: string): { readonly [Name in ShownPage]: LoginPage<Name> } {
  const form = (action: keyof typeof paths) => ({ action: paths[action], csrf: word, authRequestId: word });
  const key = (action: keyof typeof paths, ceremony: KeyRequest['ceremony']): KeyRequest => ({
    form: form(action),
    ceremony,
    options: JSON.stringify({ challenge: word }),
    fillsField: true,
    unknownKey: word,
  });
  const person = { displayName: word, loginName: `${word} ` };
  const otherAccountHref = paths.accounts;
  const provider = { name: word, href: paths.externalStart, isVendor: true };
  const drawn = readDrawing('<svg viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>');
  const returnTo = { href: `https://rp1.test/?state=${word}`, clientName: word };
  return {
    loginName: {
      page: 'loginName',
      form: form('loginName'),
      loginName: word,
      clientName: word,
      linkTo: word,
      registerHref: paths.register,
      accountsHref: paths.accounts,
      errors: [{ field: 'loginName', reason: 'loginNameMissing' }],
      providers: [provider, { ...provider, isVendor: false }, { ...provider, mark: drawn }],
      passkey: key('passkey', 'get'),
    },
    password: {
      page: 'password',
      passkey: key('passkey', 'get'),
      form: form('password'),
      loginName: word,
      otherAccountHref,
      areKeysElsewhere: true,
      errors: [{ field: 'password', reason: 'credentialsWrong' }],
    },
    passkey: {
      page: 'passkey',
      passkey: key('passkey', 'get'),
      resetHref: paths.passwordReset,
      form: form('passkey'),
      loginName: word,
      otherAccountHref,
      providers: [provider],
      errors: [{ reason: 'passkeyUnusable' }],
    },
    passkeyOffer: {
      page: 'passkeyOffer',
      form: form('passkeyOffer'),
      loginName: word,
      otherAccountHref,
      errors: [{ reason: 'formStale' }],
    },
    passkeyHere: {
      page: 'passkeyHere',
      form: form('passkeyHere'),
      loginName: word,
      otherAccountHref,
      errors: [{ reason: 'formStale' }],
    },
    passkeyLink: {
      page: 'passkeyLink',
      asks: 'key',
      passkey: key('passkeyLink', 'create'),
      account: word,
      errors: [{ reason: 'passkeyExists' }],
    },
    keySetUp: {
      page: 'keySetUp',
      kind: 'passkey',
      passkey: key('passkeySetUp', 'create'),
      form: form('passkeySetUp'),
      loginName: word,
      otherAccountHref,
      mayUseSecurityKey: true,
      errors: [{ reason: 'passkeyExists' }],
    },
    keyName: {
      page: 'keyName',
      kind: 'u2f',
      form: form('keyName'),
      name: word,
      errors: [{ field: 'name', reason: 'keyNameInvalid' }],
    },
    securityKey: {
      page: 'securityKey',
      passkey: key('securityKey', 'get'),
      loginName: word,
      otherAccountHref,
      others: [
        { source: 'otp', href: paths.totp },
        { source: 'recovery_codes', href: paths.recoveryCode },
      ],
      errors: [{ reason: 'securityKeyWrong' }],
    },
    accounts: {
      page: 'accounts',
      form: form('accounts'),
      clientName: word,
      otherAccountHref,
      errors: [{ reason: 'formStale' }],
      accounts: [
        { userId: word, signedIn: true, ...person },
        { userId: '2', signedIn: false, ...person },
      ],
    },
    register: {
      page: 'register',
      form: form('register'),
      rules,
      clientName: word,
      asksUserName: true,
      mayUsePasskey: true,
      signInHref: paths.loginName,
      values: { email: word, firstName: word, lastName: word, userName: word },
      errors: registerFields.map((field) => ({ field, reason: 'valueTooLong', count: 200 })),
    },
    passwordChange: {
      page: 'passwordChange',
      form: form('passwordChange'),
      rules,
      loginName: word,
      otherAccountHref,
      because: 'expired',
      errors: [
        { field: 'newPassword', reason: 'passwordRulesBroken' },
        { reason: 'tooManyAttempts', duration: '15 minutes' },
      ],
    },
    factorOffer: {
      page: 'factorOffer',
      form: form('factorOffer'),
      loginName: word,
      otherAccountHref,
      choices: ['passkey', 'u2f', 'otp', 'otp_email'],
      isRequired: false,
      errors: [{ reason: 'formStale' }],
    },
    totpSetUp: {
      page: 'totpSetUp',
      form: form('totpSetUp'),
      keyUri: 'otpauth://totp/Acme:alice?secret=GEZDGNBVGY3TQOJQ',
      seed: `GEZDGNBV${word}`,
      errors: [{ field: 'code', reason: 'codeWrong' }],
    },
    recoveryCodes: {
      page: 'recoveryCodes',
      form: form('recoveryCodes'),
      codes: [word, word],
      errors: [{ reason: 'formStale' }],
    },
    secondFactor: {
      page: 'secondFactor',
      form: form('emailCode'),
      source: 'otp_email',
      mail: { address: word, isSent: true },
      loginName: word,
      otherAccountHref,
      others: [
        { source: 'otp', href: paths.totp },
        { source: 'recovery_codes', href: paths.recoveryCode },
      ],
      isSetUp: true,
      errors: [{ field: 'code', reason: 'codeWrong' }],
    },
    passwordReset: {
      page: 'passwordReset',
      wayBack: 'password',
      form: form('passwordReset'),
      loginName: word,
      signInHref: paths.hub,
      errors: [{ field: 'loginName', reason: 'loginNameMissing' }],
    },
    passwordExpiry: {
      page: 'passwordExpiry',
      form: form('passwordExpiry'),
      expiresAt: new Date('2026-03-01T12:00:00Z'),
      errors: [{ reason: 'formStale' }],
    },
    code: {
      page: 'code',
      mayUsePasskey: true,
      purpose: 'setUp',
      form: form('userInit'),
      code: word,
      rules,
      loginName: word,
      email: word,
      asked: 'again',
      canResend: true,
      signInHref: paths.hub,
      registerHref: paths.register,
      errors: [
        { field: 'code', reason: 'codeWrong' },
        { field: 'password', reason: 'passwordRulesBroken' },
      ],
    },
    done: {
      page: 'done',
      what: 'passwordDone',
      otherWays: [
        { name: word, detail: '', createdAt: new Date(0), lastUsedAt: new Date(0) },
        { name: word, detail: word, createdAt: null, lastUsedAt: null },
      ],
    },
    takeBack: { page: 'takeBack', form: form('accountTakeBack') },
    success: { page: 'success', clientName: word, continueHref: paths.hub },
    consent: {
      page: 'consent',
      form: form('consent'),
      clientName: word,
      person,
      scopes: ['openid', word],
      resources: [word],
      stranger: {
        host: word,
        redirectHost: word,
        isOnMachine: true,
        policyUri: 'https://app.example/privacy',
        tosUri: 'https://app.example/terms',
      },
      errors: [{ reason: 'formStale' }],
    },
    extStep: {
      page: 'extStep',
      form: { action: '/ui/login/ext/hr/terms', csrf: word, authRequestId: word },
      person,
      language: 'de',
      content: {
        title: word,
        body: [
          { kind: 'text', text: word },
          { kind: 'list', items: [word, word] },
          { kind: 'link', text: word, href: `https://rp1.test/?word=${word}` },
          { kind: 'check', name: 'accepted', label: word },
          { kind: 'field', name: 'number', label: word, hint: word, value: word, keyboard: 'digits' },
          { kind: 'choice', name: 'place', label: word, value: word, options: [{ value: word, text: word }] },
        ],
        submit: word,
        decline: word,
      },
      errors: [{ reason: 'formStale' }],
    },
    device: {
      page: 'device',
      form: form('device'),
      userCode: word,
      errors: [{ field: 'user_code', reason: 'codeWrong' }],
    },
    deviceConfirm: {
      page: 'deviceConfirm',
      form: form('deviceConfirm'),
      clientName: word,
      ownerName: word,
      scopes: ['openid', word],
      userCode: 'WDJB-MJHT',
      ageSeconds: 150,
      network: word,
      person,
      otherAccountHref,
      errors: [{ reason: 'formStale' }],
    },
    externalLogin: { page: 'externalLogin', person, provider, otherAccountHref },
    externalUser: {
      page: 'externalUser',
      form: form('externalUser'),
      providerName: word,
      accountName: word,
      email: word,
      mayLink: true,
      otherAccountHref,
      errors: [{ field: 'email', reason: 'emailInvalid' }],
    },
    directory: {
      page: 'directory',
      form: { ...form('directory'), fields: { idpConfigID: word } },
      provider: { ...provider, mark: drawn },
      loginName: word,
      otherWaysHref: otherAccountHref,
      errors: [{ field: 'password', reason: 'credentialsWrong' }],
    },
    linkAccount: {
      page: 'linkAccount',
      form: form('linkAccount'),
      providerName: word,
      accountName: word,
      person,
      errors: [{ reason: 'providerAccountTaken' }],
    },
    onward: { page: 'onward', provider: word, href: 'https://idp.test/authorize', loginName: word, otherAccountHref },
    signOut: {
      page: 'signOut',
      form: form('signOut'),
      clientName: word,
      people: [person, person],
      errors: [{ reason: 'formStale' }],
    },
    signedIn: { page: 'signedIn', people: [person, person], signOutHref: paths.signOut },
    notSignedIn: { page: 'notSignedIn' },
    signedOut: { page: 'signedOut', returnTo },
    expired: { page: 'expired', returnTo },
    cookies: { page: 'cookies', retryHref: paths.hub },
    ...accountPagesSaying(word),
    ...overviewPagesSaying(word),
    error: {
      page: 'error',
      reason: 'unexpected',
      received: word,
      reference: word,
      backHref: paths.loginName,
      providers: [provider],
    },
  };
}

export const names = Object.keys(pagesSaying('x')) as readonly ShownPage[];
export const withForm = names.filter((name) => 'form' in pagesSaying('x')[name]);
export const stylesheet = `${paths.stylesheet}?v=1a2b3c` as const;

export const render = (page: LoginPage, language: LoginLanguage = 'en', brand = 'Acme') =>
  renderPage(page, { language, brand, look: PLAIN_LOOK, stylesheet });

export interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * Reads strict markup: every `<` opens a tag of ours, every attribute value stands in double quotes. Throws otherwise.
 */
export function tagsOf(html: string): readonly Tag[] {
  const tag = /<(\/?[a-z][a-z\d]*)((?:\s[a-zA-Z-]+(?:="[^"<]*")?)*)\s?\/?>/gu;
  const rest = html.replace('<!doctype html>', '').replaceAll(tag, '');
  if (rest.includes('<'))
    throw new Error(`not a tag of ours: ${rest.slice(rest.indexOf('<'), rest.indexOf('<') + 80)}`);
  return [...html.matchAll(tag)].map(([, name = '', attributes = '']) => ({
    name,
    attributes: new Map(
      [...attributes.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/gu)].map(([, key = '', value = '']) => [key, value]),
    ),
  }));
}

export const valuesOf = (tags: readonly Tag[], attribute: string) =>
  tags.flatMap((tag) => tag.attributes.get(attribute) ?? []);
export const elements = (tags: readonly Tag[], name: string) => tags.filter((tag) => tag.name === name);
export const visibleInputs = (tags: readonly Tag[]) =>
  elements(tags, 'input').filter(({ attributes }) => attributes.get('type') !== 'hidden' && !attributes.has('hidden'));
