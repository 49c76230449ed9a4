import { type ApiDocument, routesOf } from './document.js';

/** Words that stand for one another: people search by the words of other products. */
const SYNONYMS: ReadonlyArray<readonly string[]> = [
  ['create', 'add', 'new', 'make', 'register', 'set up', 'import'],
  ['delete', 'remove', 'erase', 'drop', 'reset'],
  ['change', 'update', 'edit', 'modify', 'set'],
  ['search', 'list', 'find', 'show', 'get', 'read', 'view'],
  ['audit', 'event', 'log', 'journal', 'history'],
  ['branding', 'label', 'appearance', 'logo', 'color', 'colour', 'theme', 'look', 'design', 'css'],
  ['sso', 'identity provider', 'idp', 'federation', 'social', 'google', 'microsoft', 'azure', 'entra', 'oidc provider'],
  ['mfa', '2fa', 'second factor', 'multi-factor', 'otp', 'totp', 'authenticator', 'two-factor'],
  ['passkey', 'passwordless', 'webauthn', 'fido2', 'security key', 'u2f', 'yubikey'],
  ['unlock', 'unblock', 'lockout'],
  ['block', 'lock', 'disable', 'deactivate', 'suspend', 'ban'],
  ['enable', 'activate', 'reactivate'],
  ['mail', 'e-mail', 'email', 'smtp'],
  ['user', 'person', 'people', 'human', 'account', 'member'],
  ['application', 'app', 'client', 'relying party'],
  ['role', 'permission', 'right', 'grant', 'authorization'],
  ['admin', 'administrator', 'manager', 'member', 'owner'],
  ['organization', 'organisation', 'tenant', 'company', 'customer', 'org'],
  ['session', 'device', 'sign out', 'logout', 'log out'],
  ['token', 'pat', 'access token', 'api key'],
  ['robot', 'service user', 'machine', 'technical user', 'service account'],
  ['text', 'wording', 'translation', 'language', 'localization', 'template'],
  ['backup', 'export'],
  ['restore', 'migrate', 'import'],
  ['phone', 'sms', 'mobile'],
  ['terms', 'tos', 'privacy', 'imprint'],
  ['ttl', 'lifetime', 'expiry', 'expiration'],
  ['rotate', 'regenerate', 'renew'],
  ['certificate', 'signing key', 'jwks'],
  ['sign in', 'login', 'log in', 'signin'],
  ['registration', 'sign up', 'signup', 'register'],
];

interface Entry {
  readonly id: string;
  /** What the operation is called. */
  readonly title: string;
  /** Everything that is said about it. */
  readonly text: string;
}

const IN_TITLE = 4;
const SYNONYM_IN_TITLE = 2;
const IN_TEXT = 1;

/** Finds operations by words: every word must occur, in any order and case, itself or by a synonym. */
export class OperationSearch {
  private readonly entries: readonly Entry[];

  constructor(document: ApiDocument) {
    this.entries = routesOf(document).map(({ path, operation }) => {
      const { operationId: id, summary = '', description = '', tags } = operation;
      const title = `${id} ${splitWords(id)} ${summary}`.toLowerCase();
      return { id, title, text: `${title} ${path} ${tags.join(' ')} ${description}`.toLowerCase() };
    });
  }

  /** By id, the best with the highest number. */
  find(phrase: string): ReadonlyMap<string, number> {
    const words = phrase.toLowerCase().split(/\s+/).filter(Boolean).map(spellings);
    const found = new Map<string, number>();
    if (words.length === 0) return found;
    for (const entry of this.entries) {
      const points = words.map((word) => rate(entry, word));
      if (points.every((one) => one > 0))
        found.set(
          entry.id,
          points.reduce((sum, one) => sum + one),
        );
    }
    return found;
  }
}

interface Word {
  readonly itself: string;
  readonly others: readonly string[];
}

function spellings(word: string): Word {
  const itself = word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
  const groups = SYNONYMS.filter((group) =>
    group.some((one) => one === itself || (itself.length > 3 && one.startsWith(itself))),
  );
  return { itself, others: groups.flat().filter((one) => one !== itself) };
}

function rate({ title, text }: Entry, { itself, others }: Word): number {
  if (startsWord(title, itself)) return IN_TITLE;
  if (others.some((other) => startsWord(title, other))) return SYNONYM_IN_TITLE;
  return text.includes(itself) ? IN_TEXT : 0;
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[a-z0-9]/.test(text[at - 1]!)) return true;
  }
  return false;
}

/** `AddOIDCApp` as `Add OIDC App`. */
function splitWords(id: string): string {
  return id.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s\b)[a-z])/g, ' ');
}
