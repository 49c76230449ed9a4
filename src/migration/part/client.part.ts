import type {
  ClientAuthMethod,
  ClientGrantType,
  ClientType,
  LoginVersion,
  ResponseType,
} from '../../client/client.entity.js';
import { type NewClient, settingsViolations } from '../../client/client-settings.js';
import { newId } from '../../foundation/crypto/id.js';
import { choice, choices, flag, Message, part, span, text, texts } from '../document/field.js';
import { inQuotes, noted, OWN, orgNamed, quoted, refersTo, type Stage, staging } from '../stage.js';
import { toFittingClient } from './fitting-client.js';
import { idIfAny, idOf, ownId } from './ids.js';
import {
  definePart,
  type ExportOptions,
  flagOf,
  forEach,
  listIn,
  OWNED_PROJECTS,
  type Part,
  type Section,
  type Stored,
  textOf,
} from './part.js';
import { notOfSystem, projectStage } from './project.part.js';
import { stageSecret, storedSecret, toSecretHash } from './stored-secret.js';
import { headerType } from './token-header-type.js';

const RESPONSE_TYPE = {
  OIDC_RESPONSE_TYPE_CODE: [0, 'code'],
  OIDC_RESPONSE_TYPE_ID_TOKEN: [1, 'id_token'],
  OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN: [2, 'id_token token'],
} as const;
const GRANT_TYPE = {
  OIDC_GRANT_TYPE_AUTHORIZATION_CODE: [0, 'authorization_code'],
  OIDC_GRANT_TYPE_IMPLICIT: [1, 'implicit'],
  OIDC_GRANT_TYPE_REFRESH_TOKEN: [2, 'refresh_token'],
  OIDC_GRANT_TYPE_DEVICE_CODE: [3, 'device_code'],
  OIDC_GRANT_TYPE_TOKEN_EXCHANGE: [4, 'token_exchange'],
} as const;
const APP_TYPE = {
  OIDC_APP_TYPE_WEB: [0, 'web'],
  OIDC_APP_TYPE_USER_AGENT: [1, 'user_agent'],
  OIDC_APP_TYPE_NATIVE: [2, 'native'],
} as const;
const OIDC_AUTH_METHOD = {
  OIDC_AUTH_METHOD_TYPE_BASIC: [0, 'client_secret_basic'],
  OIDC_AUTH_METHOD_TYPE_POST: [1, 'client_secret_post'],
  OIDC_AUTH_METHOD_TYPE_NONE: [2, 'none'],
  OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: [3, 'private_key_jwt'],
} as const;
const API_AUTH_METHOD = {
  API_AUTH_METHOD_TYPE_BASIC: [0, 'client_secret_basic'],
  API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: [1, 'private_key_jwt'],
} as const;
const TOKEN_TYPE = { OIDC_TOKEN_TYPE_BEARER: [0, 'opaque'], OIDC_TOKEN_TYPE_JWT: [1, 'jwt'] } as const;
const APP_STATE = {
  APP_STATE_UNSPECIFIED: [0, 'unspecified'],
  APP_STATE_ACTIVE: [1, 'active'],
  APP_STATE_INACTIVE: [2, 'inactive'],
} as const;

const COLUMNS = [
  'client_id',
  'project_id',
  'kind',
  'name',
  'state',
  'auth_method',
  'strict_auth_method',
  'secret_hash',
  'client_type',
  'redirect_uris',
  'post_logout_redirect_uris',
  'response_types',
  'grant_types',
  'access_token_type',
  'access_token_header_type',
  'access_token_role_assertion',
  'id_token_role_assertion',
  'id_token_userinfo_assertion',
  'flat_roles_claim',
  'dev_mode',
  'consent_page',
  'clock_skew_seconds',
  'additional_origins',
  'skip_native_app_success_page',
  'back_channel_logout_uri',
  'login_version',
  'login_base_uri',
  'access_token_seconds',
  'id_token_seconds',
];

const serviceUserHas = (name: string): string =>
  `EXISTS (SELECT 1 FROM user_account u WHERE u.kind = 'service' AND u.name_scope = '' AND u.user_name_key = lower(${name}) AND u.user_name = ${name})
   OR EXISTS (SELECT 1 FROM user_account u WHERE u.id = ${name} AND u.kind = 'service')
   OR EXISTS (SELECT 1 FROM ${staging('user_account')} u WHERE u.user_name = ${name} AND u.kind = 'service') OR EXISTS (SELECT 1 FROM ${staging('user_account')} u WHERE u.id = ${name} AND u.kind = 'service')`;

