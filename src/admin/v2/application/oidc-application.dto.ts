import type { ValueOf } from '../../../foundation/http/wire-enum.js';
import { SECURITY_PROFILE, TLS_CLIENT_NAME_TYPE } from '../../../project/client/client.enums.js';
import { ACCESS_TOKEN_HEADER_TYPE } from '../../../user/user.enums.js';
import { SentAssertionSettings, TLS_NAME, TLS_NAME_TYPE } from '../../app/assertion-settings.dto.js';
import {
  BOUND_TOKENS,
  CERTIFICATE_BOUND,
  ExtensionGrants,
  REQUEST_ADDRESSES,
  REQUEST_WAYS,
  RequestUris,
  SETTING,
  SIGNED_USERINFO,
  STRICT_AUTH_METHOD,
} from '../../app/oidc-config.dto.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Choices, Flag, Named, Part, Parts, Reserves, Span, Text, Texts } from '../../kit/wire/fields.js';
import { HEADER_TYPE, type SentHeaderType } from '../../kit/wire/token-header-type.js';
import {
  OIDC_APPLICATION_TYPE,
  OIDC_AUTH_METHOD_TYPE_V2,
  OIDC_GRANT_TYPE_V2,
  OIDC_RESPONSE_TYPE_V2,
  OIDC_TOKEN_TYPE_V2,
  OIDC_VERSION_V2,
} from './application.enums.js';

const KEPT_IF_ABSENT = 'If absent in an update, it is unchanged.';
const KEPT_IF_EMPTY =
  'If empty in an update, it is unchanged: UpdateOIDCAppConfig of the first generation can empty it.';
const LISTS = {
  redirectUris: { ...SETTING.redirectUris, description: `${SETTING.redirectUris.description} ${KEPT_IF_EMPTY}` },
  responseTypes: {
    ...SETTING.responseTypes,
    required: true,
    description: 'The response types that the application may request. If empty: code; in an update: unchanged.',
  },
  grantTypes: {
    ...SETTING.grantTypes,
    description:
      'Each response type requires its grant type. If empty: authorization code and refresh token; in an update: unchanged.',
  },
  postLogoutRedirectUris: {
    ...SETTING.postLogoutRedirectUris,
    description: `${SETTING.postLogoutRedirectUris.description} ${KEPT_IF_EMPTY}`,
  },
  additionalOrigins: {
    ...SETTING.additionalOrigins,
    description: `${SETTING.additionalOrigins.description} ${KEPT_IF_EMPTY}`,
  },
} as const;
const CLIENT_ID = {
  description: 'The client ID that the application uses in OAuth and OpenID Connect requests.',
  example: EXAMPLE.clientId,
} as const;
const NON_COMPLIANT = {
  description: 'Whether a setting deviates from what the standards recommend. The application works nevertheless.',
} as const;
const PROBLEMS = { description: 'Which settings deviate from the standards.' } as const;
const LIFETIME = {
  description: `At most 90 days, in whole seconds. 0s stands for that of the instance. ${KEPT_IF_ABSENT}`,
  example: '43200s',
} as const;

@Named('LoginV1V2')
export class LoginV1V2 {}

@Named('LoginV2V2')
export class LoginV2V2 {
  @Text(1, { optional: true, max: 2_000, description: 'Base URL of custom login pages.' })
  readonly baseUri?: string | undefined;
}

@Named('LoginVersionV2')
export class LoginVersionV2 {
  @Part(1, () => LoginV1V2, { oneof: 'version' })
  readonly loginV1?: LoginV1V2 | undefined;

  @Part(2, () => LoginV2V2, { oneof: 'version' })
  readonly loginV2?: LoginV2V2 | undefined;
}

@Named('OidcLocalizedMessageV2')
export class OidcLocalizedMessageV2 {
  @Text(1)
  readonly key!: string;

  @Text(2, { description: 'What the problem is, in English.' })
  readonly localizedMessage!: string;
}

