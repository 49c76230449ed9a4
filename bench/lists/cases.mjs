import { RARE } from './fill.mjs';

const METHODS = [
  'EQUALS',
  'EQUALS_IGNORE_CASE',
  'STARTS_WITH',
  'STARTS_WITH_IGNORE_CASE',
  'CONTAINS',
  'CONTAINS_IGNORE_CASE',
  'ENDS_WITH',
  'ENDS_WITH_IGNORE_CASE',
];
/** In no text, and in the texts of other fields of the same objects. */
const ABSENT = 'absent';
const ELSEWHERE = 'mailed';

const pick = (value) => [value].flat();

/** A text that all, few or none have, in each way of comparing. */
function byText(
  filter,
  word,
  field = filter.replace(/Query$/, ''),
  { end = '', ways = METHODS, whole = `${word}-1-${RARE}${end}` } = {},
) {
  return ways.flatMap((way) => {
    const values = way.startsWith('EQUALS')
      ? [
          ['few', whole],
          ['none', ABSENT],
        ]
      : way.startsWith('STARTS')
        ? [
            ['all', word],
            ['few', whole],
            ['none', ABSENT],
          ]
        : way.startsWith('ENDS')
          ? [
              ['few', `-${RARE}${end}`],
              ['none', ABSENT],
            ]
          : [
              ['all', word],
              ['few', RARE],
              ['none', ABSENT],
              ['none', word === ELSEWHERE ? 'first' : ELSEWHERE],
            ];
    return values.map(([hits, value]) => ({
      name: `${filter} ${way} ${value}`,
      hits,
      body: { queries: [{ [filter]: { [field]: value, method: `TEXT_QUERY_METHOD_${way}` } }] },
    }));
  });
}

function byValue(filter, field, all, few, none) {
  return [
    ['all', all],
    ['few', few],
    ['none', none],
  ].flatMap(([hits, values]) =>
    values === undefined
      ? []
      : pick(values).map((value) => ({
          name: `${filter} ${JSON.stringify(value)}`,
          hits,
          body: { queries: [{ [filter]: { [field]: value } }] },
        })),
  );
}

const top = (hits, body) => ({ name: JSON.stringify(body), hits, body });
const sorted = (columns, prefix) =>
  columns.map((column) => ({
    name: `by ${column}`,
    hits: 'all',
    body: { sortingColumn: `${prefix}_FIELD_NAME_${column}` },
  }));

/** Those of a person, who is a member of something or holds a role of it. */
const person = [
  ...byText('firstNameQuery', 'first'),
  ...byText('lastNameQuery', 'last'),
  ...byText('emailQuery', 'mailed', 'email'),
];
const members = [
  ...person,
  ...byValue('userIdQuery', 'userId', undefined, 'user-20', ABSENT),
  ...sorted(['USER_ID', 'CREATION_DATE', 'CHANGE_DATE'], 'MEMBER'),
];
const roles = [...byText('keyQuery', 'role'), ...byText('displayNameQuery', 'office')];
const deep = ['CONTAINS'].map((way) => ({ ways: [way] }))[0];

/** The journal of the instance and of an organization; an hour is some five hundred events. */
const events = (at) => [
  top('all', {}),
  top('all', { eventTypes: ['user.human.added'] }),
  top('all', { eventTypes: ['user.human.added', 'user.state.locked'] }),
  top('few', { eventTypes: ['org.deactivated'] }),
  top('none', { eventTypes: ['webhook.removed'] }),
  top('none', { eventTypes: ['webhook.added', 'webhook.changed'] }),
  top('few', { eventTypes: ['user.human.added'], aggregateTypes: ['org'], editorUserId: 'rarity' }),
  top('few', { eventTypes: ['user.state.active'], limit: 5 }),
  top('all', { aggregateTypes: ['user'] }),
  top('few', { aggregateTypes: ['org'] }),
  top('none', { aggregateTypes: ['webhook'] }),
  top('few', { aggregateId: 'bench-20' }),
  top('none', { aggregateId: ABSENT }),
  top('all', { editorUserId: 'crowd' }),
  top('few', { editorUserId: 'rarity' }),
  top('none', { editorUserId: ABSENT }),
  top('all', { resourceOwner: 'bench' }),
  top('none', { resourceOwner: ABSENT }),
  top('none', { resourceOwner: 'bench', eventTypes: ['user.state.active'] }),
  top('few', { sequence: '1000000', asc: true }),
  top('none', { sequence: '100000000', asc: true }),
  ...[true, false].flatMap((asc) =>
    [at.middle, at.before, at.after].map((from) => top(from === at.middle ? 'all' : 'few', { asc, from })),
  ),
  top('few', { range: { since: at.middle, until: at.middleEnd } }),
  top('none', { range: { since: at.after } }),
  top('none', { range: { until: at.before } }),
  top('all', { position: at.middlePosition }),
];

