import type { FieldViolation } from '../../foundation/error/domain-error.js';
import { MAX_ACCESS_TOKEN_SECONDS } from '../../org/instance/instance.entity.js';
import { keySetViolations } from './assertion-settings.js';
import { certificateViolations } from './certificate-settings.js';
import type { ClientAuthMethod, ClientGrantType, ClientRow, ResponseType } from './client.entity.js';
import { grantNameProblem, MOST_EXT_GRANTS } from './ext-grant.js';
import { originProblem } from './origin.js';
import { redirectUriProblem } from './redirect-uri.js';
import type { Registration } from './registration/registration-rules.js';
import { MOST_REQUEST_URIS, requestUriProblem } from './request-uri.js';
import { profileViolations } from './security-profile.js';

export type ClientSettings = Omit<
  ClientRow,
  | 'id'
  | 'clientId'
  | 'clientEpoch'
  | 'secretHash'
  | 'sequence'
  | 'creationDate'
  | 'changeDate'
  | 'state'
  | 'registration'
  | 'administration'
>;

type RequiredSetting = 'projectId' | 'kind' | 'name' | 'authMethod';

/** The settings that need not be given, with their defaults. */
export const DEFAULT_SETTINGS = {
  strictAuthMethod: false,
  jwks: null,
  jwksUri: '',
  assertionAudience: 'any',
  requireAssertionId: false,
  requirePushedRequests: false,
  requireSignedRequests: false,
  requestUris: [],
  clientType: 'web',
  redirectUris: [],
  postLogoutRedirectUris: [],
  responseTypes: [],
  grantTypes: [],
  extensionGrants: [],
  accessTokenType: 'opaque',
  accessTokenHeaderType: 'at+jwt',
  accessTokenRoleAssertion: false,
  idTokenRoleAssertion: false,
  idTokenUserinfoAssertion: false,
  signedUserinfo: false,
  dpopBoundAccessTokens: false,
  tlsBoundAccessTokens: false,
  tlsClientNameType: 'unspecified',
  tlsClientName: '',
  securityProfile: 'none',
  flatRolesClaim: false,
  devMode: false,
  consentPage: false,
  clockSkewSeconds: 0,
  additionalOrigins: [],
  skipNativeAppSuccessPage: false,
  backChannelLogoutUri: '',
  loginVersion: 'unspecified',
  loginBaseUri: null,
  accessTokenSeconds: null,
  idTokenSeconds: null,
  origin: 'administrator',
  about: null,
} satisfies Omit<ClientSettings, RequiredSetting>;

/** Every setting, each of which has a column: what is read, listed, exported and imported. */
export const SETTING_NAMES: ReadonlyArray<keyof ClientSettings> = [
  'projectId',
  'kind',
  'name',
  'authMethod',
  ...(Object.keys(DEFAULT_SETTINGS) as Array<keyof typeof DEFAULT_SETTINGS>),
];

/** The required settings of a new client; the rest has defaults. An import brings ids; otherwise they are generated. */
export type NewClient = Pick<ClientSettings, RequiredSetting> &
  Partial<ClientSettings> & { id?: string; clientId?: string; registration?: Registration | null };

export const MAX_CLOCK_SKEW_SECONDS = 5;
const API_AUTH_METHODS: readonly ClientAuthMethod[] = [
  'client_secret_basic',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
];
/** The grants for each response type; one of them is sufficient. */
const GRANTS_OF: Readonly<Record<ResponseType, readonly ClientGrantType[]>> = {
  code: ['authorization_code', 'device_code'],
  id_token: ['implicit'],
  'id_token token': ['implicit'],
};

/**
 * What an application uses that names nothing: the code flow, with which every kind of application signs users in (RFC
 * 9700 §2.1).
 */
export const USUAL_FLOW = {
  responseTypes: ['code'],
  grantTypes: ['authorization_code', 'refresh_token'],
} as const satisfies { responseTypes: readonly ResponseType[]; grantTypes: readonly ClientGrantType[] };

/** Whether one of the grants can issue what the response type stands for. */
export function hasGrantFor(responseType: ResponseType, grantTypes: readonly ClientGrantType[]): boolean {
  return GRANTS_OF[responseType].some((grant) => grantTypes.includes(grant));
}

export function usesSecret(authMethod: ClientAuthMethod): boolean {
  return authMethod === 'client_secret_basic' || authMethod === 'client_secret_post';
}

/** Every invalid setting, by its name in the administrative API. */
export function settingsViolations(input: NewClient): FieldViolation[] {
  return [
    ...nameViolations(input),
    ...uriViolations(input),
    ...requestUriViolations(input),
    ...keyViolations(input),
    ...flowViolations(input),
    ...extGrantViolations(input),
    ...timeViolations(input),
    ...certificateViolations(input),
    ...profileViolations(input),
  ];
}

