import type { FieldViolation } from '../../foundation/error/domain-error.js';
import { MAX_ACCESS_TOKEN_SECONDS } from '../../org/instance/instance.entity.js';
import { keySetViolations } from './assertion-settings.js';
import { certificateViolations } from './certificate-settings.js';
import type {
  ClientAuthMethod,
  ClientGrantType,
  ClientKind,
  ClientRow,
  ExtClientKind,
  ResponseType,
} from './client.entity.js';
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

interface Setting<Value> {
  /** The value where none is given; a setting without one must be given. */
  readonly default?: Value;
  /** The name in the API and the documents of exports, if it is another one. */
  readonly called?: string;
  /** Applications that describe themselves may decide it: `metadata/client-metadata.ts` reads it. */
  readonly metadata?: true;
  /** Kept of an application that a document describes, which decides it, or from which it follows. */
  readonly document?: true;
}

/**
 * Every setting of an application. Each has a column of its own in `ClientRow`; what is read, listed, copied, exported
 * and imported follows from here.
 */
const SETTINGS = {
  projectId: {},
  kind: { document: true },
  name: {},
  authMethod: { called: 'authMethodType', metadata: true, document: true },
  strictAuthMethod: { default: false },
  jwks: { default: null, metadata: true, document: true },
  jwksUri: { default: '', metadata: true, document: true },
  assertionAudience: { default: 'any' },
  requireAssertionId: { default: false, document: true },
  requirePushedRequests: { default: false, metadata: true, document: true },
  requireSignedRequests: { default: false, metadata: true, document: true },
  requestUris: { default: [], metadata: true, document: true },
  clientType: { default: 'web', called: 'appType', metadata: true, document: true },
  redirectUris: { default: [], metadata: true, document: true },
  postLogoutRedirectUris: { default: [], metadata: true, document: true },
  responseTypes: { default: [], metadata: true, document: true },
  grantTypes: { default: [], metadata: true, document: true },
  extensionGrants: { default: [] },
  accessTokenType: { default: 'opaque', document: true },
  accessTokenHeaderType: { default: 'at+jwt', document: true },
  accessTokenRoleAssertion: { default: false },
  idTokenRoleAssertion: { default: false },
  idTokenUserinfoAssertion: { default: false },
  signedUserinfo: { default: false, metadata: true, document: true },
  dpopBoundAccessTokens: { default: false, metadata: true, document: true },
  tlsBoundAccessTokens: { default: false, metadata: true, document: true },
  tlsClientNameType: { default: 'unspecified', metadata: true },
  tlsClientName: { default: '', metadata: true },
  securityProfile: { default: 'none' },
  flatRolesClaim: { default: false },
  devMode: { default: false },
  consentPage: { default: false, document: true },
  clockSkewSeconds: { default: 0, called: 'clockSkew' },
  additionalOrigins: { default: [] },
  skipNativeAppSuccessPage: { default: false },
  backChannelLogoutUri: { default: '', metadata: true, document: true },
  loginVersion: { default: 'unspecified' },
  loginBaseUri: { default: null, called: 'loginVersion' },
  accessTokenSeconds: { default: null, called: 'accessTokenLifetime' },
  idTokenSeconds: { default: null, called: 'idTokenLifetime' },
  origin: { default: 'administrator', document: true },
  about: { default: null, metadata: true, document: true },
} as const satisfies { readonly [Name in keyof ClientSettings]: Setting<ClientSettings[Name]> };

type Table = typeof SETTINGS;
type Marked<Mark extends keyof Setting<unknown>> = {
  [Name in keyof Table]: Table[Name] extends Readonly<Record<Mark, unknown>> ? Name : never;
}[keyof Table];
type RequiredSetting = Exclude<keyof Table, Marked<'default'>>;

export const SETTING_NAMES = Object.keys(SETTINGS) as ReadonlyArray<keyof Table>;

const KEPT = SETTING_NAMES.filter((name): name is Marked<'document'> => 'document' in SETTINGS[name]);

/** The settings that need not be given, with their defaults. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  SETTING_NAMES.flatMap((name) => {
    const setting: Setting<unknown> = SETTINGS[name];
    return 'default' in setting ? [[name, setting.default]] : [];
  }),
) as Omit<ClientSettings, RequiredSetting>;

/** The settings that the metadata of an application decide. */
export type MetadataSettings = Pick<ClientSettings, Marked<'metadata'>>;

/** The settings that are kept of an application that a document describes. */
export type KeptSettings = Pick<ClientSettings, Marked<'document'>>;

export function keptSettingsOf(settings: Readonly<KeptSettings>): KeptSettings {
  return chosen(settings, KEPT);
}

/** The settings of an application, without what else its row contains. */
export function settingsOf(row: Readonly<ClientSettings>): ClientSettings {
  return chosen(row, SETTING_NAMES);
}

function chosen<Name extends keyof ClientSettings>(
  settings: Readonly<Pick<ClientSettings, Name>>,
  names: readonly Name[],
): Pick<ClientSettings, Name> {
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<ClientSettings, Name>;
}

type CalledOf<Name extends keyof Table> = Name extends unknown
  ? Table[Name] extends { readonly called: infer Called }
    ? Called
    : Name
  : never;

/**
 * The settings of an application that signs users in, as the API and documents call them. A message of theirs that
 * lacks one does not compile.
 */
export type Configured = CalledOf<Exclude<keyof Table, 'projectId' | 'kind' | 'name' | 'origin' | 'about'>>;

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
 * The flow of an application that names none: the code flow, with which every kind of application signs users in (RFC
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

/** Whether an extension answers the application, by a protocol of its own. */
export function isAnsweredByExtension(kind: ClientKind): kind is ExtClientKind {
  return kind.startsWith('ext:');
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
  if (isAnsweredByExtension(kind)) return extKindViolations(input);
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

/** No endpoint of OAuth 2.0 serves an application that an extension answers. */
function extKindViolations({
  authMethod,
  redirectUris = [],
  responseTypes = [],
  grantTypes = [],
}: NewClient): FieldViolation[] {
  const isPlain = authMethod === 'none' && [redirectUris, responseTypes, grantTypes].every((list) => list.length === 0);
  if (isPlain) return [];
  return [{ field: 'kind', description: 'must be that of an OpenID Connect application to have its settings' }];
}

/** Names of grants of extensions, loaded or not. */
function extGrantViolations({ kind, extensionGrants = [] }: NewClient): FieldViolation[] {
  if (extensionGrants.length === 0) return [];
  const refused = (description: string): FieldViolation => ({ field: 'extensionGrants.names', description });
  if (kind !== 'oidc') return [refused('must be empty for an API application')];
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
