import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/foundation/database/database.js';
import { ClaimedNames } from '../../src/user/claimed-names.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { lastMailTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { exportOf } from './described-export.js';
import { sourceOf } from './described-system.js';
import { lossesBetween } from './losses.js';

const world = await startWorld();
let api: AdminApi;

/* oxlint-disable typescript/no-explicit-any -- documents and answers are read as they come */
interface Answer {
  readonly success: { readonly orgs: ReadonlyArray<Record<string, any>> };
  readonly errors: ReadonlyArray<{ readonly type: string; readonly id: string; readonly message: string }>;
}

beforeAll(async () => {
  ({ api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']));
});
afterAll(() => world.close());

const bring = (document: unknown, more: Json = {}): Promise<Answer> =>
  api.call('POST', '/admin/v1/import', { data_orgs: document, ...more });
const take = (document: { orgs: any[] }): Promise<{ orgs: any[] }> =>
  api.call('POST', '/admin/v1/export', {
    orgIds: document.orgs.map(({ orgId }) => orgId as string),
    withPasswords: true,
    withOtp: true,
    withKeys: true,
  });
/** Each entry of the list in one line, without the prefix that makes ids new. */
const lines = ({ errors }: Answer, prefix: string): string[] =>
  errors.map(({ type, id, message }) => `${type} ${id}: ${message.split(';')[0]!}`.replaceAll(`${prefix}-`, ''));

const UNKNOWN_PROVIDER = 'names an identity provider that is neither in the document nor one of the instance here';
const NOT_LISTED = 'lists an identity provider that is neither in the document nor one of the instance here';
const NO_SECRET =
  'secretHash: is not in the document: the application cannot authenticate before a secret is generated for it';
const noClientId = (id: string): string =>
  `clientId: is not in the document: it is ${id} here. Change it in the application`;

/** Entries that are left out of each import: nothing here could be made of them. */
const LEFT_OUT = [
  'passwordless_registration_message birkenhof_de: text must not use {{.Domain}}',
  'oidc_idp old: idp.issuer must use https (http is for localhost in development)',
  `user_link ilse_google: ${UNKNOWN_PROVIDER}`,
  `user_link ilse_old: ${UNKNOWN_PROVIDER}`,
  `user_link google-only_google: ${UNKNOWN_PROVIDER}`,
  'org_member birkenhof_karl: has no role but SELF_MANAGEMENT_GLOBAL, which has no counterpart here',
  `login_policy birkenhof_github: ${NOT_LISTED}`,
  `login_policy birkenhof_corporate: ${NOT_LISTED}`,
  'passwordless_registration_message spedition_de: text must not use {{.Domain}}',
  `login_policy spedition_google: ${NOT_LISTED}`,
];

/** What is imported otherwise than the document says. */
const CHANGED = [
  `oidc_app web: ${NO_SECRET}`,
  `oidc_app web: ${noClientId('web')}`,
  'oidc_app intranet: app.devMode: is switched on: without it, the http addresses of the application could not be used',
  `oidc_app intranet: ${NO_SECRET}`,
  `oidc_app intranet: ${noClientId('intranet')}`,
  'oidc_app spa: app.redirectUris[1]: "http://spa.birkenhof.example/cb" is left out: it must use https, or http on localhost, 127.0.0.1 or [::1] (devMode set to true allows http elsewhere)',
  'oidc_app spa: app.redirectUris[2]: "https://spa.birkenhof.example/#/cb" is left out: it must not have a fragment',
  'oidc_app spa: app.additionalOrigins[0]: "https://spa.birkenhof.example/app" is left out: it must be an origin such as https://app.example.com, in lower case and without a path',
  'oidc_app spa: app.responseTypes[1]: "id_token" is left out: it needs a grant type that the application does not have',
  `oidc_app spa: ${noClientId('spa')}`,
  'oidc_app previews: app.redirectUris[0]: "https://*.preview.birkenhof.example/cb" is left out: it has a wildcard, and addresses are compared exactly',
  'oidc_app previews: app.redirectUris[1]: "https://preview.birkenhof.example/*" is left out: it has a wildcard, and addresses are compared exactly',
  `oidc_app previews: ${NO_SECRET}`,
  `oidc_app previews: ${noClientId('previews')}`,
  'oidc_app odd: app.redirectUris[0]: "com.birkenhof.app:/cb" is left out: it may use a custom scheme for native applications only',
  'oidc_app odd: app.clockSkew: is 5s here, the longest',
  `oidc_app odd: ${NO_SECRET}`,
  `oidc_app odd: ${noClientId('odd')}`,
  `oidc_app phone: ${noClientId('phone')}`,
  `api_app api-basic: ${NO_SECRET}`,
  `api_app api-basic: ${noClientId('api-basic')}`,
  'action birkenhof-action: action.timeout: is 1s here, in whole seconds',
  'org_member birkenhof_ilse: roles[1]: SELF_MANAGEMENT_GLOBAL has no counterpart here',
  'org birkenhof: projectMembers: 1 belong to projects of other organizations of the document, and are imported there',
  'action spedition-action: action.timeout: is 1s here, in whole seconds',
  'login_policy spedition: loginPolicy.allowExternalIdp: is switched off: none of the listed providers is here, and where none is listed, all of them are offered',
  'org spedition: projectMembers: 2 belong to projects of other organizations of the document, and are imported there',
];

/** Where the next export differs from the document: in what is listed above, and in these. */
const LOST_AS_LISTED = [
  'orgs[0].actions[0].action.timeout',
  'orgs[0].loginPolicy.idps[1]',
  'orgs[0].loginPolicy.idps[2]',
  'orgs[0].oidcApps[2].app.additionalOrigins[0]',
  'orgs[0].oidcApps[2].app.redirectUris[1]',
  'orgs[0].oidcApps[2].app.redirectUris[2]',
  'orgs[0].oidcApps[2].app.responseTypes[1]',
  'orgs[0].oidcApps[3].app.redirectUris[0]',
  'orgs[0].oidcApps[3].app.redirectUris[1]',
  'orgs[0].oidcApps[4].app.clockSkew',
  'orgs[0].oidcApps[4].app.redirectUris[0]',
  'orgs[0].oidcIdps[1]',
  'orgs[0].orgMembers[0].roles[1]',
  'orgs[0].orgMembers[1]',
  'orgs[0].passwordlessRegistrationMessages[0]',
  'orgs[0].projectMembers[2]',
  'orgs[0].userLinks[1]',
  'orgs[0].userLinks[3]',
  'orgs[0].userLinks[4]',
  'orgs[1].actions[0].action.timeout',
  'orgs[1].loginPolicy.allowExternalIdp',
  'orgs[1].loginPolicy.idps[0]',
  'orgs[1].passwordlessRegistrationMessages[0]',
  'orgs[1].projectMembers[0]',
  'orgs[1].projectMembers[1]',
];
const SAID_OTHERWISE = [
  'orgs[0].domains[1].validationType', // a domain that was not verified is verified here, by a new token
  'orgs[0].oidcApps[0].app.additionalOrigins[0]', // https://touren.birkenhof.example/ without its slash
  'orgs[0].oidcIdps[0].idp.stylingType', // another name of STYLING_TYPE_VENDOR
  'orgs[0].userLinks[2].idpType', // 2, a number that its enumeration does not have
];

describe.each(['', 'skip'])(
  'A document as the described system writes it is imported completely, except for what the response lists (on_conflict: "%s")',
  (onConflict) => {
    const prefix = `described${onConflict}`;
    const document = exportOf(sourceOf(prefix), { excluded: 2 });
    const organizations = { orgs: document.orgs.slice(0, 2) };

    it('imports everything else, and lists what is left out and what is changed', async () => {
      const answer = await bring(document, { on_conflict: onConflict });
      expect(lines(answer, prefix).sort()).toEqual([...LEFT_OUT, ...CHANGED].sort());
      expect(answer.success.orgs.map(({ orgId }) => orgId as string)).toEqual(
        organizations.orgs.map(({ orgId }) => orgId as string),
      );
    });

    it('loses only what was listed', async () => {
      expect(lossesBetween(organizations, await take(organizations)).sort()).toEqual(
        [...LOST_AS_LISTED, ...SAID_OTHERWISE].sort(),
      );
    });

    it('imports the managers of each project once, under the organization of the project, and does not list the repetitions as lost', async () => {
      const rows = await world.rows(
        `SELECT object_id AS project, user_id AS person FROM member WHERE level = 'project' AND object_id LIKE $1 ORDER BY 1, 2`,
        [`${prefix}-%`],
      );
      expect(rows).toEqual([
        { project: `${prefix}-depot`, person: `${prefix}-bodo` },
        { project: `${prefix}-tours`, person: `${prefix}-ilse` },
        { project: `${prefix}-tours`, person: `${prefix}-sync` },
      ]);
    });

    it('changes nothing when the same document is imported again, and lists only what is left out each time', async () => {
      const before = await world.contents();
      expect(lines(await bring(document, { on_conflict: onConflict }), prefix).sort()).toEqual([...LEFT_OUT].sort());
      expect((await world.contents()).replace(/^signing_key .*$/m, '')).toBe(before.replace(/^signing_key .*$/m, ''));
    });

    it('moves on to the next instance without losing anything more', async () => {
      const other = await startWorld();
      const { api: there } = await callerWith(other, await other.add.org(), ['IAM_OWNER']);
      const exported = await take(organizations);
      expect((await there.call<Answer>('POST', '/admin/v1/import', { data_orgs: exported })).errors).toEqual([]);
      const again = await there.call('POST', '/admin/v1/export', {
        orgIds: organizations.orgs.map(({ orgId }) => orgId as string),
        withPasswords: true,
        withOtp: true,
        withKeys: true,
      });
      expect(again).toEqual(exported);
      await other.close();
    });
  },
);

describe('What was imported from the described system works', () => {
  const id = (what: string): string => `described-${what}`;

  it('users sign in with their user names and passwords, also with a name that contains a space', async () => {
    const client = new RelyingParty(world, await world.cast.web1);
    await world.rows('DELETE FROM auth_factor WHERE user_id = $1', [id('ilse')]);
    const answer = client.toAnswer(
      await client.enter(await client.authorize(), {
        loginName: `Ilse Brandt@birkenhof_${id('d')}.test`,
        password: 'password',
      }),
    );
    expect(typeof answer.code).toBe('string');
  });

  it('users who could sign in only through a provider that is not here must set up their accounts', async () => {
    expect(
      await world.rows('SELECT id, state FROM user_account WHERE id = ANY($1) ORDER BY id', [
        [id('google-only'), id('sso-only')],
      ]),
    ).toEqual([
      { id: id('google-only'), state: 'initial' },
      { id: id('sso-only'), state: 'active' },
    ]);
  });

  it('a link and an entry of a login policy are kept if the instance has a provider with that id', async () => {
    const { id: instanceId } = (await world.rows<{ id: string }>('SELECT id FROM instance'))[0]!;
    const document = exportOf(sourceOf('known'));
    const columns =
      'name, state, styling_type, auto_register, type, issuer, client_id, client_secret, scopes, display_name_mapping, username_mapping, jwt_endpoint, keys_endpoint, header_name';
    await world.rows(
      `INSERT INTO idp (id, owner_id, ${columns}) SELECT 'known-google', $1, ${columns} FROM idp WHERE id = $2`,
      [instanceId, id('sso')],
    );
    const listed = lines(await bring(document), 'known').filter(
      (line) => line.includes('google') || line.includes('allowExternalIdp'),
    );
    expect(listed).toEqual([]);
    expect(await world.rows(`SELECT user_id AS person FROM idp_link WHERE idp_id = 'known-google' ORDER BY 1`)).toEqual(
      [{ person: 'known-google-only' }, { person: 'known-ilse' }],
    );
    expect(
      await world.rows(`SELECT allow_external_idp AS allowed FROM login_policy WHERE owner_id = 'known-spedition'`),
    ).toEqual([{ allowed: true }]);
  });

  it('compliance problems are shown with the application', async () => {
    const about = api.about(id('birkenhof'));
    const { app } = await about.call('GET', `/management/v1/projects/${id('tours')}/apps/${id('odd')}`);
    expect(app.oidcConfig).toMatchObject({ noneCompliant: true, redirectUris: [] });
    expect(app.oidcConfig.complianceProblems.map(({ key }: { key: string }) => key)).toContain(
      'Application.OIDC.V1.NoRedirectUris',
    );
  });

  it('addresses are compared exactly: a wildcard of the other system matches nothing', async () => {
    expect(await world.rows('SELECT redirect_uris AS uris FROM client WHERE id = $1', [id('previews')])).toEqual([
      { uris: ['http://localhost:3000/cb'] },
    ]);
  });

  it('the text about a claimed domain names the user name from before, and no template field is left in the mail', async () => {
    const stranger = await world.add.person({
      orgId: id('birkenhof'),
      userName: 'bodo@claimed.example',
      email: 'bodo@mail.example',
      emailVerified: true,
    });
    await world.rows('DELETE FROM domain_policy WHERE owner_id = $1', [id('birkenhof')]);
    await world.rows(`UPDATE user_account SET preferred_language = 'de' WHERE id = $1`, [stranger.id]);
    await world
      .get(Database)
      .transaction((tx) => world.get(ClaimedNames).giveUp(tx, id('spedition'), 'claimed.example', 'system'));
    const mail = await lastMailTo(world, 'bodo@mail.example');
    expect(mail.text).toContain('Your current user bodo@claimed.example is not part of it.');
    expect(mail.text).not.toContain('{{');
  });
});