/** The settings that are ours alone: the same in the three messages, and kept where an update lacks them. */
export class OwnOidcSettingsV2 extends SentAssertionSettings {
  @Flag(100, {
    optional: true,
    description: `Whether \`prompt=consent\` shows a page that asks for confirmation. ${KEPT_IF_ABSENT}`,
  })
  readonly consentPage?: boolean | undefined;

  @Flag(101, {
    optional: true,
    description: `Wherever roles are asserted, also include a flat list \`roles\`. ${KEPT_IF_ABSENT}`,
  })
  readonly flatRolesClaim?: boolean | undefined;

  @Span(102, LIFETIME)
  readonly accessTokenLifetime?: number | undefined;

  @Span(103, LIFETIME)
  readonly idTokenLifetime?: number | undefined;

  @Choice(104, ACCESS_TOKEN_HEADER_TYPE, HEADER_TYPE)
  readonly accessTokenHeaderType!: SentHeaderType;

  @Flag(105, { ...STRICT_AUTH_METHOD, optional: true })
  readonly strictAuthMethod?: boolean | undefined;

  @Flag(113, { ...REQUEST_WAYS.signed, optional: true })
  readonly requireSignedRequests?: boolean | undefined;

  @Part(114, () => RequestUris, REQUEST_ADDRESSES)
  readonly requestUris?: RequestUris | undefined;

  @Choice(115, SECURITY_PROFILE, {
    description:
      'Rules that the application is held to as a whole, stronger than its other settings: FAPI_2_0 is the FAPI 2.0 Security Profile. If unspecified on creation: NONE; in an update: unchanged.',
    example: 'SECURITY_PROFILE_NONE',
  })
  readonly securityProfile!: ValueOf<typeof SECURITY_PROFILE>;

  @Choice(116, TLS_CLIENT_NAME_TYPE, TLS_NAME_TYPE)
  readonly tlsClientNameType!: ValueOf<typeof TLS_CLIENT_NAME_TYPE>;

  @Flag(117, { ...REQUEST_WAYS.pushed, optional: true })
  readonly requirePushedRequests?: boolean | undefined;

  @Text(118, TLS_NAME)
  readonly tlsClientName?: string | undefined;

  @Flag(119, { ...CERTIFICATE_BOUND, optional: true })
  readonly tlsBoundAccessTokens?: boolean | undefined;

  @Flag(120, { ...BOUND_TOKENS, optional: true })
  readonly dpopBoundAccessTokens?: boolean | undefined;

  @Part(121, () => ExtensionGrants, {
    description: 'Grants of extensions (RFC 6749 §4.5). If absent in an update, they are unchanged.',
  })
  readonly extensionGrants?: ExtensionGrants | undefined;

  @Flag(123, { ...SIGNED_USERINFO, optional: true })
  readonly signedUserinfo?: boolean | undefined;
}

@Reserves({ 22: 'ios', 23: 'android' })
@Named('OidcConfigurationV2')
export class OidcConfigurationV2 extends OwnOidcSettingsV2 {
  @Texts(1, SETTING.redirectUris)
  readonly redirectUris!: readonly string[];

  @Choices(2, OIDC_RESPONSE_TYPE_V2, SETTING.responseTypes)
  readonly responseTypes!: ReadonlyArray<ValueOf<typeof OIDC_RESPONSE_TYPE_V2>>;

  @Choices(3, OIDC_GRANT_TYPE_V2, SETTING.grantTypes)
  readonly grantTypes!: ReadonlyArray<ValueOf<typeof OIDC_GRANT_TYPE_V2>>;

  @Choice(4, OIDC_APPLICATION_TYPE, SETTING.appType)
  readonly applicationType!: ValueOf<typeof OIDC_APPLICATION_TYPE>;

  @Text(5, CLIENT_ID)
  readonly clientId!: string;

  @Choice(6, OIDC_AUTH_METHOD_TYPE_V2, SETTING.authMethodType)
  readonly authMethodType!: ValueOf<typeof OIDC_AUTH_METHOD_TYPE_V2>;

  @Texts(7, SETTING.postLogoutRedirectUris)
  readonly postLogoutRedirectUris!: readonly string[];

