import type { ValueOf } from '../../foundation/http/wire-enum.js';
import {
  APP_ORIGIN,
  OIDC_APP_TYPE,
  OIDC_AUTH_METHOD_TYPE,
  OIDC_GRANT_TYPE,
  OIDC_RESPONSE_TYPE,
  OIDC_TOKEN_TYPE,
  OIDC_VERSION,
  SECURITY_PROFILE,
  TLS_CLIENT_NAME_TYPE,
} from '../../project/client/client.enums.js';
import { MAX_GRANT_NAME_CHARACTERS, MOST_EXT_GRANTS } from '../../project/client/ext-grant.js';
import { MAX_REQUEST_URI_CHARACTERS, MOST_REQUEST_URIS } from '../../project/client/request-uri.js';
import { ACCESS_TOKEN_HEADER_TYPE } from '../../user/user.enums.js';
import { LocalizedMessage } from '../event/event.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Choices, Flag, Named, Part, Parts, Reserves, Span, Text, Texts } from '../kit/wire/fields.js';
import { HEADER_TYPE, type SentHeaderType } from '../kit/wire/token-header-type.js';
import { SentAssertionSettings, TLS_NAME, TLS_NAME_TYPE } from './assertion-settings.dto.js';

export const STRICT_AUTH_METHOD = {
  description:
    'Whether the secret is accepted only by the registered method (header or form). If absent in an update, the setting is unchanged.',
};

/** Descriptions of the settings of an OpenID Connect application, written once for three messages. */
export const SETTING = {
  redirectUris: {
    max: 2_000,
    maxItems: 100,
    description:
      'Allowed redirect URIs, compared byte for byte: https, or http on localhost, 127.0.0.1 or [::1]. For native applications, the port of a loopback URI is ignored.',
    example: ['https://app.example.com/callback'],
  },
  responseTypes: {
    maxItems: 10,
    description: 'The response types that the application may request. If empty: code.',
    example: ['OIDC_RESPONSE_TYPE_CODE'],
  },
  grantTypes: {
    maxItems: 10,
    example: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
    description:
      'Each response type requires its grant type. If empty: authorization code and refresh token. Device code is for televisions, command lines and the like (RFC 8628). Token exchange (RFC 8693) is for confidential applications that pass the tokens of their users on, or act for users.',
  },
  appType: { description: 'The type of the application: web, browser or native.', example: 'OIDC_APP_TYPE_WEB' },
  authMethodType: {
    description:
      'How the application authenticates; without a secret or key it must use PKCE. With BASIC and POST, the secret is accepted in either place unless `strictAuthMethod` is set. TLS_CLIENT_AUTH is a certificate with the name `tlsClientName`, SELF_SIGNED_TLS_CLIENT_AUTH one that `jwks` or `jwksUri` contains as `x5c` (RFC 8705); both need a proxy that passes certificates on (CLIENT_CERT_HEADER).',
    example: 'OIDC_AUTH_METHOD_TYPE_BASIC',
  },
  postLogoutRedirectUris: {
    max: 2_000,
    maxItems: 100,
    description: 'Allowed redirect URIs after sign-out.',
    example: ['https://app.example.com/'],
  },
  version: { description: 'Always OpenID Connect 1.0, the only version.', example: 'OIDC_VERSION_1_0' },
  devMode: {
    description: 'Allow http redirect URIs that are not on localhost, 127.0.0.1 or [::1]. Not for production.',
  },
  accessTokenType: {
    description: 'The format of access tokens: opaque, or JWT (RFC 9068).',
    example: 'OIDC_TOKEN_TYPE_BEARER',
  },
  accessTokenRoleAssertion: { description: 'Include roles in JWT access tokens.' },
  idTokenRoleAssertion: { description: 'Include roles in ID tokens.' },
  idTokenUserinfoAssertion: { description: 'Include the claims of the granted scopes in ID tokens.' },
  clockSkew: { description: "How far the application's clock may be off: 0s to 5s, in whole seconds.", example: '0s' },
  additionalOrigins: {
    max: 500,
    maxItems: 100,
    description: 'Allowed origins in addition to those of the redirect URIs.',
    example: ['https://app.example.com'],
  },
  skipNativeAppSuccessPage: {
    description: 'Native applications: redirect immediately, without the page that confirms the sign-in.',
  },
  backChannelLogoutUri: {
    max: 2_000,
    description:
      'Called with a logout token when a session ends through which the application has signed a user in (OpenID Connect Back-Channel Logout 1.0): https, without a fragment; in development mode also http, which is only called on this machine. If empty, the application is not told.',
    example: 'https://app.example.com/backchannel_logout',
  },
  loginVersion: { description: 'Stored without effect: there is only one version of the login pages.' },
} as const;

