import type { JournalEntry } from '../../foundation/event/event-reader.js';
import { aggregateTypeOf, isExtType } from '../../foundation/extension/ext-event.js';
import { DEEDS } from './event-deeds.js';

/** The nouns for objects whose type is no English word. */
const NOUNS: Readonly<Record<string, string>> = {
  org: 'organization',
  iam: 'instance',
  client: 'application',
  key: 'signing key',
  user_grant: 'user grant',
  project_grant: 'project grant',
  token_family: 'refresh token',
  access_token: 'access token',
  mail: 'e-mail',
  mail_server: 'SMTP configuration',
  logout_notice: 'logout notice',
  sign_in: 'sign-in',
  device_authorization: 'sign-in of a device',
  'policy.password.complexity': 'password complexity policy',
  'policy.password.age': 'password age policy',
};
/** The nouns for parts of an object whose names are no English words. */
const PARTS: Readonly<Record<string, string>> = {
  idp: 'identity provider',
  org: 'organization',
  email: 'e-mail address',
  phone: 'phone number',
  username: 'user name',
  signing: 'signing settings',
};
/** Parts of which an object may have several, as their types name them. */
const SEVERAL = new Set(['domain', 'role', 'member', 'key', 'grant', 'grant member', 'personal access token']);
/** Words of types that are said otherwise, or not at all. */
const SILENT = new Set(['iam', 'human', 'cascade', 'state', 'service']);
/** `user.state.active` is a user who was activated. */
const STATES: Readonly<Record<string, string>> = { active: 'activated', inactive: 'deactivated' };
/** The prepositions for what comes to an object, and for what goes. */
const TO_AND_FROM: Readonly<Record<string, string>> = { added: 'to', removed: 'from' };
const OF_USERS: ReadonlySet<string> = new Set(['session', 'sign_in']);
const MAX_CHANGES = 6;
const MAX_VALUE = 60;

/** What happened, without its author: `Changed the password of the user “Ilse Brandt” (changeRequired: true)`. */
export function eventSentence(
  entry: Pick<JournalEntry, 'type' | 'aggregateType' | 'aggregateName' | 'payload'>,
): string {
  const { type, aggregateType, aggregateName, payload } = entry;
  const changes = changesIn(payload);
  // A session, or a sign-in, has the name of its user.
  const name = aggregateName === '' ? '' : `${OF_USERS.has(aggregateType) ? ' of' : ''} “${aggregateName}”`;
  return `${deedOf(type, aggregateType, name)}${changes === '' ? '' : ` (${changes})`}`;
}

/** Events of a type as a sentence without their object: `Changed the password of a user`. */
export function typeSentence(type: string): string {
  if (isExtType(type)) return deedOf(type, aggregateTypeOf(type));
  const [first = type, second = '', third = ''] = type.split('.');
  const ofPolicy = second === 'password' ? `${first}.${second}.${third}` : `${first}.${second}`;
  return deedOf(type, first === 'policy' ? ofPolicy : first);
}

/** @param name of the object; undefined: any of its type */
function deedOf(type: string, aggregateType: string, name?: string): string {
  const words = type.split('.');
  // `user.grant.added` is of a `user_grant`, and `sign_in.password.check.failed` of a `sign_in`.
  const ofType = [aggregateType.split('.'), aggregateType.split('_')].find((parts) =>
    parts.every((part, index) => words[index] === part),
  );
  const own = words.slice(ofType?.length ?? 0);
  const noun = `${own.includes('service') ? 'service ' : ''}${nounOf(aggregateType)}`;
  const object = name === undefined ? withArticle(noun) : `the ${noun}${name}`;
  const rest = own.filter((word) => !SILENT.has(word));
  const said = DEEDS[`${aggregateType}.${rest.join('.')}`] ?? DEEDS[rest.join('.')];
  const deed = said === undefined ? byRule(rest, object) : said.replace('{}', object);
  return own.includes('cascade') ? `${deed}, as a consequence of another change` : deed;
}

/** The sentence by rule for types without one of their own. */
function byRule(words: readonly string[], object: string): string {
  const last = words.at(-1) ?? '';
  const part = words
    .slice(0, -1)
    .map((word) => PARTS[word] ?? word.replaceAll('_', ' '))
    .join(' ');
  const verb = (STATES[last] ?? last).replaceAll('_', ' ');
  // The type of an object, and of nothing that happened to it.
  const whole =
    verb === ''
      ? object
      : part === ''
        ? `${verb} ${object}`
        : SEVERAL.has(part)
          ? `${verb} ${withArticle(part)} ${TO_AND_FROM[verb] ?? 'of'} ${object}`
          : `${verb} the ${part} of ${object}`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

function nounOf(aggregateType: string): string {
  const [root, extension, ...own] = aggregateType.split('.');
  if (root === 'ext' && extension !== undefined)
    return own.length === 0
      ? `extension ${extension}`
      : `${own.join(' ').replaceAll('_', ' ')} of the extension ${extension}`;
  const words = aggregateType.split('.').map((word) => word.replaceAll('_', ' '));
  return NOUNS[aggregateType] ?? words.reverse().join(' ');
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
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