  @Choice(8, OIDC_VERSION_V2, SETTING.version)
  readonly version!: ValueOf<typeof OIDC_VERSION_V2>;

  @Flag(9, NON_COMPLIANT)
  readonly nonCompliant!: boolean;

  @Parts(10, () => OidcLocalizedMessageV2, PROBLEMS)
  readonly complianceProblems!: readonly OidcLocalizedMessageV2[];

  @Flag(11, SETTING.devMode)
  readonly developmentMode!: boolean;

  @Choice(12, OIDC_TOKEN_TYPE_V2, SETTING.accessTokenType)
  readonly accessTokenType!: ValueOf<typeof OIDC_TOKEN_TYPE_V2>;

  @Flag(13, SETTING.accessTokenRoleAssertion)
  readonly accessTokenRoleAssertion!: boolean;

  @Flag(14, SETTING.idTokenRoleAssertion)
  readonly idTokenRoleAssertion!: boolean;

  @Flag(15, SETTING.idTokenUserinfoAssertion)
  readonly idTokenUserinfoAssertion!: boolean;

  @Span(16, SETTING.clockSkew)
  readonly clockSkew?: number | undefined;

  @Texts(17, SETTING.additionalOrigins)
  readonly additionalOrigins!: readonly string[];

  @Texts(18, {
    description: 'The origins of the redirect URIs and the additional origins.',
    example: ['https://app.example.com'],
  })
  readonly allowedOrigins!: readonly string[];

  @Flag(19, SETTING.skipNativeAppSuccessPage)
  readonly skipNativeAppSuccessPage!: boolean;

  @Text(20, SETTING.backChannelLogoutUri)
  readonly backChannelLogoutUri!: string;

  @Part(21, () => LoginVersionV2, SETTING.loginVersion)
  readonly loginVersion?: LoginVersionV2 | undefined;
}

@Reserves({ 18: 'ios', 19: 'android' })
@Named('CreateOidcApplicationRequestV2')
export class CreateOidcApplicationRequestV2 extends OwnOidcSettingsV2 {
  @Texts(1, LISTS.redirectUris)
  readonly redirectUris!: string[];

  @Choices(2, OIDC_RESPONSE_TYPE_V2, LISTS.responseTypes)
  readonly responseTypes!: Array<ValueOf<typeof OIDC_RESPONSE_TYPE_V2>>;

  @Choices(3, OIDC_GRANT_TYPE_V2, LISTS.grantTypes)
  readonly grantTypes!: Array<ValueOf<typeof OIDC_GRANT_TYPE_V2>>;

  @Choice(4, OIDC_APPLICATION_TYPE, SETTING.appType)
  readonly applicationType!: ValueOf<typeof OIDC_APPLICATION_TYPE>;

  @Choice(5, OIDC_AUTH_METHOD_TYPE_V2, SETTING.authMethodType)
  readonly authMethodType!: ValueOf<typeof OIDC_AUTH_METHOD_TYPE_V2>;

  @Texts(6, LISTS.postLogoutRedirectUris)
  readonly postLogoutRedirectUris!: string[];

  @Choice(7, OIDC_VERSION_V2, SETTING.version)
  readonly version!: ValueOf<typeof OIDC_VERSION_V2>;

  @Flag(8, SETTING.devMode)
  readonly developmentMode!: boolean;

  @Choice(9, OIDC_TOKEN_TYPE_V2, SETTING.accessTokenType)
  readonly accessTokenType!: ValueOf<typeof OIDC_TOKEN_TYPE_V2>;

  @Flag(10, SETTING.accessTokenRoleAssertion)
  readonly accessTokenRoleAssertion!: boolean;

  @Flag(11, SETTING.idTokenRoleAssertion)
  readonly idTokenRoleAssertion!: boolean;

  @Flag(12, SETTING.idTokenUserinfoAssertion)
  readonly idTokenUserinfoAssertion!: boolean;

  @Span(13, SETTING.clockSkew)
  readonly clockSkew?: number | undefined;

