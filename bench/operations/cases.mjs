const INSTANCE = '/admin/v1/policies/domain';
const within = { userLoginMustBeDomain: true };
const alone = { userLoginMustBeDomain: false };
const crowd = { 'x-service-orgid': 'crowd' };

/**
 * Operations on what many people hang on, in an order in which each finds what it needs. `before` is SQL.
 * @type {ReadonlyArray<{ name: string, before?: string, request: readonly [string, string, object?, object?] }>}
 */
export const CASES = [
  { name: 'userLoginMustBeDomain on, for the instance', request: ['PUT', INSTANCE, within] },
  { name: 'userLoginMustBeDomain off, names reserved before', request: ['PUT', INSTANCE, alone] },
  {
    name: 'userLoginMustBeDomain on, for one organization',
    request: ['POST', '/admin/v1/orgs/crowd/policies/domain', within],
  },
  {
    name: 'userLoginMustBeDomain of one organization taken away',
    request: ['DELETE', '/admin/v1/orgs/crowd/policies/domain'],
  },
  { name: 'userLoginMustBeDomain on, again', request: ['PUT', INSTANCE, within] },
  {
    name: 'userLoginMustBeDomain off, no name reserved',
    before: `UPDATE user_account SET name_scope = org_id WHERE org_id IN ('crowd', 'guests'); VACUUM ANALYZE user_account`,
    request: ['PUT', INSTANCE, alone],
  },
  { name: 'userLoginMustBeDomain on, a third time', request: ['PUT', INSTANCE, within] },
  {
    name: 'another setting of that policy',
    request: ['PUT', INSTANCE, { ...within, smtpSenderAddressMatchesInstanceDomain: true }],
  },
  {
    name: 'lockout policy of the instance',
    request: ['PUT', '/admin/v1/policies/password/lockout', { maxPasswordAttempts: '7' }],
  },
  { name: 'age of passwords', request: ['PUT', '/admin/v1/policies/password/age', { maxAgeDays: '90' }] },
  { name: 'an organization is deactivated', request: ['POST', '/management/v1/orgs/me/_deactivate', {}, crowd] },
  { name: 'an organization is reactivated', request: ['POST', '/management/v1/orgs/me/_reactivate', {}, crowd] },
  { name: 'an organization is renamed', request: ['PUT', '/management/v1/orgs/me', { name: 'Crowd of them' }, crowd] },
  {
    name: 'a domain becomes the primary one',
    request: ['POST', '/management/v1/orgs/me/domains/second.crowd.test/_set_primary', {}, crowd],
  },
  {
    name: 'a verified domain is removed',
    request: ['DELETE', '/management/v1/orgs/me/domains/crowd.test', undefined, crowd],
  },
  {
    name: 'a domain is added, at which people have their names',
    request: ['POST', '/management/v1/orgs/me/domains', { domain: 'crowd.test' }, crowd],
  },
  {
    name: 'a project is deactivated',
    request: ['POST', '/management/v1/projects/crowd-project/_deactivate', {}, crowd],
  },
  {
    name: 'a project is reactivated',
    request: ['POST', '/management/v1/projects/crowd-project/_reactivate', {}, crowd],
  },
  {
    name: 'a role is removed that all have',
    request: ['DELETE', '/management/v1/projects/crowd-project/roles/writer', undefined, crowd],
  },
  {
    name: 'a project grant is removed',
    request: ['DELETE', '/management/v1/projects/crowd-project/grants/crowd-grant', undefined, crowd],
  },
  { name: 'a provider is removed', request: ['DELETE', '/management/v1/idps/crowd-idp', undefined, crowd] },
  { name: 'a project is removed', request: ['DELETE', '/management/v1/projects/crowd-project', undefined, crowd] },
  { name: 'signing keys are rotated', request: ['POST', '/admin/v1/keys', {}] },
  { name: 'an organization is removed', request: ['DELETE', '/admin/v1/orgs/crowd'] },
];
