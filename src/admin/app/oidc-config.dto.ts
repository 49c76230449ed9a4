import { LocalizedMessage } from '../event/event.dto.js';
import { EXAMPLE } from '../wire/example-ids.js';
import { Choice, Choices, Flag, Part, Parts, Span, Text, Texts } from '../wire/fields.js';
import { ACCESS_TOKEN_HEADER_TYPE, HEADER_TYPE, type SentHeaderType } from '../wire/token-header-type.js';
import type { ValueOf } from '../wire/wire-enum.js';
import {
  OIDC_APP_TYPE,
  OIDC_AUTH_METHOD_TYPE,
  OIDC_GRANT_TYPE,
  OIDC_RESPONSE_TYPE,
  OIDC_TOKEN_TYPE,
  OIDC_VERSION,
} from './app.enums.js';

export const STRICT_AUTH_METHOD = {
  description:
    'The secret is taken by the registered method alone, and not by the other of header and form. Absent in a change: as it was.',
};

/** What the settings of an OpenID Connect application mean, said once for the three messages that hold them. */
export const SETTING = {
  redirectUris: {
    max: 2_000,
    maxItems: 100,
    description: 'Where answers may go; compared byte for byte. Native applications: a loopback port is free.',
    example: ['https://app.example.com/callback'],
  },
  responseTypes: {
    maxItems: 10,
    description: 'What authorization requests may ask for.',
    example: ['OIDC_RESPONSE_TYPE_CODE'],
  },
  grantTypes: {
    maxItems: 10,
    example: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
    description:
      'Each response type needs its own. Device code and token exchange are kept, but no such grant is offered.',
  },
  appType: { description: 'Where the application runs.', example: 'OIDC_APP_TYPE_WEB' },
  authMethodType: {
    description:
      'How it authenticates; without a secret or key it must use PKCE. BASIC and POST: the secret is taken in either place, unless `strictAuthMethod`.',
    example: 'OIDC_AUTH_METHOD_TYPE_BASIC',
  },
  postLogoutRedirectUris: {
    max: 2_000,
    maxItems: 100,
    description: 'Where people may be sent after signing out.',
    example: ['https://app.example.com/'],
  },
  version: { description: 'OpenID Connect 1.0: there is no other.', example: 'OIDC_VERSION_1_0' },
  devMode: { description: 'Allows http redirect URIs. Not for production.' },
  accessTokenType: { description: 'Opaque, or a JWT (RFC 9068).', example: 'OIDC_TOKEN_TYPE_BEARER' },
  accessTokenHeaderType: HEADER_TYPE,
  accessTokenRoleAssertion: { description: 'Roles stand in JWT access tokens.' },
  idTokenRoleAssertion: { description: 'Roles stand in ID tokens.' },
  idTokenUserinfoAssertion: { description: 'The claims of the granted scopes stand in ID tokens.' },
  clockSkew: { description: 'How far the application’s clock may be off: 0s to 5s, in whole seconds.', example: '0s' },
  additionalOrigins: {
    max: 500,
    maxItems: 100,
    description: 'Origins beside those of the redirect URIs.',
    example: ['https://app.example.com'],
  },
  skipNativeAppSuccessPage: {
    description:
      'Native applications: people are sent back at once, without the page that tells them that they are signed in.',
  },
  backChannelLogoutUri: { max: 2_000, description: 'Kept: nobody is called there yet.' },
  loginVersion: { description: 'Kept: there is one kind of login pages.' },
  consentPage: { description: '`prompt=consent` shows a page that asks for confirmation.' },
  flatRolesClaim: { description: 'Wherever roles are asserted, also a plain list `roles`.' },
  accessTokenLifetime: {
    description: 'Absent: that of the instance. At most 90 days, in whole seconds.',
    example: '43200s',
  },
  idTokenLifetime: {
    description: 'Absent: that of the instance. At most 90 days, in whole seconds.',
    example: '43200s',
  },
} as const;

export class LoginV1 {}

export class LoginV2 {
  @Text(1, { optional: true, max: 2_000, description: 'Where the pages are, if not here.' })
  readonly baseUri?: string | undefined;
}

export class LoginVersion {
  @Part(1, () => LoginV1, { oneof: 'version' })
  readonly loginV1?: LoginV1 | undefined;

  @Part(2, () => LoginV2, { oneof: 'version' })
  readonly loginV2?: LoginV2 | undefined;
}

export class AppOidcConfig {
  @Texts(1, SETTING.redirectUris)
  readonly redirectUris!: readonly string[];

  @Choices(2, OIDC_RESPONSE_TYPE, SETTING.responseTypes)
  readonly responseTypes!: ReadonlyArray<ValueOf<typeof OIDC_RESPONSE_TYPE>>;

  @Choices(3, OIDC_GRANT_TYPE, SETTING.grantTypes)
  readonly grantTypes!: ReadonlyArray<ValueOf<typeof OIDC_GRANT_TYPE>>;

  @Choice(4, OIDC_APP_TYPE, SETTING.appType)
  readonly appType!: ValueOf<typeof OIDC_APP_TYPE>;

  @Text(5, { description: 'What the application calls itself in the protocol.', example: EXAMPLE.clientId })
  readonly clientId!: string;

  @Choice(7, OIDC_AUTH_METHOD_TYPE, SETTING.authMethodType)
  readonly authMethodType!: ValueOf<typeof OIDC_AUTH_METHOD_TYPE>;

  @Texts(8, SETTING.postLogoutRedirectUris)
  readonly postLogoutRedirectUris!: readonly string[];

  @Choice(9, OIDC_VERSION, SETTING.version)
  readonly version!: ValueOf<typeof OIDC_VERSION>;

  @Flag(10, { description: 'Whether something departs from what the standards advise; it works all the same.' })
  readonly noneCompliant!: boolean;

  @Parts(11, () => LocalizedMessage, { description: 'What departs.' })
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
    description: 'The origins of the redirect URIs, and the additional ones.',
    example: ['https://app.example.com'],
  })
  readonly allowedOrigins!: readonly string[];

  @Flag(20, SETTING.skipNativeAppSuccessPage)
  readonly skipNativeAppSuccessPage!: boolean;

  @Text(21, SETTING.backChannelLogoutUri)
  readonly backChannelLogoutUri!: string;

  @Part(22, () => LoginVersion, SETTING.loginVersion)
  readonly loginVersion?: LoginVersion | undefined;

  @Flag(100, SETTING.consentPage)
  readonly consentPage!: boolean;

  @Flag(101, SETTING.flatRolesClaim)
  readonly flatRolesClaim!: boolean;

  @Span(102, SETTING.accessTokenLifetime)
  readonly accessTokenLifetime?: number | undefined;

  @Span(103, SETTING.idTokenLifetime)
  readonly idTokenLifetime?: number | undefined;

  @Choice(104, ACCESS_TOKEN_HEADER_TYPE, SETTING.accessTokenHeaderType)
  readonly accessTokenHeaderType!: SentHeaderType;

  @Flag(105, STRICT_AUTH_METHOD)
  readonly strictAuthMethod!: boolean;
}
