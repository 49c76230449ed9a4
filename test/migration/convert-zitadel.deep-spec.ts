import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runSql } from '../../src/extension/testing/test-database.js';
import type { ZitadelSource } from '../../src/migration/convert/zitadel/zitadel.js';
import { startWorld } from '../support/world.js';
import { RP_ID } from './passkey-documents.js';
import { type Converted, convertFrom, notesOf, type Org } from './zitadel-database/converted.js';
import {
  BIND_PASSWORD,
  GOOGLE_SECRET,
  IDP_SECRET,
  IDS,
  ORG,
  PARTNER,
  PASSKEY,
  PASSWORD,
  RECOVERY_CODE,
  SYNC_SECRET,
  TENANT,
  TOTP_SEED,
  WEB_SECRET,
} from './zitadel-database/facts.js';
import { MASTER_KEY } from './zitadel-database/filler.js';
import { SourceFixture } from './zitadel-database/fixture.js';
import { VERSIONS } from './zitadel-database/tables.js';

const world = await startWorld();
const sources = new Map<string, SourceFixture>();
for (const version of VERSIONS) sources.set(version, await SourceFixture.open(world.database.connection, version));
const source = sources.get('4')!;

const convert = async (over: Partial<ZitadelSource> = {}): Promise<Converted> => convertFrom(source.url, over);
const personOf = ({ orgs }: Converted, userId: string): Org =>
  orgs.flatMap((org) => org['humanUsers'] as Org[]).find((person) => person['userId'] === userId)!;

let whole: Converted;

beforeAll(async () => {
  whole = await convert();
});
afterAll(async () => {
  for (const each of sources.values()) await each.close();
  await world.close();
});

