import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { USUAL_PEOPLE } from '../people-settings.js';
import type { Variables } from '../placeholder.js';
import { Report } from '../report.js';
import { convertKeycloak } from './keycloak.js';

/* Files that people write or merge by hand, as they are published with examples and deployments. */

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-by-hand-'));
afterAll(() => rmSync(folder, { recursive: true }));

const password = (value: string) => [{ type: 'password', value }];
const ilse = { id: 'u1', username: 'ilse', email: 'ilse@keycloak.test', credentials: password('Correct-Horse-7') };
const web = {
  id: 'c1',
  clientId: 'web',
  secret: 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  redirectUris: ['https://web.test/callback'],
};

type Any = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- a document is looked at in every way here
interface Noted {
  readonly kind: string;
  readonly important: boolean;
  readonly examples: readonly string[];
}

async function convert(
  realms: object | readonly object[],
  { variables, namesAtDomain = false }: { variables?: Variables; namesAtDomain?: boolean } = {},
): Promise<{ org: Any; orgs: Any[]; text: string; notes: Noted[] }> {
  const path = join(folder, 'realm.json');
  const list = (Array.isArray(realms) ? realms : [realms]) as object[];
  writeFileSync(path, JSON.stringify(list.map((realm, index) => ({ realm: `realm-${index}`, ...realm }))));
  const report = new Report('keycloak');
  let text = '';
  const source = { paths: [path], realms: [], variables, people: { ...USUAL_PEOPLE, namesAtDomain } };
  for await (const piece of convertKeycloak(source, report)) text += piece;
  const { orgs } = JSON.parse(text);
  return { org: orgs[0], orgs, text, notes: (report.toJson() as { notCarried: Noted[] }).notCarried };
}

const important = (notes: readonly Noted[]): string[] =>
  notes.filter((note) => note.important).map(({ kind, examples }) => `${kind}: ${examples.join()}`);

const TEMPLATE = {
  enabled: true,
  registrationAllowed: '${OPEN}',
  users: [
    { ...ilse, credentials: password('${ILSE_PASSWORD}') },
    { ...ilse, id: 'u2', username: '${ADMIN}', email: '${ADMIN}@web.test', credentials: password('${B:-changeit}') },
    {
      ...ilse,
      id: 'u3',
      username: 'bodo',
      email: 'bodo@${DOMAIN}',
      enabled: '${BODO_IS_HERE}',
      attributes: { team: ['${TEAM}'] },
    },
  ],
  clients: [
    {
      ...web,
      secret: '${vault.web}',
      rootUrl: '${WEB_URL}',
      redirectUris: ['${WEB_URL}/*', 'https://web.test/callback', '$(env:WEB_URL)/x'],
      webOrigins: ['${WEB_URL}'],
    },
    { ...web, id: 'c2', clientId: '$(env:OTHER_ID)' },
    { ...web, id: 'c3', clientId: 'short', secret: '{{ .Values.secret }}' },
  ],
  roles: {
    realm: [{ name: '${ROLE}' }, { name: 'admin', description: '${role_admin}' }],
    client: { '${CLIENT}': [{ name: 'x' }] },
  },
  groups: [{ name: '${GROUP}' }],
  identityProviders: [
    { alias: 'one', providerId: 'oidc', config: { issuer: '${ISSUER}', clientId: 'x', clientSecret: 'y' } },
    { alias: 'two', providerId: 'oidc', config: { issuer: 'https://sso.test', clientId: '${ID}', clientSecret: 'y' } },
    {
      alias: 'three',
      providerId: 'oidc',
      config: { issuer: 'https://sso.test', clientId: 'x', clientSecret: '$(env:S)' },
    },
  ],
};

