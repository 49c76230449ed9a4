import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { API_AUTH_METHOD_TYPE, APP_ADMINISTRATION, APP_STATE } from '../../project/client/client.enums.js';
import { LocalizedMessage } from '../event/event.dto.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Filter, Flag, Named, Part, Parts, Reserves, Struct, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery, TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';
import { PROJECT_ID, QUERIES } from '../project/project.dto.js';
import { SentApiSettings } from './assertion-settings.dto.js';
import { AppOidcConfig, STRICT_AUTH_METHOD } from './oidc-config.dto.js';

export { PROJECT_ID } from '../project/project.dto.js';

export const APP_ID = { min: 1, max: 200, description: 'ID of the application.', example: EXAMPLE.oidcApp } as const;
export const APP_NAME = {
  min: 1,
  max: 200,
  description: 'Unique within the project; shown to users when they sign in.',
  example: 'Timetable for the web',
} as const;
const WHICH_ROLES =
  'Which roles of its users count when the application uses the administrative API: those held in the organization that owns it, or all that they have.';
export const API_AUTH_METHOD = {
  description:
    'How the application authenticates: with a secret in the Basic header or in the form body, with a key, or by certificate (RFC 8705), as an OIDC application does: TLS_CLIENT_AUTH by the name `tlsClientName`, SELF_SIGNED_TLS_CLIENT_AUTH by what `jwks` or `jwksUri` contains as `x5c`. Both need CLIENT_CERT_HEADER.',
  example: 'API_AUTH_METHOD_TYPE_BASIC',
} as const;

@Named('AppApiConfig')
export class AppApiConfig extends SentApiSettings {
  @Text(1, {
    description: 'The client ID that the application uses in OAuth and OpenID Connect requests.',
    example: EXAMPLE.clientId,
  })
  readonly clientId!: string;

  @Choice(3, API_AUTH_METHOD_TYPE, API_AUTH_METHOD)
  readonly authMethodType!: ValueOf<typeof API_AUTH_METHOD_TYPE>;

  @Flag(100, STRICT_AUTH_METHOD)
  readonly strictAuthMethod!: boolean;

  @Flag(121, {
    description: 'Whether something keeps the application from authenticating, as `complianceProblems` say.',
  })
  readonly noneCompliant!: boolean;

  @Parts(122, () => LocalizedMessage, { description: 'What keeps the application from authenticating here.' })
  readonly complianceProblems!: LocalizedMessage[];
}

@Reserves({ 7: 'saml_config' })
@Named('App')
export class App {
  @Text(1, { example: EXAMPLE.oidcApp })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Choice(3, APP_STATE, {
    example: 'APP_STATE_ACTIVE',
    description: 'Users cannot sign in to an inactive application.',
  })
  readonly state!: ValueOf<typeof APP_STATE>;

  @Text(4, { example: 'Timetable for the web' })
  readonly name!: string;

  @Part(5, () => AppOidcConfig, { oneof: 'config' })
  readonly oidcConfig?: AppOidcConfig | undefined;

  @Part(6, () => AppApiConfig, { oneof: 'config' })
  readonly apiConfig?: AppApiConfig | undefined;

  @Text(101, {
    oneof: 'config',
    example: 'saml',
    description: 'The extension that answers the application, by a protocol of its own. Its settings are there.',
  })
  readonly extension?: string | undefined;

  @Choice(100, APP_ADMINISTRATION, {
    example: 'APP_ADMINISTRATION_OWN_ORG',
    description: `${WHICH_ROLES} Set by owners of the instance (SetAppAdministration), and never exported.`,
  })
  readonly administration!: ValueOf<typeof APP_ADMINISTRATION>;
}

@Named('AppIdRequest')
export class AppIdRequest {
  @Text(1, APP_ID)
  readonly appId!: string;
}

@Named('AppAdministrationResponse')
export class AppAdministrationResponse {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(2, { example: 'Timetable for the web' })
  readonly name!: string;

  @Choice(3, APP_ADMINISTRATION, { example: 'APP_ADMINISTRATION_ALLOWED', description: WHICH_ROLES })
  readonly administration!: ValueOf<typeof APP_ADMINISTRATION>;
}

@Named('SetAppAdministrationRequest')
export class SetAppAdministrationRequest {
  @Text(1, APP_ID)
  readonly appId!: string;

  @Choice(2, APP_ADMINISTRATION, { example: 'APP_ADMINISTRATION_ALLOWED', description: WHICH_ROLES })
  readonly administration!: ValueOf<typeof APP_ADMINISTRATION>;
}

@Named('AppReference')
export class AppReference {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, APP_ID)
  readonly appId!: string;
}