/** A stored application, as named in refusals. */
const APPLICATION = `'the application ' || t.id || ' (' || t.name || ') of ' || ${orgNamed('(SELECT p.org_id FROM project p WHERE p.id = t.project_id)')}`;
/** The described system exports neither client ids nor secrets. */
const NO_SECRET = 'is not in the document: the application cannot authenticate before a secret is generated for it';

export const clientStage: Stage = {
  table: 'client',
  name: 'an application',
  key: ['id'],
  columns: COLUMNS,
  unsaid: ['secret_hash'],
  ownerOf: (t) => `(SELECT o.org_id FROM project o WHERE o.id = ${t}.project_id)`,
  // A key names the client id that it is registered for; keep that if the application itself has none.
  prepare: [
    `UPDATE ${staging('client')} s SET _notes = ${noted('s', `s._path || '.secretHash'`, quoted(NO_SECRET))}
     WHERE s.client_id IS NULL AND s.secret_hash IS NULL AND s.auth_method IN ('client_secret_basic', 'client_secret_post')`,
    `UPDATE ${staging('client')} s SET client_id = k.told FROM (SELECT client_row_id AS id, _org, min(told_client_id) AS told FROM ${staging('client_key')} WHERE told_client_id <> '' GROUP BY 1, 2) k
     WHERE s.client_id IS NULL AND k.id = s.id AND k._org = s._org AND NOT EXISTS (SELECT 1 FROM client t WHERE t.id = s.id)`,
    `UPDATE ${staging('client')} s SET client_id = coalesce((SELECT t.client_id FROM client t WHERE t.id = s.id), s.id),
       _notes = ${noted('s', `s._path || '.clientId'`, `'is not in the document: it is ' || s.id || ' here. Change it in the application'`)}
     WHERE s.client_id IS NULL`,
  ],
  uniques: [
    {
      columns: ['client_id'],
      says: 'has the client id',
      value: inQuotes('{}.client_id'),
      holder: `', which ' || ${APPLICATION} || ' has here'`,
    },
    {
      columns: ['project_id', 'name'],
      says: 'has the name',
      value: inQuotes('{}.name'),
      holder: `', which ' || ${APPLICATION} || ' has in the same project'`,
    },
  ],
  checks: [
    notOfSystem(),
    refersTo('project_id', projectStage, {
      ...OWN,
      says: 'belongs to a project that is neither in the document nor in this organization',
    }),
    {
      breaks: () => `${serviceUserHas('s.client_id')} OR ${serviceUserHas('s.id')}`,
      says: 'has a client id, or id, that is the name or id of a service user',
      verdict: 'conflict',
    },
  ],
};

const NAME = text(2, { min: 1, max: 200 });
const URIS = { max: 2_000, maxItems: 100 };

const SECRET_HINT = 'is not read: send secretHash, the SHA-256 of the secret in base64, or a slow hash of it';
const HINTS = { hints: { clientSecret: SECRET_HINT, hashedClientSecret: SECRET_HINT, clientSecretHash: SECRET_HINT } };

const LOGIN_VERSION = new Message({
  loginV1: part(1, new Message({})),
  loginV2: part(2, new Message({ baseUri: text(1, { max: 2_000 }) })),
});
const OIDC = new Message(
  {
    projectId: idOf(1),
    name: NAME,
    redirectUris: texts(3, URIS),
    responseTypes: choices(4, RESPONSE_TYPE),
    grantTypes: choices(5, GRANT_TYPE),
    appType: choice(6, APP_TYPE),
    authMethodType: choice(7, OIDC_AUTH_METHOD),
    postLogoutRedirectUris: texts(8, URIS),
    version: choice(9, { OIDC_VERSION_1_0: [0, '1.0'] }),
    devMode: flag(10),
    accessTokenType: choice(11, TOKEN_TYPE),
    accessTokenRoleAssertion: flag(12),
    idTokenRoleAssertion: flag(13),
    idTokenUserinfoAssertion: flag(14),
    clockSkew: span(15),
    additionalOrigins: texts(16, { max: 500, maxItems: 100 }),
    skipNativeAppSuccessPage: flag(17),
    backChannelLogoutUri: text(18, { max: 2_000 }),
    loginVersion: part(19, LOGIN_VERSION),
    consentPage: flag(100),
    flatRolesClaim: flag(101),
    accessTokenLifetime: span(102),
    idTokenLifetime: span(103),
    accessTokenHeaderType: headerType(104),
    strictAuthMethod: flag(105),
  },
  ['projectId', 'name'],
  HINTS,
);
const API = new Message(
  { projectId: idOf(1), name: NAME, authMethodType: choice(3, API_AUTH_METHOD), strictAuthMethod: flag(100) },
  ['projectId', 'name'],
  HINTS,
);

