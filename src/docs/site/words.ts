import { stemmer } from 'stemmer';

/** Words of English questions that say nothing about what is looked for. */
const STOP_WORDS = new Set(
  (
    'a about after again all am an and any are as at be been before being but by can could did do does doing ' +
    'don for from had has have having he her his how i if in into is it its just keep let like may me my need of ' +
    'on one onto or our out over please she should so some somebody someone something than that the their them then ' +
    'there these they thing this those to too up us want wants was way we were what when where which while who whom ' +
    'whose will with without work works would you your t s ve re ll m d able best exist existing possible via ' +
    'another other using use via through allow'
  ).split(' '),
);

/** Words that stand for one another: people search by the words of other products. Several words are one if joined. */
const SYNONYMS: ReadonlyArray<readonly string[]> = [
  ['create', 'add', 'new', 'make', 'register', 'set up', 'setup', 'onboard'],
  ['import', 'restore', 'migrate', 'bulk load', 'move', 'bring'],
  ['export', 'backup', 'dump', 'download', 'migrate', 'move'],
  ['delete', 'remove', 'erase', 'drop', 'clear', 'purge', 'disconnect', 'revoke', 'gdpr'],
  ['change', 'update', 'edit', 'modify', 'set', 'configure', 'customize', 'replace', 'adjust', 'rename'],
  ['search', 'list', 'find', 'show', 'get', 'read', 'view', 'look up', 'lookup', 'see', 'check'],
  ['events', 'audit', 'log', 'journal', 'history', 'audit log', 'trail', 'who did', 'who changed', 'changes'],
  ['branding', 'label', 'appearance', 'logo', 'color', 'colour', 'theme', 'look', 'design', 'css', 'brand'],
  [
    'identity provider',
    'idp',
    'sso',
    'federation',
    'social',
    'google',
    'microsoft',
    'azure',
    'entra',
    'github',
    'okta',
  ],
  ['mfa', '2fa', 'second factor', 'second factors', 'multi factor', 'two factor', 'otp', 'totp', 'authenticator'],
  ['passkey', 'passwordless', 'webauthn', 'fido2', 'fido', 'security key', 'u2f', 'yubikey'],
  ['force', 'require', 'enforce', 'mandatory', 'demand'],
  ['unlock', 'unblock'],
  ['lockout', 'brute force', 'too many attempts', 'locked out', 'failed logins'],
  ['block', 'lock', 'disable', 'deactivate', 'suspend', 'ban', 'inactive'],
  ['enable', 'activate', 'reactivate'],
  ['e mail', 'mail', 'email', 'smtp', 'mailer'],
  ['user', 'person', 'people', 'human', 'account', 'identity', 'employee', 'colleague'],
  ['application', 'app', 'client', 'relying party', 'spa'],
  ['role', 'permission', 'right', 'grant', 'authorization', 'rbac'],
  ['administrator', 'admin', 'manager', 'member', 'owner'],
  ['organization', 'organisation', 'tenant', 'company', 'customer', 'org', 'realm', 'workspace'],
  ['session', 'logged in', 'signed in'],
  ['sign out', 'logout', 'log out', 'signout', 'log off', 'kick', 'terminate'],
  ['token', 'pat', 'api key', 'api token', 'bearer'],
  ['machine', 'robot', 'service user', 'technical user', 'service account', 'program', 'm2m', 'machine to machine'],
  ['text', 'wording', 'translation', 'language', 'localization', 'template', 'locale', 'message', 'translate'],
  ['german', 'french', 'italian', 'spanish', 'language', 'translation'],
  ['phone', 'sms', 'mobile', 'number'],
  ['privacy', 'terms', 'tos', 'imprint', 'legal'],
  ['lifetime', 'ttl', 'expiry', 'expiration', 'expire', 'timeout', 'duration', 'age', 'lifespan', 'live'],
  ['regenerate', 'rotate', 'renew', 'roll', 'change secret'],
  ['signing key', 'signing keys', 'certificate', 'jwks'],
  ['sign in', 'login', 'log in', 'signin', 'logon', 'authenticate', 'sign into', 'log into'],
  ['registration', 'sign up', 'signup', 'self registration', 'self service'],
  ['webhook', 'notification', 'notify', 'slack', 'callout', 'push', 'notified'],
  ['redirect uri', 'redirect uris', 'redirect url', 'callback', 'callback url', 'redirect', 'callback urls'],
  ['invite', 'invitation', 'welcome'],
  ['sender', 'mail settings', 'mail server', 'mail from'],
  ['preview', 'test', 'try', 'debug', 'inspect', 'verify', 'dry run'],
  ['complexity', 'length', 'strength', 'strong', 'characters'],
  ['metadata', 'attribute', 'custom field', 'custom attribute', 'custom data', 'custom claim', 'claim'],
  ['impersonate', 'impersonation', 'act as', 'on behalf'],
  ['verify', 'verified', 'validate', 'confirm', 'prove'],
  ['resend', 'send again', 'send'],
  ['secret', 'client secret', 'credential'],
  ['arrive', 'delivered', 'receive', 'deliver'],
  [
    'cannot',
    'can t',
    'can not',
    'unable to',
    'fails',
    'fail',
    'failed',
    'failing',
    'failures',
    'trouble',
    'problem',
    'not working',
    'doesn t',
  ],
];

/** Verbs of nearly everything, which say less than the noun. */
const VERBS = new Set(['~create', '~delete', '~change', '~search']);
const VERB = 0.45;
const SYNONYM = 0.7;

/** `AddOIDCApp` as `Add OIDC App`. */
export function splitName(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s\b)[a-z])/g, ' ');
}

const simple = (text: string): string =>
  splitName(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
const join = (phrase: string): string => phrase.replaceAll(' ', '_');

/** Several words that are one, the longest first: the first that fits is taken. */
const PHRASES = new RegExp(
  `\\b(?:${[...new Set(SYNONYMS.flat().filter((one) => one.includes(' ')))]
    .toSorted((one, other) => other.length - one.length)
    .join('|')})\\b`,
  'g',
);
const GROUPS = new Map<string, string[]>();
for (const [first, ...others] of SYNONYMS)
  for (const word of [first!, ...others]) {
    const stem = stemOf(join(word));
    GROUPS.set(stem, [...new Set([...(GROUPS.get(stem) ?? []), `~${join(first!)}`])]);
  }

function stemOf(word: string): string {
  return word.includes('_') ? word : stemmer(word);
}

/** The words of a text, or of a name of the API, without those that say nothing. */
export function wordsOf(text: string): string[] {
  const joined = simple(text).replaceAll(PHRASES, join);
  return joined.split(' ').filter((word) => word !== '' && !STOP_WORDS.has(word));
}

/** The terms by which a word is found: its stem, and a term in common with its synonyms, which begins with `~`. */
export function termsOf(word: string): string[] {
  const stem = stemOf(word);
  // Somebody who asks about a "mail server" also means what is about mails.
  const parts = word.includes('_')
    ? word
        .split('_')
        .filter((part) => !STOP_WORDS.has(part))
        .map(stemOf)
    : [];
  return [stem, ...(GROUPS.get(stem) ?? []), ...parts];
}

/** The weight of a term that occurs in a question. */
export function weightOf(term: string): number {
  const [concept] = [term, ...(GROUPS.get(term) ?? [])].filter((one) => VERBS.has(one));
  return concept === undefined ? (term.startsWith('~') ? SYNONYM : 1) : VERB;
}