function nameViolations({ name }: NewClient): FieldViolation[] {
  return name.trim() === '' ? [{ field: 'name', description: 'must not be blank' }] : [];
}

function uriViolations(input: NewClient): FieldViolation[] {
  const client = { clientType: input.clientType ?? 'web', devMode: input.devMode ?? false };
  const web = { ...client, clientType: 'web' } as const;
  const violations: FieldViolation[] = [];
  const look = (field: string, problem: string | undefined): void => {
    if (problem !== undefined) violations.push({ field, description: problem });
  };
  for (const field of ['redirectUris', 'postLogoutRedirectUris'] as const) {
    input[field]?.forEach((uri, index) => look(`${field}[${index}]`, redirectUriProblem(uri, client)));
  }
  input.additionalOrigins?.forEach((origin, index) => look(`additionalOrigins[${index}]`, originProblem(origin)));
  // Called by us, or a page for users: web addresses for every kind of application.
  if (input.backChannelLogoutUri) look('backChannelLogoutUri', redirectUriProblem(input.backChannelLogoutUri, web));
  if (input.jwksUri) look('jwksUri', redirectUriProblem(input.jwksUri, web));
  if (input.loginBaseUri) look('loginVersion.loginV2.baseUri', redirectUriProblem(input.loginBaseUri, web));
  return violations;
}

/** OIDC Core §6.2. */
function requestUriViolations({ requestUris = [] }: NewClient): FieldViolation[] {
  const refused = (description: string): FieldViolation => ({ field: 'requestUris.uris', description });
  return [
    ...(requestUris.length > MOST_REQUEST_URIS ? [refused(`must have at most ${MOST_REQUEST_URIS} entries`)] : []),
    ...(new Set(requestUris).size < requestUris.length ? [refused('must not name a URI twice')] : []),
    ...requestUris.flatMap((uri, index) => {
      const description = requestUriProblem(uri);
      return description === undefined ? [] : [{ field: `requestUris.uris[${index}]`, description }];
    }),
  ];
}

/** RFC 7591 §2: `jwks` and `jwks_uri` must not both be present. */
function keyViolations({ jwks, jwksUri = '' }: NewClient): FieldViolation[] {
  const violations = jwks ? keySetViolations(jwks) : [];
  if (jwks && jwksUri !== '') {
    violations.push({
      field: 'jwksUri',
      description: 'must not be set beside jwks: send {} as jwks to remove those keys',
    });
  }
  return violations;
}

function flowViolations(input: NewClient): FieldViolation[] {
  const { kind, authMethod, responseTypes = [], grantTypes = [] } = input;
  if (kind === 'api' && !API_AUTH_METHODS.includes(authMethod)) {
    return [
      {
        field: 'authMethodType',
        description: 'must be basic, private_key_jwt or a certificate for an API application',
      },
    ];
  }
  return responseTypes.flatMap((responseType) => {
    if (hasGrantFor(responseType, grantTypes)) return [];
    return [
      {
        field: 'grantTypes',
        description: `must contain ${GRANTS_OF[responseType][0]} for the response type ${responseType}`,
      },
    ];
  });
}

/** Names of grants of extensions, loaded or not. */
function extGrantViolations({ kind, extensionGrants = [] }: NewClient): FieldViolation[] {
  if (extensionGrants.length === 0) return [];
  const refused = (description: string): FieldViolation => ({ field: 'extensionGrants.names', description });
  if (kind === 'api') return [refused('must be empty for an API application')];
  return [
    ...(extensionGrants.length > MOST_EXT_GRANTS ? [refused(`must have at most ${MOST_EXT_GRANTS} entries`)] : []),
    ...(new Set(extensionGrants).size < extensionGrants.length ? [refused('must not name a grant twice')] : []),
    ...extensionGrants.flatMap((name, index) => {
      const problem = grantNameProblem(name);
      return problem === undefined
        ? []
        : [{ field: `extensionGrants.names[${index}]`, description: `must ${problem}` }];
    }),
  ];
}

function timeViolations(input: NewClient): FieldViolation[] {
  const violations: FieldViolation[] = [];
  for (const [field, lifetime] of [
    ['accessTokenLifetime', input.accessTokenSeconds],
    ['idTokenLifetime', input.idTokenSeconds],
  ] as const) {
    if (lifetime !== undefined && lifetime !== null && !isWhole(lifetime, 1, MAX_ACCESS_TOKEN_SECONDS)) {
      violations.push({ field, description: `must be from 1s to ${MAX_ACCESS_TOKEN_SECONDS}s, in whole seconds` });
    }
  }
  if (!isWhole(input.clockSkewSeconds ?? 0, 0, MAX_CLOCK_SKEW_SECONDS)) {
    violations.push({
      field: 'clockSkew',
      description: `must be from 0s to ${MAX_CLOCK_SKEW_SECONDS}s, in whole seconds`,
    });
  }
  return violations;
}

function isWhole(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