/** What both kinds contain besides their settings. */
const APP = { appId: ownId(1), clientId: idIfAny(100), state: choice(101, APP_STATE), secretHash: storedSecret(102) };

interface About {
  readonly appId: string;
  readonly clientId: string;
  readonly state: 'unspecified' | 'active' | 'inactive';
  readonly secretHash: string;
}

function stageClient(section: Section, type: 'oidc_app' | 'api_app', about: About, given: NewClient): void {
  const settings = toFittingClient(
    { ...given, ...(about.clientId === '' ? {} : { clientId: about.clientId }) },
    `${section.path}.app`,
    section.faults,
  );
  section.faults.addAll(`${section.path}.app`, settingsViolations(settings));
  const id = about.appId || newId();
  const { name, projectId, kind, authMethod } = settings;
  section.stage(
    clientStage,
    {
      id,
      client_id: about.clientId || null,
      project_id: projectId,
      kind,
      name,
      auth_method: authMethod,
      strict_auth_method: settings.strictAuthMethod ?? false,
      state: about.state === 'unspecified' ? 'active' : about.state,
      secret_hash: stageSecret(about.secretHash, section),
      client_type: settings.clientType ?? 'web',
      redirect_uris: settings.redirectUris ?? [],
      post_logout_redirect_uris: settings.postLogoutRedirectUris ?? [],
      response_types: settings.responseTypes ?? [],
      grant_types: settings.grantTypes ?? [],
      access_token_type: settings.accessTokenType ?? 'opaque',
      access_token_header_type: settings.accessTokenHeaderType ?? section.accessTokenHeaderType,
      access_token_role_assertion: settings.accessTokenRoleAssertion ?? false,
      id_token_role_assertion: settings.idTokenRoleAssertion ?? false,
      id_token_userinfo_assertion: settings.idTokenUserinfoAssertion ?? false,
      flat_roles_claim: settings.flatRolesClaim ?? false,
      dev_mode: settings.devMode ?? false,
      consent_page: settings.consentPage ?? false,
      clock_skew_seconds: settings.clockSkewSeconds ?? 0,
      additional_origins: settings.additionalOrigins ?? [],
      skip_native_app_success_page: settings.skipNativeAppSuccessPage ?? false,
      back_channel_logout_uri: settings.backChannelLogoutUri ?? '',
      login_version: settings.loginVersion ?? 'unspecified',
      login_base_uri: settings.loginBaseUri ?? null,
      access_token_seconds: settings.accessTokenSeconds ?? null,
      id_token_seconds: settings.idTokenSeconds ?? null,
    },
    { type, id, done: id },
  );
}

function selectOf(kind: 'oidc' | 'api'): string {
  return `SELECT c.id, ${COLUMNS.map((column) => `c.${column}`).join(', ')} 
    FROM ${OWNED_PROJECTS} p ${forEach(`SELECT * FROM client WHERE project_id = p.id AND kind = '${kind}'`)} c
    WHERE $2::text[] IS NOT NULL ORDER BY c.id`;
}

function aboutOf(row: Stored, options: ExportOptions): About {
  return {
    appId: textOf(row, 'id'),
    clientId: textOf(row, 'client_id'),
    state: row['state'] as 'active',
    secretHash: toSecretHash(row, options),
  };
}

