import { DOMAIN, nameOf, org, person, requestOf, SEED } from './document.mjs';

/*
 * What an import decides about its rows, each case with data that this decision concerns: `n` rows of it, so that the time of a
 * row can be compared at several sizes. `before` is there already, `request` is what is measured.
 */

const RECOVERY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$2BW8av28LtS8IvzwzlP2Gg$gKMkDDE1EHv3Co9/OqzWO6GK/OVqmfifxwJnbHBz280';
const PUBLIC_KEY =
  'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFUk9RQUdpQitkWExRaURVN1pZYWNIUkphTlkxaQp5RlZzSFlnNnVRdHZic1lLb1lJQ005R3FqTjFCa1QzaXROVVRjNnVLSlJKSk41NlEySHUvUm9XVmdnPT0KLS0tLS1FTkQgUFVCTElDIEtFWS0tLS0tCg==';
const SKIP = { onConflict: 'skip' };
const PROJECT = {
  projects: [{ projectId: 'project', project: { name: 'Project' } }],
  projectRoles: [{ projectId: 'project', roleKey: 'reader' }],
};
const PROVIDER = {
  oidcIdps: [
    {
      idpId: 'provider',
      idp: {
        name: 'Provider',
        clientId: 'bench',
        clientSecret: 'a secret of the benchmark',
        issuer: 'https://sso.bench.test',
        scopes: ['openid'],
      },
    },
  ],
};

/** People with a name for each of them. */
const named = (n, nameFor, more = {}) => ['humanUsers', n, (i) => person(i, { userName: nameFor(i), ...more })];
const local = (n) => named(n, nameOf);
const atHome = (n) => named(n, (i) => `${nameOf(i)}@${DOMAIN}`);
const strangers = (n, nameFor, orgId = 'other') => ({
  about: org(orgId),
  lists: [['humanUsers', n, (i) => person(i, { id: `${orgId}-${i}`, userName: nameFor(i) })]],
});
const bench = (lists, about = {}) => ({ about: org('bench', { domain: DOMAIN, ...about }), lists });
const all = (...orgs) => requestOf({}, orgs);
const skipping = (...orgs) => requestOf(SKIP, orgs);

const metadata = (n) => [
  'userMetadata',
  3 * n,
  (i) => ({ id: `bench-${Math.floor(i / 3)}`, key: `key-${i % 3}`, value: 'dmFsdWU=' }),
];
const grants = (n) => ['userGrants', n, (i) => ({ userId: `bench-${i}`, projectId: 'project', roleKeys: ['reader'] })];
const links = (n) => [
  'userLinks',
  n,
  (i) => ({ userId: `bench-${i}`, idpId: 'provider', providedUserId: `subject-${i}` }),
];
const factors = { otpCode: SEED, otpEmail: true, recoveryCodes: [{ hash: RECOVERY_HASH }] };
const machine = (userName, id = userName) => ({
  userId: id,
  user: { userName, name: 'Service', accessTokenType: 'ACCESS_TOKEN_TYPE_JWT' },
});
const application = (i, projectId = `project-${Math.floor(i / 100)}`) => ({
  appId: `app-${i}`,
  clientId: `client-${i}`,
  app: {
    projectId,
    name: `Application ${i}`,
    redirectUris: ['https://app.bench.test/cb'],
    responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
    grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
  },
});
const projects = (n) => [
  'projects',
  Math.ceil(n / 100),
  (i) => ({ projectId: `project-${i}`, project: { name: `Project ${i}` } }),
];
const everything = (n, more = {}) =>
  bench([named(n, (i) => `${nameOf(i)}@${DOMAIN}`, { ...factors, ...more }), metadata(n), links(n), grants(n)], {
    ...PROJECT,
    ...PROVIDER,
  });

