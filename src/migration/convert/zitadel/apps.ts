import type { ClientGrantType, ResponseType } from '../../../project/client/client.entity.js';
import { originProblem } from '../../../project/client/origin.js';
import { flagOf, type Stored, textOf } from '../../part/part.js';
import type { Entry } from '../document.js';
import type { TableFacts } from './layout.js';
import { KEYS, keyOf, secretOf } from './machines.js';
import { PROJECTS } from './projects.js';
import { ACTIVE, numberOf, numbersIn, type Source, type SourceOrg, secondsOf, textsIn, wordOf } from './source.js';

const APPS: TableFacts = {
  table: 'apps',
  needs: ['id', 'instance_id', 'resource_owner', 'project_id', 'name', 'state'],
};
const OIDC: TableFacts = {
  table: 'apps',
  part: 'oidc_configs',
  needs: [
    'app_id',
    'instance_id',
    'client_id',
    'client_secret',
    'redirect_uris',
    'response_types',
    'grant_types',
    'application_type',
    'auth_method_type',
    'post_logout_redirect_uris',
    'is_dev_mode',
    'access_token_type',
    'access_token_role_assertion',
    'id_token_role_assertion',
    'id_token_userinfo_assertion',
    'clock_skew',
    'additional_origins',
  ],
  may: ['version', 'skip_native_app_success_page', 'back_channel_logout_uri', 'login_version', 'login_base_uri'],
};
const API: TableFacts = {
  table: 'apps',
  part: 'api_configs',
  needs: ['app_id', 'instance_id', 'client_id', 'client_secret', 'auth_method'],
};
const SAML: TableFacts = {
  table: 'apps',
  part: 'saml_configs',
  needs: ['app_id', 'instance_id', 'entity_id', 'metadata'],
  may: ['metadata_url', 'login_version', 'login_base_uri'],
};

/** What the source says about people, by its names. */
const SAML_ATTRIBUTES = [
  { source: 'email', name: 'Email' },
  { source: 'lastName', name: 'SurName' },
  { source: 'firstName', name: 'FirstName' },
  { source: 'displayName', name: 'FullName' },
  { source: 'loginName', name: 'UserName' },
  { source: 'id', name: 'UserID' },
];
const RESPONSE_TYPES: Readonly<Record<number, ResponseType>> = { 0: 'code', 1: 'id_token', 2: 'id_token token' };
const GRANT_TYPES: Readonly<Record<number, ClientGrantType>> = {
  0: 'authorization_code',
  1: 'implicit',
  2: 'refresh_token',
  3: 'device_code',
  4: 'token_exchange',
};
const APP_TYPES = { 0: 'web', 1: 'user_agent', 2: 'native' } as const;
const AUTH_METHODS = {
  0: 'client_secret_basic',
  1: 'client_secret_post',
  2: 'none',
  3: 'private_key_jwt',
} as const;
/** Pages of its own: 1 those of the service as they were, 2 those of another program. */
const OWN_PAGES = 2;
const REMOVED = 3;
const MAX_CLIENT_ID_CHARACTERS = 200;

/** The applications of an instance, organization by organization. */
export class AppReader {
  constructor(private readonly source: Source) {}

  async *oidcAppsOf(org: SourceOrg): AsyncGenerator<Entry<'oidcApps'>> {
    for await (const row of this.rowsOf(OIDC, org)) {
      const clientId = this.clientIdOf(row);
      if (clientId === undefined) continue;
      yield {
        appId: textOf(row, 'id'),
        clientId,
        state: wordOf(ACTIVE, row['state']) ?? 'active',
        secretHash: secretOf(row['client_secret'], clientId, 'Applications', this.source),
        app: this.toOidc(row, clientId),
      };
    }
  }

  async *apiAppsOf(org: SourceOrg): AsyncGenerator<Entry<'apiApps'>> {
    for await (const row of this.rowsOf(API, org)) {
      const clientId = this.clientIdOf(row);
      if (clientId === undefined) continue;
      yield {
        appId: textOf(row, 'id'),
        clientId,
        state: wordOf(ACTIVE, row['state']) ?? 'active',
        secretHash: secretOf(row['client_secret'], clientId, 'Applications', this.source),
        app: {
          projectId: textOf(row, 'project_id'),
          name: textOf(row, 'name'),
          authMethodType: numberOf(row['auth_method']) === 1 ? 'private_key_jwt' : 'client_secret_basic',
        },
      };
    }
  }

  /** Of the kinds above: keys of applications that are not converted would belong to nothing. */
  async *keysOf(org: SourceOrg): AsyncGenerator<Entry<'appKeys'>> {
    const { database, instance } = this.source;
    const keys = database.layout.find(KEYS);
    const apps = database.layout.find(APPS);
    const sql = `SELECT ${keys.columns('k')}, a.project_id
      FROM ${keys.name} k
      JOIN ${apps.name} a ON a.instance_id = k.instance_id AND a.id = k.object_id AND a.state < ${REMOVED}
      WHERE k.instance_id = :instanceId AND ${this.isOwn('a')}
      ORDER BY k.id`;
    for await (const row of database.rows(sql, {
      instanceId: instance.id,
      orgId: org.id,
      systemProjectId: instance.systemProjectId,
    })) {
      const key = keyOf(row, this.source);
      if (key)
        yield { id: key.id, projectId: textOf(row, 'project_id'), appId: key.objectId, type: 'json', ...key.rest };
    }
  }