export const apiAppPart: Part = definePart({
  member: 'apiApps',
  number: 12,
  stages: [clientStage],
  message: new Message({ ...APP, app: part(2, API) }, ['app'], HINTS),
  take({ app, ...about }, section) {
    if (app)
      stageClient(section, 'api_app', about, {
        projectId: app.projectId,
        kind: 'api',
        name: app.name,
        authMethod: app.authMethodType,
        strictAuthMethod: app.strictAuthMethod,
      });
  },
  select: selectOf('api'),
  toEntry: (row, options) => ({
    ...aboutOf(row, options),
    app: {
      projectId: textOf(row, 'project_id'),
      name: textOf(row, 'name'),
      authMethodType: row['auth_method'] as 'private_key_jwt',
      strictAuthMethod: flagOf(row, 'strict_auth_method'),
    },
  }),
});

export const oidcAppPart: Part = definePart({
  member: 'oidcApps',
  number: 13,
  stages: [clientStage],
  message: new Message({ ...APP, app: part(2, OIDC) }, ['app'], HINTS),
  take({ app, ...about }, section) {
    if (!app) return;
    const {
      authMethodType,
      appType,
      clockSkew,
      accessTokenLifetime,
      idTokenLifetime,
      loginVersion: version,
      responseTypes,
      grantTypes,
      redirectUris,
      postLogoutRedirectUris,
      additionalOrigins,
      accessTokenHeaderType,
      version: _,
      ...same
    } = app;
    const loginVersion: LoginVersion = version?.loginV2 ? 'v2' : version?.loginV1 ? 'v1' : 'unspecified';
    stageClient(section, 'oidc_app', about, {
      ...same,
      kind: 'oidc',
      authMethod: authMethodType,
      clientType: appType,
      responseTypes: [...responseTypes],
      grantTypes: [...grantTypes],
      redirectUris: [...redirectUris],
      postLogoutRedirectUris: [...postLogoutRedirectUris],
      additionalOrigins: [...additionalOrigins],
      clockSkewSeconds: clockSkew ?? 0,
      accessTokenSeconds: accessTokenLifetime ?? null,
      ...(accessTokenHeaderType === 'unspecified' ? {} : { accessTokenHeaderType }),
      idTokenSeconds: idTokenLifetime ?? null,
      loginVersion,
      loginBaseUri: version?.loginV2?.baseUri || null,
    });
  },
  select: selectOf('oidc'),
  toEntry(row, options) {
    const version = textOf(row, 'login_version');
    const seconds = (column: string): number | undefined => (row[column] as number | null) ?? undefined;
    return {
      ...aboutOf(row, options),
      app: {
        projectId: textOf(row, 'project_id'),
        name: textOf(row, 'name'),
        redirectUris: listIn(row, 'redirect_uris'),
        responseTypes: listIn<ResponseType>(row, 'response_types'),
        grantTypes: listIn<ClientGrantType>(row, 'grant_types'),
        appType: row['client_type'] as ClientType,
        authMethodType: row['auth_method'] as ClientAuthMethod,
        postLogoutRedirectUris: listIn(row, 'post_logout_redirect_uris'),
        version: '1.0',
        devMode: flagOf(row, 'dev_mode'),
        accessTokenType: row['access_token_type'] as 'opaque',
        accessTokenHeaderType: row['access_token_header_type'] as 'JWT',
        strictAuthMethod: flagOf(row, 'strict_auth_method'),
        accessTokenRoleAssertion: flagOf(row, 'access_token_role_assertion'),
        idTokenRoleAssertion: flagOf(row, 'id_token_role_assertion'),
        idTokenUserinfoAssertion: flagOf(row, 'id_token_userinfo_assertion'),
        clockSkew: seconds('clock_skew_seconds'),
        additionalOrigins: listIn(row, 'additional_origins'),
        skipNativeAppSuccessPage: flagOf(row, 'skip_native_app_success_page'),
        backChannelLogoutUri: textOf(row, 'back_channel_logout_uri'),
        loginVersion:
          version === 'unspecified'
            ? undefined
            : version === 'v1'
              ? { loginV1: {}, loginV2: undefined }
              : { loginV1: undefined, loginV2: { baseUri: textOf(row, 'login_base_uri') } },
        consentPage: flagOf(row, 'consent_page'),
        flatRolesClaim: flagOf(row, 'flat_roles_claim'),
        accessTokenLifetime: seconds('access_token_seconds'),
        idTokenLifetime: seconds('id_token_seconds'),
      },
    };
  },
});
