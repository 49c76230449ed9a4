import type { JournalEntry } from '../../foundation/event/event-reader.js';

/** What an object is called, where its type is no English word. */
const NOUNS: Readonly<Record<string, string>> = {
  org: 'organization',
  client: 'application',
  key: 'signing key',
  user_grant: 'user grant',
  project_grant: 'project grant',
  token_family: 'refresh token',
  access_token: 'access token',
  mail: 'e-mail',
  logout_notice: 'logout notice',
  sign_in: 'sign-in',
};
/** Words of types of events: each is followed by what it is about. */
const WORDS: Readonly<Record<string, string>> = {
  mfa: 'second factor',
  otp: 'authenticator app',
  externalidp: 'identity provider link',
  idp: 'identity provider',
  oidc: 'OpenID Connect',
  api: 'API',
  jwt: 'JWT',
  iam: '',
  human: '',
  pat: 'personal access token',
};
/** `user.state.active` is a user who was activated. */
const STATES: Readonly<Record<string, string>> = { active: 'activated', inactive: 'deactivated' };
const MAX_CHANGES = 6;
const MAX_VALUE = 60;

/** What happened, without who did it: `Changed the password of user “Ilse Brandt” (changeRequired: true)`. */
export function eventSentence(
  entry: Pick<JournalEntry, 'type' | 'aggregateType' | 'aggregateName' | 'payload'>,
): string {
  const { aggregateName, payload } = entry;
  const name = aggregateName === '' ? '' : ` “${aggregateName}”`;
  const changes = changesIn(payload);
  return `${deedOf(entry)}${name}${changes === '' ? '' : ` (${changes})`}`;
}

/** The same of a type alone: `Changed the password of a user`. */
export function typeSentence(type: string): string {
  const [aggregateType = type] = type.split('.');
  return deedOf({ type, aggregateType }, 'a');
}

function deedOf(
  { type, aggregateType }: Pick<JournalEntry, 'type' | 'aggregateType'>,
  article: 'a' | 'the' = 'the',
): string {
  const ofType = aggregateType.split('.');
  const words = type.split('.');
  const own = words.slice(ofType.every((word, index) => words[index] === word) ? ofType.length : 0);
  const last = (own.pop() ?? '').replaceAll('_', ' ');
  const verb = own.at(-1) === 'state' ? (STATES[last] ?? last) : last;
  if (own.at(-1) === 'state') own.pop();
  const noun =
    NOUNS[aggregateType] ??
    ofType
      .map((word) => word.replaceAll('_', ' '))
      .reverse()
      .join(' ');
  const part = own
    .map((word) => WORDS[word] ?? word.replaceAll('_', ' '))
    .filter((word) => word !== '')
    .join(' ');
  const a = article === 'the' ? 'the' : /^[aeio]/.test(noun) ? 'an' : 'a';
  const whole = part === '' ? `${verb} ${a} ${noun}` : `${verb} the ${part} of ${a} ${noun}`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

function changesIn(payload: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(payload).flatMap(([name, value]) => {
    const text = sayValue(value);
    return text === '' ? [] : [`${name}: ${text}`];
  });
  return [...said.slice(0, MAX_CHANGES), ...(said.length > MAX_CHANGES ? ['…'] : [])].join(', ');
}

function sayValue(value: unknown): string {
  const text = Array.isArray(value)
    ? value.map(sayValue).join(' ')
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
