import { complex, flag, list, reference, text } from './attribute.js';
import { COMMON } from './common.schema.js';
import { ResourceType, Schema } from './resource-type.js';

export const USER_NAME = text('userName', 'The name with which the user signs in.', {
  isRequired: true,
  uniqueness: 'server',
});

export const NAME = complex('name', 'The parts of the name.', [
  text('formatted', 'The whole name.', { maxCharacters: 1_000 }),
  text('familyName', 'The family name. Gatehouse takes it from other names if it is absent.'),
  text('givenName', 'The given name. Gatehouse takes it from other names if it is absent.'),
  text('middleName', 'The middle names.'),
  text('honorificPrefix', 'What stands before the name, such as Dr.'),
  text('honorificSuffix', 'What stands behind the name, such as III.'),
]);

export const DISPLAY_NAME = text('displayName', 'The name that is shown.');
export const NICK_NAME = text('nickName', 'The casual name.');
export const PROFILE_URL = reference('profileUrl', 'A page about the user.', {
  referenceTypes: ['external'],
  maxCharacters: 2_000,
});
export const TITLE = text('title', 'The job title.');
export const USER_TYPE = text('userType', 'The relation to the organization, such as Employee.');
export const PREFERRED_LANGUAGE = text('preferredLanguage', 'The preferred language, such as de or pt-BR.');
export const LOCALE = text('locale', 'Where the user is, for formats of dates and numbers.');
export const TIMEZONE = text('timezone', 'The time zone, such as Europe/Paris.');

export const ACTIVE = flag(
  'active',
  'Whether the account is open. A locked account is active, and stays locked when it is set to true.',
);

export const PASSWORD = text('password', 'A password. It is ignored without the right to set passwords.', {
  isCaseExact: true,
  mutability: 'writeOnly',
  returned: 'never',
  maxCharacters: 1_000,
});

const isPrimary = flag('primary', 'Whether it is the one to use; at most one is.');

export const EMAILS = list(
  'emails',
  'E-mail addresses. The primary one, otherwise the first, is that of the account.',
  [
    text('value', 'The address.', { isRequired: true }),
    text('display', 'The address as it is shown.', { maxCharacters: 500 }),
    text('type', 'What it is for.', { canonicalValues: ['work', 'home', 'other'] }),
    isPrimary,
  ],
  { isRequired: true },
);

export const PHONE_NUMBERS = list('phoneNumbers', 'Phone numbers. Gatehouse uses one with its country code.', [
  text('value', 'The number.', { isRequired: true }),
  text('display', 'The number as it is shown.', { maxCharacters: 500 }),
  text('type', 'What it is for.', { canonicalValues: ['work', 'home', 'mobile', 'fax', 'pager', 'other'] }),
  isPrimary,
]);

export const ADDRESSES = list(
  'addresses',
  'Postal addresses.',
  [
    text('formatted', 'The whole address.', { maxCharacters: 1_000 }),
    text('streetAddress', 'The street with its number.', { maxCharacters: 1_000 }),
    text('locality', 'The city.'),
    text('region', 'The state or region.'),
    text('postalCode', 'The postal code.'),
    text('country', 'The country.'),
    text('type', 'What it is for.', { canonicalValues: ['work', 'home', 'other'] }),
    isPrimary,
  ],
  { maxValues: 10 },
);

export const GROUPS = list(
  'groups',
  'The groups of the user. They are changed at the groups.',
  [
    text('value', 'The ID of the group.', { isCaseExact: true, mutability: 'readOnly' }),
    reference('$ref', 'The URI of the group.', { mutability: 'readOnly', referenceTypes: ['Group'] }),
    text('display', 'The name of the group.', { mutability: 'readOnly' }),
    text('type', 'Always direct: groups contain no groups.', { mutability: 'readOnly', canonicalValues: ['direct'] }),
  ],
  { mutability: 'readOnly' },
);

export const EMPLOYEE_NUMBER = text('employeeNumber', 'The number of the employee.');
export const COST_CENTER = text('costCenter', 'The cost centre.');
export const ORGANIZATION = text('organization', 'The organization.');
export const DIVISION = text('division', 'The division.');
export const DEPARTMENT = text('department', 'The department.');
export const MANAGER = complex('manager', 'The manager of the user.', [
  text('value', 'The ID of the manager.', { isCaseExact: true }),
  text('displayName', 'The name of the manager.'),
]);

export const USER_SCHEMA = new Schema('urn:ietf:params:scim:schemas:core:2.0:User', 'User', 'A user account.', [
  USER_NAME,
  NAME,
  DISPLAY_NAME,
  NICK_NAME,
  PROFILE_URL,
  TITLE,
  USER_TYPE,
  PREFERRED_LANGUAGE,
  LOCALE,
  TIMEZONE,
  ACTIVE,
  PASSWORD,
  EMAILS,
  PHONE_NUMBERS,
  ADDRESSES,
  GROUPS,
]);

export const ENTERPRISE_USER_SCHEMA = new Schema(
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  'EnterpriseUser',
  'What an employer knows of a user.',
  [EMPLOYEE_NUMBER, COST_CENTER, ORGANIZATION, DIVISION, DEPARTMENT, MANAGER],
);

/** RFC 7643 §4.1 and §4.3. */
export const USER = new ResourceType(
  'User',
  'Users',
  COMMON,
  USER_SCHEMA,
  [ENTERPRISE_USER_SCHEMA],
  ['schemas', 'ims', 'photos', 'entitlements', 'roles', 'x509Certificates'],
);