/** Every filter of every list. @returns {Array<{ path: string, cases: Array<{ name: string, hits: string, body: object }> }>} */
export function lists(at) {
  const states = (prefix, ...names) => names.map(([hits, name]) => top(hits, { state: `${prefix}_STATE_${name}` }));
  return [
    {
      path: '/management/v1/users/_search',
      cases: [
        ...byText('userNameQuery', 'named'),
        ...person.filter(({ name }) => !name.startsWith('email')),
        ...byText('emailQuery', 'mailed', 'emailAddress'),
        ...byText('nickNameQuery', 'nick', 'nickName', { whole: `nick-${RARE}` }),
        ...byText('displayNameQuery', 'shown', 'displayName', { whole: 'shown-20' }),
        ...byText('loginNameQuery', 'named'),
        ...byValue('stateQuery', 'state', 'USER_STATE_ACTIVE', 'USER_STATE_LOCKED', 'USER_STATE_INACTIVE'),
        ...byValue('typeQuery', 'type', 'TYPE_HUMAN', 'TYPE_MACHINE'),
        top('few', { queries: [{ inUserIdsQuery: { userIds: ['user-20', 'user-30'] } }] }),
        top('few', { queries: [{ inUserEmailsQuery: { userEmails: ['mailed-20'] } }] }),
        top('none', {
          queries: [
            { notQuery: { query: { stateQuery: { state: 'USER_STATE_ACTIVE' } } } },
            { notQuery: { query: { stateQuery: { state: 'USER_STATE_LOCKED' } } } },
          ],
        }),
        top('few', { queries: [{ notQuery: { query: { typeQuery: { type: 'TYPE_HUMAN' } } } }] }),
        top('none', {
          queries: [
            {
              orQuery: {
                queries: [
                  { nickNameQuery: { nickName: 'mailed', method: 'TEXT_QUERY_METHOD_CONTAINS' } },
                  { firstNameQuery: { firstName: 'mailed', method: 'TEXT_QUERY_METHOD_CONTAINS' } },
                ],
              },
            },
          ],
        }),
        ...sorted(
          [
            'USER_NAME',
            'FIRST_NAME',
            'LAST_NAME',
            'NICK_NAME',
            'DISPLAY_NAME',
            'EMAIL',
            'STATE',
            'TYPE',
            'CREATION_DATE',
          ],
          'USER',
        ),
      ],
    },
    {
      path: '/management/v1/global/users/_search',
      cases: [top('all', { text: 'mailed' }), top('few', { text: RARE }), top('none', { text: ABSENT })],
    },
    {
      path: '/admin/v1/orgs/_search',
      cases: [
        ...byText('nameQuery', 'company'),
        ...byText('domainQuery', 'place', 'domain', { end: '.test' }),
        ...byValue('stateQuery', 'state', 'ORG_STATE_ACTIVE', 'ORG_STATE_INACTIVE'),
        ...byValue('idQuery', 'id', undefined, 'org-20', ABSENT),
        ...sorted(['NAME', 'CREATION_DATE'], 'ORG'),
      ],
    },
    {
      path: '/management/v1/orgs/me/domains/_search',
      cases: byText('domainNameQuery', 'field', 'name', { end: '.test' }),
    },
    { path: '/management/v1/projects/_search', cases: byText('nameQuery', 'undertaking') },
    { path: '/management/v1/projects/bench-project/roles/_search', cases: roles },
    { path: '/management/v1/projects/bench-project/apps/_search', cases: byText('nameQuery', 'program') },
    {
      path: '/management/v1/projects/bench-project/grants/_search',
      cases: [top('all', {}), ...byText('roleKeyQuery', 'role')],
    },
    {
      path: '/management/v1/projectgrants/_search',
      cases: [
        ...byText('projectNameQuery', 'undertaking', 'name'),
        ...byText('roleKeyQuery', 'role'),
        ...byValue('projectIdQuery', 'projectId', 'bench-project', 'project-20', ABSENT),
        ...byValue('grantedOrgIdQuery', 'grantedOrgId', 'beside', 'org-20', ABSENT),
      ],
    },
    {
      path: '/management/v1/granted_projects/_search',
      org: 'beside',
      cases: [
        ...byText('nameQuery', 'undertaking'),
        ...byValue('projectResourceOwnerQuery', 'resourceOwner', 'bench', undefined, ABSENT),
      ],
    },
    {
      path: '/management/v1/users/grants/_search',
      cases: [
        top('all', {}),
        ...byText('roleKeyQuery', 'role'),
        ...byText('userNameQuery', 'named'),
        ...person,
        ...byText('displayNameQuery', 'shown'),
        ...byText('orgNameQuery', 'Bench', 'orgName', { ways: ['CONTAINS', 'EQUALS'], whole: 'Bench' }),
        ...byText('orgDomainQuery', 'field', 'orgDomain', deep),
        ...byText('projectNameQuery', 'undertaking', 'projectName', { ways: ['EQUALS', 'ENDS_WITH'] }),
        ...byValue('projectIdQuery', 'projectId', 'bench-project', 'project-1', ABSENT),
        ...byValue('userIdQuery', 'userId', undefined, 'user-20', ABSENT),
        ...byValue('projectGrantIdQuery', 'projectGrantId', undefined, undefined, ABSENT),
        ...byValue('userTypeQuery', 'type', 'TYPE_HUMAN', 'TYPE_MACHINE'),
        ...byValue('withGrantedQuery', 'withGranted', true),
        ...byValue('inUserIdsQuery', 'inUserIds', undefined, [['user-20', 'user-30']]),
      ],
    },
    ...[
      '/admin/v1/members/_search',
      '/management/v1/orgs/me/members/_search',
      '/management/v1/projects/bench-project/members/_search',
    ].map((path) => ({ path, cases: members })),
    {
      path: '/admin/v1/idps/_search',
      cases: [
        ...byText('idpNameQuery', 'provider', 'name'),
        ...byValue('idpIdQuery', 'id', undefined, 'bench-idp-20', ABSENT),
      ],
    },
    {
      path: '/management/v1/idps/_search',
      cases: [
        ...byText('idpNameQuery', 'provider', 'name'),
        ...byValue('idpIdQuery', 'id', undefined, 'bench-idp-20', ABSENT),
        ...byValue('ownerTypeQuery', 'ownerType', ['IDP_OWNER_TYPE_SYSTEM', 'IDP_OWNER_TYPE_ORG']),
      ],
    },
    { path: '/management/v1/users/bench-user/metadata/_search', cases: byText('keyQuery', 'key') },
    { path: '/admin/v1/events/_search', cases: events(at) },
    { path: '/management/v1/events/_search', cases: events(at).filter(({ name }) => !name.includes('resourceOwner')) },
    {
      path: '/admin/v1/mails/_search',
      cases: [
        ...states('MAIL', ['all', 'SENT'], ['few', 'DEAD'], ['none', 'WAITING']),
        top('few', { userId: 'user-20' }),
        top('none', { userId: ABSENT }),
      ],
    },
    {
      path: '/admin/v1/logout_notices/_search',
      cases: [
        ...states('LOGOUT_NOTICE', ['all', 'DELIVERED'], ['few', 'DEAD'], ['none', 'WAITING']),
        top('all', { clientId: 'client-2' }),
        top('few', { clientId: 'client-1' }),
        top('none', { clientId: ABSENT }),
        top('none', { clientId: 'client-1', state: 'LOGOUT_NOTICE_STATE_DELIVERED' }),
        top('none', { clientId: 'client-2', state: 'LOGOUT_NOTICE_STATE_WITHDRAWN' }),
      ],
    },
    {
      path: '/management/v1/webhooks/bench-webhook/deliveries/_search',
      cases: states('WEBHOOK_DELIVERY', ['all', 'DELIVERED'], ['few', 'DEAD'], ['none', 'WAITING']),
    },
  ];
}