describe('A database of ZITADEL becomes a document of its organizations', () => {
  it.each(VERSIONS)('in version %s, with the newest table of each view', async (version) => {
    const { orgs } = await convert({ databaseUrl: sources.get(version)!.url });
    expect(orgs.map(({ orgId, org, orgState }) => [orgId, org.name, orgState])).toEqual([
      [ORG, 'Birkenhof Logistik', 'ORG_STATE_ACTIVE'],
      [PARTNER, 'Partner', 'ORG_STATE_ACTIVE'],
    ]);
    expect(orgs[0]!['humanUsers'].map(({ user }: Org) => user.userName)).toEqual([
      'ilse',
      'dora',
      'karl',
      'pia',
      'nele',
      'bodo',
      'emil',
    ]);
    expect(orgs[0]!['oidcApps'].map(({ clientId }: Org) => clientId)).toEqual([
      '840000000000000411',
      '840000000000000412@touren',
    ]);
    expect((orgs[0]!['groups'] as Org[]).length).toBe(version === '4' ? 1 : 0);
  });

  it('keeps domains, metadata, and the policies that are in force, with those of the instance', () => {
    const [own, partner] = whole.orgs;
    expect(own).toMatchObject({
      domains: [
        { domainName: 'birkenhof.example', isVerified: true, isPrimary: true },
        { domainName: 'unproven.example' },
      ],
      orgMetadata: [{ key: 'customer', value: 'AAH/' }],
      passwordComplexityPolicy: { minLength: '12', hasNumber: true },
      passwordAgePolicy: { maxAgeDays: 3_650, expireWarnDays: 10 },
      lockoutPolicy: { maxPasswordAttempts: 7 },
      domainPolicy: { validateOrgDomains: true },
      privacyPolicy: { tosLink: 'https://birkenhof.example/{{.Lang}}/agb' },
      notificationPolicy: { passwordChange: true },
      labelPolicy: { primaryColor: '#00aa00', disableWatermark: true, themeMode: 'THEME_MODE_DARK' },
      loginPolicy: {
        hidePasswordReset: true,
        passwordlessType: 'PASSWORDLESS_TYPE_ALLOWED',
        secondFactorCheckLifetime: '64800s',
        idps: [{ idpId: IDS.oidc }, { idpId: IDS.google }],
      },
    });
    expect(own!['labelPolicy'].logoImage).toMatch(/^iVBORw0K/);
    expect(partner).toMatchObject({
      passwordComplexityPolicy: { minLength: '10' },
      labelPolicy: { primaryColor: '#aa0000' },
      loginPolicy: { allowRegister: true },
    });
  });

  it('or leaves policies and texts of the instance out where that is asked for', async () => {
    const { orgs } = await convert({ inherits: false });
    expect(orgs[1]).not.toHaveProperty('passwordComplexityPolicy');
    expect(orgs[1]).not.toHaveProperty('loginTexts');
    expect(orgs[0]).toMatchObject({ passwordComplexityPolicy: { minLength: '12' } });
  });

  it('keeps texts of messages and pages, those of the organization before those of the instance', () => {
    const [own, partner] = whole.orgs;
    expect(own!['loginTexts']).toEqual([
      {
        language: 'de',
        loginText: { title: 'Willkommen auf dem Birkenhof' },
        selectAccountText: { sessionStateActive: 'angemeldet' },
        initMfaPromptText: { otpOption: 'App' },
      },
    ]);
    expect(own!['initMessages']).toMatchObject([{ language: 'de', title: 'Willkommen' }]);
    expect(partner!['loginTexts']).toEqual([{ language: 'de', loginText: { title: 'Anmelden' } }]);
  });

  it('folds the events of each person: the password of the last, addresses, states', () => {
    expect(personOf(whole, IDS.ilse)).toMatchObject({
      state: 'USER_STATE_ACTIVE',
      user: {
        profile: { address: { country: 'CH', locality: 'Chur' }, gender: 'GENDER_FEMALE', preferredLanguage: 'de' },
        phone: { phone: '+41791234567', isPhoneVerified: true },
        // Of the password, not of its newest hash.
        passwordChanged: '2024-01-01T00:02:00.000Z',
      },
    });
    expect(personOf(whole, IDS.nele)['state']).toBe('USER_STATE_INITIAL');
    expect(personOf(whole, IDS.bodo)).toMatchObject({
      state: 'USER_STATE_LOCKED',
      user: { passwordChangeRequired: true },
    });
    expect(personOf(whole, IDS.emil)).toMatchObject({ state: 'USER_STATE_INACTIVE', awaitsSetUp: true });
    expect(personOf(whole, IDS.fritz)).toBeUndefined();
  });

  it('keeps passkeys and security keys, with the domain that each was made for and its highest count', () => {
    const common = {
      publicKey: PASSKEY.coseKey.toString('base64'),
      aaguid: '07070707-0707-0707-0707-070707070707',
      userHandle: Buffer.from(IDS.pia).toString('base64'),
    };
    expect(personOf(whole, IDS.pia)['user'].passkeys).toEqual([
      {
        ...common,
        credentialId: Buffer.from(PASSKEY.credentialId, 'base64url').toString('base64'),
        counter: 9,
        name: 'key 1',
        rpId: RP_ID,
        creationDate: '2024-01-01T00:03:00.000Z',
      },
      {
        ...common,
        credentialId: Buffer.from('key 2').toString('base64'),
        counter: 1,
        name: 'key 2',
        rpId: 'login.birkenhof.example',
        isSecondFactor: true,
        creationDate: '2024-01-01T00:05:00.000Z',
      },
    ]);
  });

  it('takes the domain of passkeys that do not name theirs from the operator', async () => {
    const keys = personOf(await convert({ rpId: 'birkenhof.example' }), IDS.pia)['user'].passkeys as Org[];
    expect(keys.map(({ rpId }) => rpId)).toEqual(['birkenhof.example', 'login.birkenhof.example']);
  });

  it('keeps roles, grants and managers, but for roles that are gone', () => {
    const [own, partner] = whole.orgs;
    expect(own!['projects'].map(({ projectId }: Org) => projectId)).toEqual([IDS.project]);
    expect(own).toMatchObject({
      userGrants: [{ id: 'grant-of-ilse', roleKeys: ['dispatcher'] }],
      projectGrants: [{ grantId: IDS.grant, projectGrant: { grantedOrgId: PARTNER, roleKeys: ['driver'] } }],
      orgMembers: [{ userId: IDS.ilse, roles: ['ORG_OWNER'] }],
      projectMembers: [{ projectId: IDS.project, userId: IDS.dora, roles: ['PROJECT_OWNER'] }],
      groups: [{ groupId: 'g1', name: 'Drivers' }],
      groupMembers: [{ groupId: 'g1', userId: IDS.ilse }],
    });
    expect(partner).toMatchObject({
      userGrants: [{ id: 'grant-of-piet', projectGrantId: IDS.grant, roleKeys: ['driver'] }],
      projectGrantMembers: [{ grantId: IDS.grant, userId: IDS.piet, roles: ['PROJECT_GRANT_OWNER'] }],
    });
  });

  it('writes providers of the instance into organizations that offer them, each under an id of its own', () => {
    const ids = whole.orgs.map((org) => (org['oidcIdps'] as Org[]).map(({ idpId, idp }) => [idpId, idp.name]));
    expect(ids).toEqual([
      [
        [IDS.oidc, 'Partner login'],
        [IDS.google, 'Google'],
      ],
      [[expect.stringMatching(/^zitadel-[0-9a-f]{24}$/), 'Google']],
    ]);
    expect(whole.orgs[0]!['userLinks']).toMatchObject([
      { idpId: IDS.oidc, providedUserId: 'karl-at-partner' },
      { idpId: IDS.google, providedUserId: '110169484474386276334' },
    ]);
  });

  it('or leads their links and policies to providers that were set up at the target', async () => {
    const { orgs, report } = await convert({ providers: new Map([[IDS.google, 'new-google']]) });
    expect(orgs.map((org) => ((org['oidcIdps'] ?? []) as Org[]).map(({ idpId }) => idpId))).toEqual([[IDS.oidc], []]);
    expect(orgs[1]!['loginPolicy'].idps).toEqual([{ idpId: 'new-google' }]);
    expect((orgs[0]!['userLinks'] as Org[]).map(({ idpId }) => idpId)).toEqual([IDS.oidc, 'new-google']);
    expect([...notesOf(report).keys()].join()).not.toContain('Identity providers of the instance: they');
  });

  it('writes providers and applications of the kinds that extensions of the target bring', async () => {
    const { orgs } = await convert({ extensions: ['social', 'saml', 'ldap'] });
    expect(orgs[0]).toMatchObject({
      extensionIdps: [
        { idpId: IDS.google, idp: { kind: 'ext:social-google', clientSecret: GOOGLE_SECRET } },
        { idpId: IDS.github, idp: { kind: 'ext:social-github', clientId: 'hub' } },
        { idpId: IDS.entra, idp: { kind: 'ext:social-entra', settings: { tenants: [TENANT] } } },
        { idpId: IDS.directory, idp: { kind: 'ext:ldap', settings: { bindPassword: BIND_PASSWORD } } },
      ],
      extensionApps: [{ appId: IDS.saml, app: { kind: 'ext:saml', name: 'Wiki' } }],
      extensions: { saml: { application: [{ client_id: IDS.saml, entity_id: 'https://wiki.example/saml' }] } },
    });
    const links = (orgs[0]!['userLinks'] as Org[]).map(({ idpId, providedUserId }) => [idpId, providedUserId]);
    expect(links).toEqual(
      expect.arrayContaining([
        [IDS.github, '583231'],
        [IDS.entra, `${TENANT}.5a0c2e1b-7d8f-4e21-9c3a-1b2c3d4e5f60`],
        [IDS.directory, 'b1f3a0de-1f0b-4a5e-9f0e-3c2d1a0b9c8d'],
      ]),
    );
  });

  it('is that of the chosen organizations, whose grants lead nowhere else', async () => {
    const { orgs, report } = await convert({ orgIds: [ORG] });
    expect(orgs.map(({ orgId }) => orgId)).toEqual([ORG]);
    expect(orgs[0]!['projectGrants']).toEqual([]);
    expect(notesOf(report).get('Organizations that were not selected')?.examples).toEqual([`${PARTNER} Partner`]);
  });

  it('is the same each time', async () => {
    expect((await convert()).text).toBe(whole.text);
  });
});

