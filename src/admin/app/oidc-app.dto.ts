import type { ValueOf } from '../../foundation/http/wire-enum.js';
import {
  OIDC_APP_TYPE,
  OIDC_AUTH_METHOD_TYPE,
  OIDC_GRANT_TYPE,
  OIDC_RESPONSE_TYPE,
  OIDC_TOKEN_TYPE,
  OIDC_VERSION,
} from '../../project/client/client.enums.js';
import { LocalizedMessage } from '../event/event.dto.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Choices, Flag, Named, Part, Parts, Reserves, Span, Text, Texts } from '../kit/wire/fields.js';
import { APP_ID, APP_NAME, PROJECT_ID } from './app.dto.js';
import {
  BOUND_TOKENS,
  CERTIFICATE_BOUND,
  LoginVersion,
  OidcAppSettings,
  ON_CREATION,
  REQUEST_ADDRESSES,
  REQUEST_WAYS,
  RequestUris,
  SETTING,
  SIGNED_USERINFO,
  STRICT_AUTH_METHOD,
} from './oidc-config.dto.js';

@Reserves({ 20: 'ios', 21: 'android' })
@Named('AddOidcAppRequest')
export class AddOidcAppRequest extends OidcAppSettings {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, APP_NAME)
  readonly name!: string;

  @Texts(3, SETTING.redirectUris)
  readonly redirectUris!: string[];

  @Choices(4, OIDC_RESPONSE_TYPE, SETTING.responseTypes)
  readonly responseTypes!: Array<ValueOf<typeof OIDC_RESPONSE_TYPE>>;

  @Choices(5, OIDC_GRANT_TYPE, SETTING.grantTypes)
  readonly grantTypes!: Array<ValueOf<typeof OIDC_GRANT_TYPE>>;

  @Choice(6, OIDC_APP_TYPE, SETTING.appType)
  readonly appType!: ValueOf<typeof OIDC_APP_TYPE>;

  @Choice(7, OIDC_AUTH_METHOD_TYPE, SETTING.authMethodType)
  readonly authMethodType!: ValueOf<typeof OIDC_AUTH_METHOD_TYPE>;

  @Texts(8, SETTING.postLogoutRedirectUris)
  readonly postLogoutRedirectUris!: string[];

  @Choice(9, OIDC_VERSION, SETTING.version)
  readonly version!: ValueOf<typeof OIDC_VERSION>;

  @Flag(10, SETTING.devMode)
  readonly devMode!: boolean;

  @Choice(11, OIDC_TOKEN_TYPE, SETTING.accessTokenType)
  readonly accessTokenType!: ValueOf<typeof OIDC_TOKEN_TYPE>;

  @Flag(12, SETTING.accessTokenRoleAssertion)
  readonly accessTokenRoleAssertion!: boolean;

  @Flag(13, SETTING.idTokenRoleAssertion)
  readonly idTokenRoleAssertion!: boolean;

  @Flag(14, SETTING.idTokenUserinfoAssertion)
  readonly idTokenUserinfoAssertion!: boolean;

  @Span(15, SETTING.clockSkew)
  readonly clockSkew?: number | undefined;

  @Texts(16, SETTING.additionalOrigins)
  readonly additionalOrigins!: string[];

  @Flag(17, SETTING.skipNativeAppSuccessPage)
  readonly skipNativeAppSuccessPage!: boolean;

  @Text(18, SETTING.backChannelLogoutUri)
  readonly backChannelLogoutUri!: string;

  @Part(19, () => LoginVersion, SETTING.loginVersion)
  readonly loginVersion?: LoginVersion | undefined;

  @Flag(105, { ...STRICT_AUTH_METHOD, optional: true })
  readonly strictAuthMethod?: boolean | undefined;

  @Flag(120, { ...BOUND_TOKENS, ...ON_CREATION })
  readonly dpopBoundAccessTokens?: boolean | undefined;

  @Flag(113, { ...REQUEST_WAYS.signed, ...ON_CREATION })
  readonly requireSignedRequests?: boolean | undefined;

  @Flag(117, { ...REQUEST_WAYS.pushed, ...ON_CREATION })
  readonly requirePushedRequests?: boolean | undefined;

  @Flag(119, { ...CERTIFICATE_BOUND, ...ON_CREATION })
  readonly tlsBoundAccessTokens?: boolean | undefined;

  @Part(114, () => RequestUris, REQUEST_ADDRESSES)
  readonly requestUris?: RequestUris | undefined;

  @Flag(123, { ...SIGNED_USERINFO, ...ON_CREATION })
  readonly signedUserinfo?: boolean | undefined;
}