describe('Placeholders of a file that is written by hand', () => {
  it('never become a password, a secret, an id, an address, a name or a key, and all of them are important [EXP-056]', async () => {
    const { org, text, notes } = await convert(TEMPLATE);
    expect(text).not.toMatch(/\$\{|\$\(|\{\{|changeit/);
    expect(
      org.humanUsers.map(({ userId, state = '', user }: Any) => [userId, state, user.userName, user.email?.email]),
    ).toEqual([
      ['u1', '', 'ilse', 'ilse@keycloak.test'],
      ['u3', 'USER_STATE_INACTIVE', 'bodo', undefined],
    ]);
    expect(org.oidcApps.map(({ clientId, secretHash, app }: Any) => [clientId, secretHash, app.redirectUris])).toEqual([
      ['web', undefined, ['https://web.test/callback']],
      ['short', undefined, ['https://web.test/callback']],
    ]);
    expect(org.oidcIdps.map(({ idp }: Any) => [idp.name, idp.clientSecret])).toEqual([['three', undefined]]);
    expect(org.projectRoles.map(({ roleKey }: Any) => roleKey)).toEqual(['admin']);
    const losses = important(notes).join('\n');
    for (const each of [
      'ilse credentials.value',
      'bodo email',
      'bodo enabled',
      'web redirectUris',
      'realm-0 registrationAllowed',
      'Users whose name is a placeholder: left out: ${ADMIN}',
      'Attributes that are placeholders: left out: bodo team',
      'Groups whose name is a placeholder: left out',
    ])
      expect(losses).toContain(each);
  });

  it('are replaced by variables of the environment and by their defaults when that is asked for', async () => {
    const { org, notes } = await convert(
      {
        users: [
          {
            ...ilse,
            username: '${NAME}',
            credentials: password('${PASS:-changeit}'),
            clientRoles: { '${CLIENT}': ['x'] },
          },
        ],
        clients: [{ ...web, redirectUris: ['${WEB_URL}/callback'], enabled: '${ON:true}' }],
      },
      { variables: { NAME: 'ilse', WEB_URL: 'https://web.test', CLIENT: 'web' } },
    );
    expect(org.humanUsers[0].user).toMatchObject({ userName: 'ilse', password: 'changeit' });
    expect(org.oidcApps[0]).toMatchObject({ app: { redirectUris: ['https://web.test/callback'] } });
    expect(org.userGrants[0].roleKeys).toEqual(['web:x']);
    expect(important(notes)).toEqual([]);
    expect(notes.filter(({ kind }) => /^Placeholders/.test(kind)).map(({ examples }) => examples)).toEqual([
      ['CLIENT', 'NAME', 'WEB_URL'],
      ['ON', 'PASS'],
    ]);
  });

  it('are no name of a realm', async () => {
    await expect(convert({ realm: '${REALM}', users: [ilse] })).rejects.toThrow(
      /the name of the realm is the placeholder \$\{REALM\}\. .*--replace-placeholders/,
    );
  });

  it('are not looked for in what is only shown, or not carried: Keycloak itself writes its texts as keys', async () => {
    const { notes } = await convert({
      users: [ilse],
      displayName: '${name}',
      clients: [{ ...web, name: '${client_web}', description: '${x}' }],
      components: { x: [{ config: { 'kc.user.profile.config': ['{"displayName":"${username}"}'] } }] },
    });
    expect(important(notes)).toEqual([]);
  });
});

describe('What stands twice in an export', () => {
  it('is kept once when both are alike, whatever the order of their members, and is reported', async () => {
    const again = { credentials: ilse.credentials, email: ilse.email, username: 'ilse', id: 'u1' };
    const { org, notes } = await convert({
      users: [ilse, { ...ilse, id: 'u2', username: 'bodo' }, again],
      clients: [web, { ...web, id: 'another' }],
      roles: {
        realm: [
          { id: '1', name: 'a' },
          { id: '2', name: 'a' },
        ],
        client: { web: [{ name: 'b' }, { name: 'b' }] },
      },
      groups: [
        { id: '1', name: 'g', path: '/g' },
        { id: '2', name: 'g', path: '/g' },
      ],
    });
    expect(org.humanUsers.map(({ userId }: Any) => userId)).toEqual(['u1', 'u2']);
    expect(org.oidcApps).toHaveLength(1);
    expect(org.projectRoles).toHaveLength(2);
    expect(org.groups).toHaveLength(1);
    expect(important(notes)).toEqual([]);
    expect(notes.filter(({ kind }) => /alike: one is kept/.test(kind)).map(({ kind }) => kind.split(' ')[0])).toEqual([
      'Clients',
      'Groups',
      'Roles',
      'Users',
    ]);
  });

  it('is important when they differ: the first one is kept', async () => {
    const { org, notes } = await convert({
      users: [ilse, { ...ilse, credentials: password('Other-Horse-8') }, { ...ilse, id: 'u9', username: 'ILSE' }],
      clients: [web, { ...web, redirectUris: ['https://evil.test/callback'] }],
      roles: {
        realm: [{ name: 'a' }, { name: 'a', composites: { realm: ['b'] } }, { name: 'web:c' }],
        client: { web: [{ name: 'c' }] },
      },
    });
    expect(org.humanUsers).toMatchObject([{ userId: 'u1', user: { password: 'Correct-Horse-7' } }]);
    expect(org.oidcApps).toMatchObject([{ app: { redirectUris: ['https://web.test/callback'] } }]);
    expect(important(notes)).toEqual([
      'Clients that the export contains more than once, with differences: only the first one is kept: web',
      'Roles that the export contains more than once, with differences: only the first one is kept: a',
      'Roles with the same name: become one role, which all have who had any of them: web:c',
      'Users that the export contains more than once, with differences: only the first one is kept: ilse,ILSE',
    ]);
  });
});

describe('Users without ids', () => {
  it('get one of the realm and the name, the same each time, so that realms may have users of one name', async () => {
    const { id: _, ...user } = ilse;
    const realms = [
      { users: [{ ...user, realmRoles: ['a'], attributes: { x: ['y'] } }] },
      { users: [user], identityProviders: [] },
    ];
    const [first, second] = [
      await convert(realms, { namesAtDomain: true }),
      await convert(realms, { namesAtDomain: true }),
    ];
    const ids = first.orgs.map(({ humanUsers }) => humanUsers[0].userId);
    expect(new Set(ids).size).toBe(2);
    expect(second.text).toBe(first.text);
    expect([first.org.userGrants[0].userId, first.org.userMetadata[0].id]).toEqual([ids[0], ids[0]]);
  });
});

describe('Names that are words in the paths of our API', () => {
  it('are no ids of what is written: each gets another one, the same each time, and is noted [ADM-098]', async () => {
    const realm = {
      realm: 'default',
      users: [{ ...ilse, id: 'human', attributes: { _search: ['x'], team: ['x'] }, realmRoles: ['_bulk', 'reader'] }],
      roles: { realm: [{ name: '_bulk' }, { name: 'reader' }] },
      clients: [{ ...web, id: undefined, clientId: 'api' }],
      identityProviders: [
        { alias: 'one', internalId: 'jwt', providerId: 'oidc', config: { issuer: 'https://sso.test', clientId: 'x' } },
      ],
    };
    const { org, notes, text } = await convert(realm);
    expect((await convert(realm)).text).toBe(text);
    const [user, app, idp] = [org.humanUsers[0].userId, org.oidcApps[0].appId, org.oidcIdps[0].idpId];
    for (const id of [org.orgId, user, app, idp]) expect(id).toMatch(/^keycloak-[0-9a-f]{24}$/);
    expect(org.oidcApps[0].clientId).toBe('api');
    expect(org.userMetadata).toEqual([{ id: user, key: 'team', value: expect.any(String) }]);
    expect(org.userGrants).toMatchObject([{ userId: user, roleKeys: ['reader'] }]);
    expect(org.projectRoles.map(({ roleKey }: Any) => roleKey)).toEqual(['reader']);
    const noted = (kind: RegExp): readonly string[] => notes.find((note) => kind.test(note.kind))?.examples ?? [];
    expect([...noted(/^Ids that have another meaning/)].sort()).toEqual(
      [`default: ${org.orgId}`, `api: ${app}`, `human: ${user}`, `jwt: ${idp}`].sort(),
    );
    expect(new Set(noted(/^Roles whose name has another meaning/))).toEqual(new Set(['_bulk']));
    expect(noted(/^Attributes whose name has another meaning/)).toEqual([`${user} _search`]);
  });
});

describe('Organizations of Keycloak 26', () => {
  it('become roles of their members, and are important: their domains and providers are left out', async () => {
    const { org, notes } = await convert({
      users: [ilse, { ...ilse, id: 'u2', username: 'bodo' }],
      organizations: [
        {
          id: 'o1',
          name: 'Acme Ltd',
          alias: 'acme',
          enabled: true,
          domains: [{ name: 'acme.test', verified: true }],
          members: [{ id: 'u1', username: 'Ilse', membershipType: 'MANAGED' }],
          identityProviders: [{ alias: 'partner' }],
        },
      ],
    });
    expect(org.projectRoles).toMatchObject([
      { roleKey: 'organization:acme', displayName: 'Acme Ltd', group: 'Organizations' },
    ]);
    expect(org.userGrants).toMatchObject([{ userId: 'u1', roleKeys: ['organization:acme'] }]);
    expect(important(notes)).toEqual([
      expect.stringMatching(/^Domains of organizations: .*: acme acme\.test$/),
      expect.stringMatching(/^Organizations: each becomes a role .*: acme$/),
    ]);
  });
});

describe('The keys of a client in a file that is written by hand', () => {
  it('are fetched from jwks.url although the switch for it is absent', async () => {
    const url = 'https://web.test/jwks.json';
    const client = { ...web, clientAuthenticatorType: 'client-jwt', attributes: { 'jwks.url': url } };
    const { org, notes } = await convert({ users: [ilse], clients: [client] });
    expect(org.oidcApps[0].app).toMatchObject({ jwksUri: url });
    expect(important(notes)).toEqual([]);
  });

  it('are important where a service user has them: it has neither key nor secret here', async () => {
    const client = {
      ...web,
      clientAuthenticatorType: 'client-jwt',
      standardFlowEnabled: false,
      serviceAccountsEnabled: true,
    };
    const { notes } = await convert({ users: [ilse], clients: [client] });
    expect(important(notes)).toEqual([expect.stringMatching(/^Service users that authenticate with client-jwt/)]);
  });
});
