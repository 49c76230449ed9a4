const COLUMNS = [
  'USER_NAME',
  'FIRST_NAME',
  'LAST_NAME',
  'NICK_NAME',
  'DISPLAY_NAME',
  'EMAIL',
  'STATE',
  'TYPE',
  'CREATION_DATE',
];

const by = (column, asc = true, limit = 100) => ({ sortingColumn: `USER_FIELD_NAME_${column}`, query: { limit, asc } });
const method = (name) => `TEXT_QUERY_METHOD_${name}`;

/** What is asked of both sizes, and answers as many users at both. @type {Array<{ name: string, request: object }>} */
export const CASES = [
  ...COLUMNS.map((column) => ({ name: `by ${column}`, request: by(column) })),
  { name: 'by LAST_NAME, descending', request: by('LAST_NAME', false) },
  filtered('user name', { userNameQuery: { userName: 'aneld' } }),
  filtered('whole e-mail address, in any case', {
    inUserEmailsQuery: { userEmails: ['NOBODY@mail.test', 'nobody2@mail.test'] },
  }),
  filtered(
    'first name begins (1 in 25), by the same',
    { firstNameQuery: { firstName: 'AN', method: method('STARTS_WITH_IGNORE_CASE') } },
    'FIRST_NAME',
  ),
  filtered(
    'first name begins (1 in 25), by day',
    { firstNameQuery: { firstName: 'An', method: method('STARTS_WITH') } },
    'CREATION_DATE',
  ),
  filtered(
    'last name begins (1 in 25), by user name',
    { lastNameQuery: { lastName: 'be', method: method('STARTS_WITH_IGNORE_CASE') } },
    'USER_NAME',
  ),
  filtered(
    'e-mail address begins (1 in 25), by last name',
    { emailQuery: { emailAddress: 'ca', method: method('STARTS_WITH') } },
    'LAST_NAME',
  ),
  // The planner believes that filter and order have nothing to do with each other; here it reads all who come before.
  filtered(
    'user name begins late, by first name, its twin',
    { userNameQuery: { userName: 'yo', method: method('STARTS_WITH') } },
    'FIRST_NAME',
  ),
  filtered(
    'display name contains (1 in 6), by day',
    { displayNameQuery: { displayName: 'gu', method: method('CONTAINS_IGNORE_CASE') } },
    'CREATION_DATE',
  ),
  filtered(
    'user name contains what one has',
    { userNameQuery: { userName: '.777.', method: method('CONTAINS') } },
    'LAST_NAME',
    1,
  ),
  filtered(
    'last name contains what no user has',
    { lastNameQuery: { lastName: 'zzz', method: method('CONTAINS_IGNORE_CASE') } },
    'LAST_NAME',
  ),
  filtered(
    'e-mail address ends with what no user has',
    { emailQuery: { emailAddress: '@nowhere.test', method: method('ENDS_WITH') } },
    'USER_NAME',
  ),
  filtered(
    'e-mail address ends with what all have',
    { emailQuery: { emailAddress: '@mail.test', method: method('ENDS_WITH') } },
    'USER_NAME',
  ),
  filtered(
    'login name begins (1 in 25)',
    { loginNameQuery: { loginName: 'an', method: method('STARTS_WITH') } },
    'USER_NAME',
  ),
  filtered('whole login name', { loginNameQuery: { loginName: 'nobody@bench.test' } }, 'USER_NAME'),
  filtered('locked (1 in 100), by day', { stateQuery: { state: 'USER_STATE_LOCKED' } }, 'CREATION_DATE', 10),
  filtered('service users (1 in 100), by last name', { typeQuery: { type: 'TYPE_MACHINE' } }, 'LAST_NAME', 10),
  filtered(
    'neither active nor people, by e-mail address',
    {
      andQuery: {
        queries: [
          { notQuery: { query: { stateQuery: { state: 'USER_STATE_INACTIVE' } } } },
          { notQuery: { query: { typeQuery: { type: 'TYPE_HUMAN' } } } },
        ],
      },
    },
    'EMAIL',
    10,
  ),
  filtered(
    'ten ids',
    { inUserIdsQuery: { userIds: Array.from({ length: 10 }, (_, n) => `bench-${n * 97 + 1}`) } },
    'DISPLAY_NAME',
    10,
  ),
];

function filtered(name, query, column = 'USER_NAME', limit = 20) {
  return { name, request: { ...by(column, true, limit), queries: [query] } };
}