/** @type {ReadonlyArray<{ name: string, before?: (n: number) => AsyncIterable<string>, request: (n: number) => AsyncIterable<string>, leftOut?: (n: number) => number }>} */
export const CASES = [
  { name: 'names without a domain', request: (n) => all(bench([local(n)])) },
  { name: 'names at the own domain', request: (n) => all(bench([atHome(n)])) },
  {
    name: 'the same, of an organization with as many',
    before: (n) => all(bench([named(n, (i) => `a${nameOf(i)}@${DOMAIN}`)])),
    request: (n) =>
      all(bench([['humanUsers', n, (i) => person(i, { id: `b-${i}`, userName: `b${nameOf(i)}@${DOMAIN}` })]])),
  },
  {
    name: 'names at own domains and without, in turn',
    request: (n) => all(bench([named(n, (i) => (i % 2 === 0 ? `${nameOf(i)}@${DOMAIN}` : nameOf(i)))])),
  },
  {
    name: 'names at one of 200 own domains',
    request: (n) =>
      all({
        about: { orgId: 'bench', org: { name: 'bench' } },
        lists: [
          ['domains', 200, (i) => ({ domainName: `d${i}.bench.test`, isVerified: true })],
          named(n, (i) => `${nameOf(i)}@d${i % 200}.bench.test`),
        ],
      }),
  },
  {
    name: 'names within the organization only',
    request: (n) => all(bench([atHome(n)], { domainPolicy: { userLoginMustBeDomain: true } })),
  },
  {
    name: 'one login name for two of the document',
    leftOut: (n) => 2 * Math.floor(n / 2),
    request: (n) =>
      skipping(bench([named(2 * Math.floor(n / 2), (i) => (i % 2 === 0 ? nameOf(i) : `${nameOf(i - 1)}@${DOMAIN}`))])),
  },
  {
    name: 'one login name for two, a name at the domain is there',
    leftOut: (n) => n,
    before: (n) => all(bench([local(n)])),
    request: (n) =>
      skipping(bench([['humanUsers', n, (i) => person(i, { id: `b-${i}`, userName: `${nameOf(i)}@${DOMAIN}` })]])),
  },
  {
    name: 'one login name for two, a whole name is there',
    leftOut: (n) => n,
    before: (n) => all(bench([atHome(n)])),
    request: (n) => skipping(bench([['humanUsers', n, (i) => person(i, { id: `b-${i}` })]])),
  },
  {
    name: 'names at the domain of another organization',
    leftOut: (n) => n,
    before: () => all(strangers(1, nameOf)),
    request: (n) => skipping(bench([named(n, (i) => `${nameOf(i)}@other.test`)])),
  },
  {
    name: 'names that people elsewhere have',
    leftOut: (n) => n,
    before: (n) => all(strangers(n, nameOf)),
    request: (n) => skipping(bench([local(n)])),
  },
  {
    name: 'every person twice',
    leftOut: (n) => n,
    request: (n) => skipping(bench([['humanUsers', 2 * n, (i) => person(i % n)]])),
  },
  {
    name: 'domains at which people elsewhere are named',
    leftOut: (n) => n,
    before: (n) => all(strangers(n, (i) => `${nameOf(i)}@d${i}.test`)),
    request: (n) =>
      skipping({
        about: { orgId: 'bench', org: { name: 'bench' } },
        lists: [['domains', n, (i) => ({ domainName: `d${i}.test`, isVerified: true })]],
      }),
  },
  { name: 'three entries of metadata each', request: (n) => all(bench([atHome(n), metadata(n)])) },
  {
    name: 'second factors and recovery codes',
    request: (n) => all(bench([named(n, (i) => `${nameOf(i)}@${DOMAIN}`, factors)])),
  },
  { name: 'links with a provider', request: (n) => all(bench([atHome(n), links(n)], PROVIDER)) },
  { name: 'grants of an own project', request: (n) => all(bench([atHome(n), grants(n)], PROJECT)) },
  {
    name: 'grants of a project that was granted',
    request: (n) =>
      all(
        {
          about: org('other', PROJECT),
          lists: [
            [
              'projectGrants',
              1,
              () => ({
                grantId: 'grant',
                projectGrant: { projectId: 'project', grantedOrgId: 'bench', roleKeys: ['reader'] },
              }),
            ],
          ],
        },
        bench([atHome(n), grants(n)]),
      ),
  },
  {
    name: 'grants of one role of a thousand',
    request: (n) =>
      all(
        bench(
          [
            ['projectRoles', 1_000, (i) => ({ projectId: 'project', roleKey: `role-${i}` })],
            atHome(n),
            ['userGrants', n, (i) => ({ userId: `bench-${i}`, projectId: 'project', roleKeys: [`role-${i % 1_000}`] })],
          ],
          { projects: PROJECT.projects },
        ),
      ),
  },
  {
    name: 'managers of organization and project',
    request: (n) =>
      all(
        bench(
          [
            atHome(n),
            ['orgMembers', n, (i) => ({ userId: `bench-${i}`, roles: ['ORG_OWNER_VIEWER'] })],
            [
              'projectMembers',
              n,
              (i) => ({ projectId: 'project', userId: `bench-${i}`, roles: ['PROJECT_OWNER_VIEWER'] }),
            ],
          ],
          PROJECT,
        ),
      ),
  },
  {
    name: 'service users with keys',
    request: (n) =>
      all(
        bench([
          ['machineUsers', n, (i) => machine(`robot-${i}`)],
          ['machineKeys', n, (i) => ({ keyId: `key-${i}`, userId: `robot-${i}`, publicKey: PUBLIC_KEY })],
        ]),
      ),
  },
  {
    name: 'service users named as others have their ids',
    leftOut: (n) => n,
    before: (n) => all(bench([['machineUsers', n, (i) => machine(`robot-${i}`, `id-${i}`)]])),
    request: (n) => skipping(bench([['machineUsers', n, (i) => machine(`id-${i}`, `b-${i}`)]])),
  },
  {
    name: 'applications with keys',
    request: (n) =>
      all(
        bench([
          projects(n),
          ['oidcApps', n, (i) => application(i)],
          ['appKeys', n, (i) => ({ id: `key-${i}`, appId: `app-${i}`, publicKey: PUBLIC_KEY })],
        ]),
      ),
  },
  {
    name: 'applications and service users of one name',
    leftOut: (n) => n,
    request: (n) =>
      skipping(
        bench([
          projects(n),
          ['oidcApps', n, (i) => application(i)],
          ['machineUsers', n, (i) => machine(`client-${i}`, `robot-${i}`)],
        ]),
      ),
  },
  {
    name: 'applications named as service users that are there',
    leftOut: (n) => n,
    before: (n) => all(bench([['machineUsers', n, (i) => machine(`client-${i}`, `robot-${i}`)]])),
    request: (n) => skipping(bench([projects(n), ['oidcApps', n, (i) => application(i)]])),
  },
  {
    name: 'organizations of one person each',
    request: (n) =>
      requestOf(
        {},
        (function* orgs() {
          for (let i = 0; i < n; i += 1) yield strangers(1, () => `${nameOf(i)}@o${i}.test`, `o${i}`);
        })(),
      ),
  },
  { name: 'the same again', before: (n) => all(everything(n)), request: (n) => all(everything(n)) },
  {
    name: 'the same again, all of it changed',
    leftOut: (n) => n,
    before: (n) => all(everything(n)),
    request: (n) => skipping(everything(n, { passwordChangeRequired: true })),
  },
  {
    name: 'people who are here, with factors and links that they do not have',
    leftOut: (n) => 4 * n,
    before: (n) => all(bench([atHome(n)], PROVIDER)),
    request: (n) => skipping(bench([named(n, (i) => `${nameOf(i)}@${DOMAIN}`, factors), links(n)], PROVIDER)),
  },
];