@Named('AddOidcAppResponse')
export class AddOidcAppResponse {
  @Text(1, { example: EXAMPLE.oidcApp })
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

  @Flag(5, {
    description: 'Whether a setting deviates from what the standards recommend. The application works nevertheless.',
  })
  readonly noneCompliant!: boolean;

  @Parts(6, () => LocalizedMessage, { description: 'Which settings deviate from the standards.' })
  readonly complianceProblems!: readonly LocalizedMessage[];
}

@Reserves({ 19: 'ios', 20: 'android' })
@Named('UpdateOidcAppConfigRequest')
export class UpdateOidcAppConfigRequest extends OidcAppSettings {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, APP_ID)
  readonly appId!: string;

  @Texts(3, SETTING.redirectUris)
  readonly redirectUris!: string[];

  @Choices(4, OIDC_RESPONSE_TYPE, SETTING.responseTypes)
  readonly responseTypes!: Array<ValueOf<typeof OIDC_RESPONSE_TYPE>>;

  @Choices(5, OIDC_GRANT_TYPE, SETTING.grantTypes)
  readonly grantTypes!: Array<ValueOf<typeof OIDC_GRANT_TYPE>>;

  @Choice(6, OIDC_APP_TYPE, SETTING.appType)
  readonly appType!: ValueOf<typeof OIDC_APP_TYPE>;

  @Choice(7, OIDC_AUTH_METHOD_TYPE, SETTING.authMethodType)
  readonly authMethodType!: ValueOf<typeof OIDC_AUTH_METHOD_TYPE>;

  @Texts(8, SETTING.postLogoutRedirectUris)
  readonly postLogoutRedirectUris!: string[];

  @Flag(9, SETTING.devMode)
  readonly devMode!: boolean;

  @Choice(10, OIDC_TOKEN_TYPE, SETTING.accessTokenType)
  readonly accessTokenType!: ValueOf<typeof OIDC_TOKEN_TYPE>;

  @Flag(11, SETTING.accessTokenRoleAssertion)
  readonly accessTokenRoleAssertion!: boolean;

  @Flag(12, SETTING.idTokenRoleAssertion)
  readonly idTokenRoleAssertion!: boolean;

  @Flag(13, SETTING.idTokenUserinfoAssertion)
  readonly idTokenUserinfoAssertion!: boolean;

  @Span(14, SETTING.clockSkew)
  readonly clockSkew?: number | undefined;

  @Texts(15, SETTING.additionalOrigins)
  readonly additionalOrigins!: string[];

  @Flag(16, SETTING.skipNativeAppSuccessPage)
  readonly skipNativeAppSuccessPage!: boolean;

  @Text(17, SETTING.backChannelLogoutUri)
  readonly backChannelLogoutUri!: string;

  @Part(18, () => LoginVersion, SETTING.loginVersion)
  readonly loginVersion?: LoginVersion | undefined;

  @Flag(105, { ...STRICT_AUTH_METHOD, optional: true })
  readonly strictAuthMethod?: boolean | undefined;

  @Flag(120, { ...BOUND_TOKENS, optional: true })
  readonly dpopBoundAccessTokens?: boolean | undefined;

  @Flag(113, { ...REQUEST_WAYS.signed, optional: true })
  readonly requireSignedRequests?: boolean | undefined;

  @Flag(117, { ...REQUEST_WAYS.pushed, optional: true })
  readonly requirePushedRequests?: boolean | undefined;

  @Flag(119, { ...CERTIFICATE_BOUND, optional: true })
  readonly tlsBoundAccessTokens?: boolean | undefined;

  @Part(114, () => RequestUris, REQUEST_ADDRESSES)
  readonly requestUris?: RequestUris | undefined;

  @Flag(123, { ...SIGNED_USERINFO, optional: true })
  readonly signedUserinfo?: boolean | undefined;
}