describe('The report names everything that has no counterpart', () => {
  it.each([
    ['Managers of the instance: grant their roles by hand', true, 'ilse IAM_OWNER'],
    ['Personal access tokens: they are not in the database; give their users new ones', true, 'tour-sync pat-1'],
    ['Users with codes by SMS: they need another second factor', true, 'dora'],
    ['Links to identity providers that are left out', true, `${IDS.karl} ${IDS.github}`],
    [
      'Identity providers that need the extension "social" at the target: name it with --target-extensions social: left out with their links',
      true,
      `${IDS.github} GitHub`,
    ],
    [
      'SAML applications: left out; load the extension "saml" at the target and name it with --target-extensions saml',
      true,
      'Wiki',
    ],
    [
      'Redirect URIs with a wildcard: left out; register the addresses',
      true,
      '840000000000000412@touren https://board.example/*',
    ],
    [
      'Pictures of a label that cannot be kept: upload them again, as PNG or JPEG',
      true,
      'Birkenhof Logistik logoDarkImage: must be a PNG or a JPEG',
    ],
    ['Grants of roles that their project does not have: left out', false, 'grant-of-ilse'],
    ['Roles of managers without a counterpart', false, `${IDS.ilse} SELF_MANAGEMENT_GLOBAL`],
    ['Settings of the mail server: set SMTP_URL', false, 'projections.smtp_configs5: 1'],
    ['Pictures of users: they upload them again', false, 'ilse'],
    ['Users who have not set up their account: the code in their mail is not valid here, send another', false, 'nele'],
  ])('%s', (kind, important, example) => {
    expect(notesOf(whole.report).get(kind)).toMatchObject({ important });
    expect(notesOf(whole.report).get(kind)?.examples).toContain(example);
  });

  it('tables and columns that are not known, so that it is complete whatever the version', async () => {
    await source.run(
      'CREATE TABLE projections.horses2 (instance_id text, name text)',
      "INSERT INTO projections.horses2 SELECT id, 'Rosa' FROM projections.instances",
      'ALTER TABLE projections.projects4 ADD colour text',
      `GRANT SELECT ON projections.horses2 TO ${source.role}`,
    );
    const notes = notesOf((await convert()).report);
    expect(notes.get('Tables that are not known here: not read')?.examples).toEqual(['projections.horses2: 1']);
    expect(notes.get('Columns that are not known here: not read')?.examples).toEqual(['projections.projects4.colour']);
    await source.run('DROP TABLE projections.horses2', 'ALTER TABLE projections.projects4 DROP colour');
  });

  it('what is sealed, if there is no master key', async () => {
    const { orgs, report } = await convert({ masterKey: undefined });
    expect(notesOf(report).get('Authenticator apps: their seeds are sealed; give the master key')).toMatchObject({
      important: true,
      examples: ['dora'],
    });
    expect(
      notesOf(report).get('Identity providers whose secret is sealed: give the master key; set it')?.examples,
    ).toContain(`${IDS.oidc} Partner login`);
    expect(JSON.stringify(orgs)).not.toContain(TOTP_SEED);
  });

  it('and contains no secret', () => {
    const told = `${JSON.stringify(whole.report.toJson())}${whole.report.toText()}`;
    const secrets = [
      PASSWORD,
      WEB_SECRET,
      SYNC_SECRET,
      TOTP_SEED,
      IDP_SECRET,
      GOOGLE_SECRET,
      RECOVERY_CODE,
      MASTER_KEY,
    ];
    for (const secret of [...secrets, '$2b$']) expect(told).not.toContain(secret);
  });
});