/** The fields that say how authorization requests must arrive; an update that lacks one leaves it unchanged. */
export const REQUEST_WAYS = {
  pushed: {
    description:
      'Whether authorization requests must be pushed first, to `/oauth/v2/par` (RFC 9126). If absent in an update, the setting is unchanged.',
  },
  signed: {
    description:
      'Whether authorization requests must be signed by a key of the application (RFC 9101), of `jwks` or `jwksUri` or one that was added by itself. If absent in an update, the setting is unchanged.',
  },
} as const;

const LIFETIME = {
  description: "At most 90 days, in whole seconds. If absent, the instance's lifetime applies.",
  example: '43200s',
};

@Named('LoginV1')
export class LoginV1 {}

@Named('LoginV2')
export class LoginV2 {
  @Text(1, {
    optional: true,
    max: 2_000,
    description: "Base URL of custom login pages. If empty, the service's own pages are used.",
  })
  readonly baseUri?: string | undefined;
}

@Named('LoginVersion')
export class LoginVersion {
  @Part(1, () => LoginV1, { oneof: 'version' })
  readonly loginV1?: LoginV1 | undefined;

  @Part(2, () => LoginV2, { oneof: 'version' })
  readonly loginV2?: LoginV2 | undefined;
}

/** A message of its own, so that an update can leave it out. */
@Named('ExtensionGrants')
export class ExtensionGrants {
  @Texts(1, {
    max: MAX_GRANT_NAME_CHARACTERS,
    maxItems: MOST_EXT_GRANTS,
    description:
      'The grant types that the application may use, as extensions name them. One whose extension is not loaded may stay; it is refused at the token endpoint, and `complianceProblems` names it.',
    example: ['urn:example:badge'],
  })
  readonly names!: readonly string[];
}

/** A message of its own, so that an update can leave it out. */
@Named('RequestUris')
export class RequestUris {
  @Texts(1, {
    max: MAX_REQUEST_URI_CHARACTERS,
    maxItems: MOST_REQUEST_URIS,
    description:
      'Compared exactly, including the fragment, which is not sent to the server but distinguishes versions of an object. Must use https and must not redirect; the object must be signed by a key of the application and have at most 16 kB.',
    example: ['https://app.example.com/requests/sign-in.jwt'],
  })
  readonly uris!: readonly string[];
}

/**
 * The settings that are ours alone (their numbers begin at 100): the same in the three messages. A new one is declared
 * here, once.
 */
export class OidcAppSettings extends SentAssertionSettings {
  @Flag(100, { description: 'Whether `prompt=consent` shows a page that asks for confirmation.' })
  readonly consentPage!: boolean;

  @Flag(101, { description: 'Wherever roles are asserted, also include a flat list `roles`.' })
  readonly flatRolesClaim!: boolean;

  @Span(102, LIFETIME)
  readonly accessTokenLifetime?: number | undefined;

  @Span(103, LIFETIME)
  readonly idTokenLifetime?: number | undefined;

  @Choice(104, ACCESS_TOKEN_HEADER_TYPE, HEADER_TYPE)
  readonly accessTokenHeaderType!: SentHeaderType;

  @Choice(116, TLS_CLIENT_NAME_TYPE, TLS_NAME_TYPE)
  readonly tlsClientNameType!: ValueOf<typeof TLS_CLIENT_NAME_TYPE>;

  @Text(118, TLS_NAME)
  readonly tlsClientName?: string | undefined;

  @Part(121, () => ExtensionGrants, {
    description: 'Grants of extensions (RFC 6749 §4.5). If absent in an update, they are unchanged.',
  })
  readonly extensionGrants?: ExtensionGrants | undefined;

  @Choice(115, SECURITY_PROFILE, {
    description:
      'Rules that the application is held to as a whole, stronger than its other settings. FAPI_2_0 is the FAPI 2.0 Security Profile: authentication by private_key_jwt with the issuer as the only audience, or by certificate; pushed authorization requests with PKCE and the response type code; every token bound to a key (DPoP) or a certificate; codes that are valid for a minute; refresh tokens that stay the same; signatures by PS256, ES256 or EdDSA, also ours. It is refused, with what is wrong, where the other settings contradict it. If unspecified on creation: NONE; in an update: unchanged.',
    example: 'SECURITY_PROFILE_NONE',
  })
  readonly securityProfile!: ValueOf<typeof SECURITY_PROFILE>;
}

/**
 * Bodies of new applications have the default as an example. Those of updates have none: an example that is sent
 * unchanged must not switch off what protects the application.
 */
export const ON_CREATION = { optional: true, example: false } as const;

export const CERTIFICATE_BOUND = {
  description:
    'Whether every token request must come with a certificate, so that access tokens can only be used with it (RFC 8705 §3.4). Needs CLIENT_CERT_HEADER. If absent in an update, it is unchanged.',
} as const;

export const REQUEST_ADDRESSES = {
  description:
    'The only addresses from which request objects of the application are fetched (OIDC Core §6.2), if the operator has set REQUEST_URI; otherwise they are kept without effect. If absent in an update, they are unchanged.',
} as const;