@Named('AppResponse')
export class AppResponse {
  @Part(1, () => App)
  readonly app!: App;
}

@Named('AppNameQuery')
export class AppNameQuery {
  @Text(1, { max: 200, example: 'Time' })
  readonly name!: string;

  @Choice(2, TEXT_QUERY_METHOD, {
    example: 'TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE',
    description: 'How the text is matched.',
  })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Filter()
@Named('AppQuery')
export class AppQuery {
  @Part(1, () => AppNameQuery, { oneof: 'query' })
  readonly nameQuery?: AppNameQuery;
}

@Named('ListAppsRequest')
export class ListAppsRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Part(2, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(3, () => AppQuery, QUERIES)
  readonly queries!: AppQuery[];
}

@Named('ListAppsResponse')
export class ListAppsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => App)
  readonly result!: readonly App[];
}

@Named('AddApiAppRequest')
export class AddApiAppRequest extends SentApiSettings {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, APP_NAME)
  readonly name!: string;

  @Choice(3, API_AUTH_METHOD_TYPE, API_AUTH_METHOD)
  readonly authMethodType!: ValueOf<typeof API_AUTH_METHOD_TYPE>;

  @Flag(100, { ...STRICT_AUTH_METHOD, optional: true })
  readonly strictAuthMethod?: boolean | undefined;
}

@Named('AddApiAppResponse')
export class AddApiAppResponse {
  @Text(1, { example: EXAMPLE.apiApp })
  readonly appId!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(3, {
    description: 'The client ID that the application uses in OAuth and OpenID Connect requests.',
    example: EXAMPLE.clientId,
  })
  readonly clientId!: string;

  @Text(4, { description: 'Returned only once; empty for an application without a secret.', example: 'Xb3…' })
  readonly clientSecret!: string;
}

@Named('UpdateAppRequest')
export class UpdateAppRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, APP_ID)
  readonly appId!: string;

  @Text(5, APP_NAME)
  readonly name!: string;
}

@Named('UpdateApiAppConfigRequest')
export class UpdateApiAppConfigRequest extends SentApiSettings {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, APP_ID)
  readonly appId!: string;

  @Choice(7, API_AUTH_METHOD_TYPE, API_AUTH_METHOD)
  readonly authMethodType!: ValueOf<typeof API_AUTH_METHOD_TYPE>;

  @Flag(100, { ...STRICT_AUTH_METHOD, optional: true })
  readonly strictAuthMethod?: boolean | undefined;
}

@Named('ClientSecretResponse')
export class ClientSecretResponse {
  @Text(1, { description: 'Returned only once; the previous secret is no longer valid.', example: 'Xb3…' })
  readonly clientSecret!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('PreviewTokensRequest')
export class PreviewTokensRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, APP_ID)
  readonly appId!: string;

  @Text(3, { min: 1, max: 200, description: 'The user who would sign in.', example: EXAMPLE.person })
  readonly userId!: string;

  @Texts(4, {
    min: 1,
    max: 500,
    maxItems: 100,
    description: 'The scopes that the application would request.',
    example: ['openid', 'profile', 'email'],
  })
  readonly scopes!: string[];
}

@Named('PreviewTokensResponse')
export class PreviewTokensResponse {
  @Texts(1, { description: 'The scopes that would be granted.', example: ['openid', 'profile', 'email'] })
  readonly scopes!: readonly string[];

  @Struct(2, { description: 'The claims of the ID token.' })
  readonly idToken!: object;

  @Struct(3, {
    description:
      'The claims of the access token in its JWT form; an opaque token carries the same facts, encrypted. This field, `userinfo` and `introspection` are absent for an application that receives only ID tokens.',
  })
  readonly accessToken?: object | undefined;

  @Struct(4, { description: 'The userinfo response.' })
  readonly userinfo?: object | undefined;

  @Struct(5, { description: 'The introspection response that the application itself would receive.' })
  readonly introspection?: object | undefined;

  @Texts(6, {
    description:
      'The claims about the user that the access token lacks, because with them it would be too long for a header; or those that the ID token lacks, if the application gets nothing else. What only repeats another claim is left out first, then claims of extensions, then all. Each token names its own in `left_out_claims`. An opaque access token is never too long, and lacks none of them.',
    example: [],
  })
  readonly leftOutClaims!: readonly string[];

  @Texts(7, {
    description:
      'The requested scopes that would not be granted: misspelt, the audience of a project that does not exist or is not active, a role that the project does not have, or one that this application may not have. The application is told nothing but the scopes that it got; the log has `oidc.scopes_dropped`.',
    example: ['profil'],
  })
  readonly droppedScopes!: readonly string[];
}