  @Texts(14, LISTS.additionalOrigins)
  readonly additionalOrigins!: string[];

  @Flag(15, SETTING.skipNativeAppSuccessPage)
  readonly skipNativeAppSuccessPage!: boolean;

  @Text(16, SETTING.backChannelLogoutUri)
  readonly backChannelLogoutUri!: string;

  @Part(17, () => LoginVersionV2, SETTING.loginVersion)
  readonly loginVersion?: LoginVersionV2 | undefined;
}

@Named('CreateOidcApplicationResponseV2')
export class CreateOidcApplicationResponseV2 {
  @Text(1, CLIENT_ID)
  readonly clientId!: string;

  @Text(2, { description: 'Returned only once; empty for an application without a secret.', example: 'Xb3…' })
  readonly clientSecret!: string;

  @Flag(3, NON_COMPLIANT)
  readonly nonCompliant!: boolean;

  @Parts(4, () => OidcLocalizedMessageV2, PROBLEMS)
  readonly complianceProblems!: readonly OidcLocalizedMessageV2[];
}

/**
 * What is not sent stays. Protocol Buffers do not tell an empty list from one that was not sent, so an empty one stays
 * as well: some clients name nothing but the list that they change, others (Terraform) name all that they know.
 */
@Reserves({ 18: 'ios', 19: 'android' })
@Named('UpdateOidcApplicationRequestV2')
export class UpdateOidcApplicationRequestV2 extends OwnOidcSettingsV2 {
  @Texts(1, LISTS.redirectUris)
  readonly redirectUris!: string[];

  @Choices(2, OIDC_RESPONSE_TYPE_V2, LISTS.responseTypes)
  readonly responseTypes!: Array<ValueOf<typeof OIDC_RESPONSE_TYPE_V2>>;

  @Choices(3, OIDC_GRANT_TYPE_V2, LISTS.grantTypes)
  readonly grantTypes!: Array<ValueOf<typeof OIDC_GRANT_TYPE_V2>>;

  @Choice(4, OIDC_APPLICATION_TYPE, { ...SETTING.appType, optional: true })
  readonly applicationType?: ValueOf<typeof OIDC_APPLICATION_TYPE>;

  @Choice(5, OIDC_AUTH_METHOD_TYPE_V2, { ...SETTING.authMethodType, optional: true })
  readonly authMethodType?: ValueOf<typeof OIDC_AUTH_METHOD_TYPE_V2>;

  @Texts(6, LISTS.postLogoutRedirectUris)
  readonly postLogoutRedirectUris!: string[];

  @Choice(7, OIDC_VERSION_V2, { ...SETTING.version, optional: true })
  readonly version?: ValueOf<typeof OIDC_VERSION_V2>;

  @Flag(8, { ...SETTING.devMode, optional: true })
  readonly developmentMode?: boolean;

  @Choice(9, OIDC_TOKEN_TYPE_V2, { ...SETTING.accessTokenType, optional: true })
  readonly accessTokenType?: ValueOf<typeof OIDC_TOKEN_TYPE_V2>;

  @Flag(10, { ...SETTING.accessTokenRoleAssertion, optional: true })
  readonly accessTokenRoleAssertion?: boolean;

  @Flag(11, { ...SETTING.idTokenRoleAssertion, optional: true })
  readonly idTokenRoleAssertion?: boolean;

  @Flag(12, { ...SETTING.idTokenUserinfoAssertion, optional: true })
  readonly idTokenUserinfoAssertion?: boolean;

  @Span(13, SETTING.clockSkew)
  readonly clockSkew?: number;

  @Texts(14, LISTS.additionalOrigins)
  readonly additionalOrigins!: string[];

  @Flag(15, { ...SETTING.skipNativeAppSuccessPage, optional: true })
  readonly skipNativeAppSuccessPage?: boolean;

  @Text(16, { ...SETTING.backChannelLogoutUri, optional: true })
  readonly backChannelLogoutUri?: string;

  @Part(17, () => LoginVersionV2, SETTING.loginVersion)
  readonly loginVersion?: LoginVersionV2;
}