export const SIGNED_USERINFO = {
  description:
    'Whether userinfo responses are JWTs (OIDC Core §5.3.2), signed as the ID tokens of the application are, instead of JSON. If absent in an update, it is unchanged.',
} as const;

export const BOUND_TOKENS = {
  description:
    'Whether every token request must have a DPoP proof (RFC 9449), so that access tokens can only be used with the key of the application; refresh tokens of public clients as well. The implicit flow then issues no access tokens. If absent in an update, it is unchanged.',
} as const;

@Reserves({ 23: 'ios', 24: 'android' })
@Named('AppOidcConfig')
export class AppOidcConfig extends OidcAppSettings {
  @Texts(1, SETTING.redirectUris)
  readonly redirectUris!: readonly string[];

  @Choices(2, OIDC_RESPONSE_TYPE, SETTING.responseTypes)
  readonly responseTypes!: ReadonlyArray<ValueOf<typeof OIDC_RESPONSE_TYPE>>;

  @Choices(3, OIDC_GRANT_TYPE, SETTING.grantTypes)
  readonly grantTypes!: ReadonlyArray<ValueOf<typeof OIDC_GRANT_TYPE>>;

  @Choice(4, OIDC_APP_TYPE, SETTING.appType)
  readonly appType!: ValueOf<typeof OIDC_APP_TYPE>;

  @Text(5, {
    description: 'The client ID that the application uses in OAuth and OpenID Connect requests.',
    example: EXAMPLE.clientId,
  })
  readonly clientId!: string;

  @Choice(7, OIDC_AUTH_METHOD_TYPE, SETTING.authMethodType)
  readonly authMethodType!: ValueOf<typeof OIDC_AUTH_METHOD_TYPE>;

  @Texts(8, SETTING.postLogoutRedirectUris)
  readonly postLogoutRedirectUris!: readonly string[];

  @Choice(9, OIDC_VERSION, SETTING.version)
  readonly version!: ValueOf<typeof OIDC_VERSION>;

  @Flag(10, {
    description: 'Whether a setting deviates from what the standards recommend. The application works nevertheless.',
  })
  readonly noneCompliant!: boolean;

  @Parts(11, () => LocalizedMessage, { description: 'Which settings deviate from the standards.' })
  readonly complianceProblems!: readonly LocalizedMessage[];

  @Flag(12, SETTING.devMode)
  readonly devMode!: boolean;

  @Choice(13, OIDC_TOKEN_TYPE, SETTING.accessTokenType)
  readonly accessTokenType!: ValueOf<typeof OIDC_TOKEN_TYPE>;

  @Flag(14, SETTING.accessTokenRoleAssertion)
  readonly accessTokenRoleAssertion!: boolean;

  @Flag(15, SETTING.idTokenRoleAssertion)
  readonly idTokenRoleAssertion!: boolean;

  @Flag(16, SETTING.idTokenUserinfoAssertion)
  readonly idTokenUserinfoAssertion!: boolean;

  @Span(17, SETTING.clockSkew)
  readonly clockSkew?: number | undefined;

  @Texts(18, SETTING.additionalOrigins)
  readonly additionalOrigins!: readonly string[];

  @Texts(19, {
    description: 'The origins of the redirect URIs and the additional origins.',
    example: ['https://app.example.com'],
  })
  readonly allowedOrigins!: readonly string[];

  @Flag(20, SETTING.skipNativeAppSuccessPage)
  readonly skipNativeAppSuccessPage!: boolean;

  @Text(21, SETTING.backChannelLogoutUri)
  readonly backChannelLogoutUri!: string;

  @Part(22, () => LoginVersion, SETTING.loginVersion)
  readonly loginVersion?: LoginVersion | undefined;

  @Flag(105, STRICT_AUTH_METHOD)
  readonly strictAuthMethod!: boolean;

  @Choice(111, APP_ORIGIN, {
    description:
      'Who has registered the application: an administrator, the application itself (RFC 7591), or nobody, because its client ID is the address of a document that describes it. Users are asked for consent each time by those that describe themselves.',
    example: 'APP_ORIGIN_ADMINISTRATOR',
  })
  readonly origin!: ValueOf<typeof APP_ORIGIN>;

  @Flag(120, { ...BOUND_TOKENS, example: false })
  readonly dpopBoundAccessTokens!: boolean;

  @Flag(113, { ...REQUEST_WAYS.signed, example: false })
  readonly requireSignedRequests!: boolean;

  @Flag(117, { ...REQUEST_WAYS.pushed, example: false })
  readonly requirePushedRequests!: boolean;

  @Flag(119, { ...CERTIFICATE_BOUND, ...ON_CREATION })
  readonly tlsBoundAccessTokens?: boolean | undefined;

  @Part(114, () => RequestUris, REQUEST_ADDRESSES)
  readonly requestUris?: RequestUris | undefined;

  @Flag(123, { ...SIGNED_USERINFO, ...ON_CREATION })
  readonly signedUserinfo?: boolean | undefined;
}
