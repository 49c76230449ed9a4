import { nearest } from '../../foundation/config/misspelling.js';
import type { Fixture } from './fixture.js';
import type { FixtureMistake } from './fixture-mistake.js';

type Path = readonly (string | number)[];
/** What is wrong with a value; nothing if it is as it should be. */
type Rule = (value: unknown, path: Path) => readonly FixtureMistake[];

const text: Rule = (value, path) =>
  typeof value === 'string' && value !== '' ? [] : [{ path, problem: 'must be a text' }];
const flag: Rule = (value, path) => (typeof value === 'boolean' ? [] : [{ path, problem: 'must be true or false' }]);
/** What is in it is for the administrative API to judge. */
const settings: Rule = (value, path) => (isObject(value) ? [] : [{ path, problem: 'must be an object of settings' }]);

const texts: Rule = (value, path) =>
  Array.isArray(value)
    ? value.flatMap((one: unknown, index) => text(one, [...path, index]))
    : [{ path, problem: 'must be a list of texts' }];

const choice =
  (...words: readonly string[]): Rule =>
  (value, path) =>
    words.includes(value as string) ? [] : [{ path, problem: `must be one of ${words.join(', ')}` }];

const mapOf =
  (rule: Rule): Rule =>
  (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, one]) => rule(one, [...path, name]))
      : [{ path, problem: 'must be an object, with a member for each name' }];

const shape =
  (members: Readonly<Record<string, Rule>>): Rule =>
  (value, path) => {
    if (value === null && path.length > 0) return []; // `bob:` without members has all defaults
    if (!isObject(value)) return [{ path, problem: 'must be an object' }];
    return Object.entries(value).flatMap(([name, one]) => {
      const rule = Object.hasOwn(members, name) ? members[name] : undefined;
      const meant = nearest(name, Object.keys(members));
      return rule
        ? rule(one, [...path, name])
        : [{ path: [...path, name], problem: `is not known: did you mean ${meant}?` }];
    });
  };

const roles: Rule = (value, path) => (Array.isArray(value) ? texts(value, path) : mapOf(texts)(value, path));

type RulesOf<Type> = { readonly [Name in keyof Required<Type>]: Rule };
type EntryOf<Name extends keyof Fixture> = NonNullable<Fixture[Name]>[string];

const ORGANIZATION: RulesOf<EntryOf<'organizations'>> = { name: text, domain: text, settings };
const PROJECT: RulesOf<EntryOf<'projects'>> = { name: text, organization: text, roles: texts, settings };
const APPLICATION: RulesOf<EntryOf<'applications'>> = {
  kind: choice('web', 'browser', 'native', 'device', 'api'),
  clientId: text,
  secret: text,
  redirectUris: texts,
  postLogoutRedirectUris: texts,
  anyLoopbackRedirect: flag,
  project: text,
  settings,
};
const USER: RulesOf<EntryOf<'users'>> = {
  organization: text,
  id: text,
  userName: text,
  email: text,
  verified: flag,
  password: text,
  firstName: text,
  lastName: text,
  locale: text,
  phone: text,
  profile: settings,
  roles,
  groups: texts,
  managerRoles: texts,
  totp: text,
  emailCode: flag,
  metadata: mapOf(text),
  passwordChangeRequired: flag,
  state: choice('active', 'inactive', 'locked'),
};
const SERVICE_USER: RulesOf<EntryOf<'serviceUsers'>> = {
  organization: text,
  id: text,
  userName: text,
  name: text,
  secret: text,
  roles,
  managerRoles: texts,
  metadata: mapOf(text),
  settings,
};
const FIXTURE: RulesOf<Fixture> = {
  organizations: mapOf(shape(ORGANIZATION)),
  projects: mapOf(shape(PROJECT)),
  applications: mapOf(shape(APPLICATION)),
  users: mapOf(shape(USER)),
  serviceUsers: mapOf(shape(SERVICE_USER)),
};

/** Everything in which a value is no fixture. */
export function shapeMistakes(value: unknown): readonly FixtureMistake[] {
  return shape(FIXTURE)(value ?? {}, []);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