describe('The database', () => {
  it('is only read: these conversions are those of a role that may do nothing else', async () => {
    const asRole = { connectionString: source.url };
    for (const statement of ["UPDATE projections.orgs1 SET name = ''", 'DELETE FROM eventstore.events2'])
      await expect(runSql(asRole, statement)).rejects.toThrow('permission denied');
    await expect(runSql(asRole, 'CREATE TABLE projections.mine (id text)')).rejects.toThrow('permission denied');
  });

  it('is refused with the wrong master key, and with one that cannot be one', async () => {
    await expect(convert({ masterKey: 'x'.repeat(32) })).rejects.toThrow(
      'The master key does not open the secrets of this database',
    );
    await expect(convert({ masterKey: 'short' })).rejects.toThrow('must be 32 bytes long, and is 5');
  });

  it('is refused where a table or a column is missing that is needed, by its name', async () => {
    const older = await SourceFixture.open(world.database.connection, '3');
    const from = async (): Promise<Converted> => convertFrom(older.url);
    try {
      await older.run('ALTER TABLE projections.users14 RENAME username TO login');
      await expect(from()).rejects.toThrow('The table projections.users14 has no column username');
      await older.run('ALTER TABLE projections.users14 RENAME login TO username', 'DROP TABLE projections.apps7');
      await expect(from()).rejects.toThrow('The database has no table projections.apps<N>');
      await older.run(`REVOKE ALL ON ALL TABLES IN SCHEMA projections FROM ${older.role}`);
      await expect(from()).rejects.toThrow('has no tables in the schema "projections" that this role may read');
    } finally {
      await older.close();
    }
  });

  it('is refused without its password in any message', async () => {
    const nowhere = convertFrom('postgres://reader:hunter2@127.0.0.1:1/zitadel');
    await expect(nowhere).rejects.toThrow(/^The database cannot be read: (?!.*hunter2)/);
    await expect(convertFrom(world.database.url)).rejects.toThrow('has no tables in the schema "projections"');
  });

  it('says which instances it has if there are several, and which organizations are not there', async () => {
    await source.run(
      `INSERT INTO projections.instances
       SELECT '2', name, default_org_id, iam_project_id, '', '', '' FROM projections.instances`,
    );
    await expect(convert()).rejects.toThrow('choose one with --instance (2, 840000000000000001)');
    expect((await convert({ instanceId: '840000000000000001' })).text).toBe(whole.text);
    await expect(convert({ instanceId: '3' })).rejects.toThrow('There is no instance 3');
    await source.run("DELETE FROM projections.instances WHERE id = '2'");
    await expect(convert({ orgIds: ['nowhere'] })).rejects.toThrow('There is no organization nowhere');
  });

  it('is read at one moment, whatever changes meanwhile', async () => {
    const document = convertFrom(source.url);
    // All rows are read in one transaction, which begins with the first of them.
    await source.run("UPDATE projections.orgs1 SET name = name || ' neu'");
    const names = (await document).orgs.map(({ org }) => org.name as string);
    expect(new Set(names.map((name) => name.endsWith(' neu'))).size).toBe(1);
    await source.run("UPDATE projections.orgs1 SET name = replace(name, ' neu', '')");
  });
});