  /** Applications of a protocol that an extension answers: their entries, and the rows of the extension. */
  async samlAppsOf(
    org: SourceOrg,
  ): Promise<{ readonly apps: ReadonlyArray<Entry<'extensionApps'>>; readonly rows: readonly object[] }> {
    const { report, extensions } = this.source;
    const apps: Array<Entry<'extensionApps'>> = [];
    const rows: object[] = [];
    if (!this.source.database.layout.findIfAny(SAML)) return { apps, rows };
    for await (const row of this.rowsOf(SAML, org)) {
      const [appId, name] = [textOf(row, 'id'), textOf(row, 'name')];
      const metadata = row['metadata'];
      const hasMetadata = Buffer.isBuffer(metadata) && metadata.length > 0;
      if (!extensions.has('saml') || !hasMetadata) {
        report.lose(
          `SAML applications: left out${hasMetadata ? '; load the extension "saml" at the target and name it with --target-extensions saml' : ', since their metadata is not in the database'}`,
          name,
        );
        continue;
      }
      report.lose(
        'SAML applications: they knew people by their login names, and know them here by their e-mail addresses (NameID)',
        name,
      );
      apps.push({
        appId,
        clientId: appId,
        state: wordOf(ACTIVE, row['state']) ?? 'active',
        app: { projectId: textOf(row, 'project_id'), name, kind: 'ext:saml' },
      });
      rows.push({
        client_id: appId,
        entity_id: textOf(row, 'entity_id'),
        metadata: metadata.toString('utf8'),
        metadata_url: textOf(row, 'metadata_url'),
        read_at: new Date(0).toISOString(),
        name_id_format: 'emailAddress',
        attributes: SAML_ATTRIBUTES,
        allow_idp_initiated: false,
        require_signed_requests: false,
      });
    }
    return { apps, rows };
  }

  private async *rowsOf(facts: TableFacts, org: SourceOrg): AsyncGenerator<Stored> {
    const { database, instance } = this.source;
    const apps = database.layout.find(APPS);
    const configs = database.layout.find(facts);
    const sql = `SELECT ${configs.columns('c')}, ${apps.columns('a')}
      FROM ${apps.name} a
      JOIN ${configs.name} c ON c.instance_id = a.instance_id AND c.app_id = a.id
      WHERE a.instance_id = :instanceId AND ${this.isOwn('a')} AND a.state < ${REMOVED}
      ORDER BY a.id`;
    yield* database.rows(sql, { instanceId: instance.id, orgId: org.id, systemProjectId: instance.systemProjectId });
  }

  /** Whether the project of `alias` is one of `:orgId`, and not that of the service itself (`:systemProjectId`). */
  private isOwn(alias: string): string {
    const { name } = this.source.database.layout.find(PROJECTS);
    return `EXISTS (
        SELECT 1 FROM ${name} p
        WHERE p.instance_id = :instanceId AND p.id = ${alias}.project_id AND p.resource_owner = :orgId AND p.id <> :systemProjectId
          AND p.state < ${REMOVED}
      )`;
  }

  private clientIdOf(row: Stored): string | undefined {
    const clientId = textOf(row, 'client_id');
    if (clientId !== '' && [...clientId].length <= MAX_CLIENT_ID_CHARACTERS) return clientId;
    this.source.report.lose('Applications without a client id: left out', textOf(row, 'name'));
    return undefined;
  }

  private toOidc(row: Stored, clientId: string): Entry<'oidcApps'>['app'] {
    const { report } = this.source;
    const origins = textsIn(row, 'additional_origins').filter((origin) => {
      const isOrigin = originProblem(origin) === undefined;
      if (!isOrigin) report.note('Web origins that are not valid: left out', `${clientId} ${origin}`);
      return isOrigin;
    });
    const baseUri = textOf(row, 'login_base_uri');
    if (baseUri !== '')
      report.lose(
        'Applications with sign-in pages of another program, which it must serve by the API here',
        `${clientId} ${baseUri}`,
      );
    return {
      projectId: textOf(row, 'project_id'),
      name: textOf(row, 'name'),
      redirectUris: this.exact(row, 'redirect_uris', clientId),
      postLogoutRedirectUris: this.exact(row, 'post_logout_redirect_uris', clientId),
      responseTypes: numbersIn(row, 'response_types').flatMap((number) => RESPONSE_TYPES[number] ?? []),
      grantTypes: numbersIn(row, 'grant_types').flatMap((number) => GRANT_TYPES[number] ?? []),
      appType: wordOf(APP_TYPES, row['application_type']) ?? 'web',
      authMethodType: wordOf(AUTH_METHODS, row['auth_method_type']) ?? 'client_secret_basic',
      devMode: flagOf(row, 'is_dev_mode'),
      accessTokenType: numberOf(row['access_token_type']) === 1 ? 'jwt' : 'opaque',
      accessTokenRoleAssertion: flagOf(row, 'access_token_role_assertion'),
      idTokenRoleAssertion: flagOf(row, 'id_token_role_assertion'),
      idTokenUserinfoAssertion: flagOf(row, 'id_token_userinfo_assertion'),
      clockSkew: secondsOf(row['clock_skew']),
      additionalOrigins: [...new Set(origins)],
      skipNativeAppSuccessPage: flagOf(row, 'skip_native_app_success_page'),
      backChannelLogoutUri: textOf(row, 'back_channel_logout_uri'),
      ...(numberOf(row['login_version']) === OWN_PAGES && baseUri !== ''
        ? { loginVersion: { loginV2: { baseUri } } }
        : {}),
    };
  }

  /** Wildcards, which the source allows in development mode, are no addresses here. */
  private exact(row: Stored, column: string, clientId: string): string[] {
    return textsIn(row, column).filter((uri) => {
      const isExact = !uri.includes('*');
      if (!isExact)
        this.source.report.lose(
          'Redirect URIs with a wildcard: left out; register the addresses',
          `${clientId} ${uri}`,
        );
      return isExact;
    });
  }
}
