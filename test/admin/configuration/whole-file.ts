import type { Json } from '../../support/admin-api.js';
import { png } from '../../support/images.js';

/** A logo as a file gives it. */
export const LOGO = `base64:${png().toString('base64')}`;

/** One of everything that a configuration can say, of two organizations. */
export const WHOLE: Json = {
  instance: {
    defaultLanguage: 'de',
    defaultOrganization: 'Bakery',
    settings: {
      tokens: {
        accessTokenLifetime: '3600s',
        idTokenLifetime: '1800s',
        refreshTokenIdleExpiration: '86400s',
        refreshTokenExpiration: '604800s',
      },
      signing: { algorithm: 'SIGNING_ALGORITHM_ES256', rotationAge: '864000s' },
      security: { enableIframeEmbedding: false, allowedOrigins: [], enableImpersonation: true },
    },
    mailServers: {
      Relay: {
        senderAddress: 'id@bakery.test',
        senderName: 'Bakery',
        tls: true,
        host: 'mail.bakery.test:587',
        user: 'gatehouse',
        password: { $secret: 'hush' },
        replyToAddress: '',
        active: false,
      },
    },
    identityProviders: {
      Partner: {
        stylingType: 'STYLING_TYPE_UNSPECIFIED',
        providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
        oidc: {
          clientId: 'gatehouse',
          clientSecret: { $secret: 'hush' },
          issuer: 'https://partner.test',
          scopes: ['openid', 'email'],
        },
        active: true,
      },
      Tokens: {
        jwt: {
          jwtEndpoint: 'https://jwt.test/sign-in',
          issuer: 'https://jwt.test',
          keysEndpoint: 'https://jwt.test/keys',
          headerName: 'x-token',
        },
        active: false,
      },
    },
    policies: {
      login: {
        allowRegister: false,
        forceMfaLocalOnly: true,
        passwordCheckLifetime: '7200s',
        secondFactors: ['SECOND_FACTOR_TYPE_OTP'],
        multiFactors: ['MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION'],
        identityProviders: ['Partner'],
      },
      lockout: { maxPasswordAttempts: 7, maxOtpAttempts: 5 },
      passwordComplexity: { minLength: 12, hasSymbol: false },
      passwordAge: { maxAgeDays: 400, expireWarnDays: 14 },
      domain: { userLoginMustBeDomain: false, validateOrgDomains: false },
      selfService: { deleteAccount: true, accountDeletionGraceDays: 7 },
      privacy: { tosLink: 'https://bakery.test/terms', supportEmail: 'help@bakery.test' },
      notification: { passwordChange: false },
      label: { primaryColor: '#112233', disableWatermark: true, logo: LOGO },
    },
    texts: {
      login: { de: { loginText: { title: 'Guten Morgen' } } },
      messages: { init: { de: { subject: 'Willkommen in der Bäckerei' } } },
    },
    webhooks: { 'https://hooks.bakery.test/all': { types: ['user.removed'], active: true } },
  },
  organizations: {
    Bakery: {
      active: true,
      domains: { 'bakery.test': { primary: true } },
      metadata: { contract: 'gold', picture: 'base64:/wD/' },
      identityProviders: {
        Till: {
          oidc: {
            clientId: 'till',
            clientSecret: { $secret: 'hush' },
            issuer: 'https://till.test',
            scopes: ['openid'],
          },
        },
      },
      policies: {
        login: { forceMfa: true, identityProviders: ['Partner', 'Till'], secondFactors: ['SECOND_FACTOR_TYPE_U2F'] },
        domain: { userLoginMustBeDomain: true },
        label: { fontColor: '#010203' },
      },
      texts: { messages: { passwordReset: { en: { greeting: 'Good morning' } } } },
      webhooks: { 'https://hooks.bakery.test/own': { types: ['user.human.added'], active: false } },
      projects: {
        Shop: {
          projectRoleAssertion: true,
          projectRoleCheck: true,
          hasProjectCheck: false,
          active: true,
          resources: ['https://api.bakery.test'],
          roles: {
            buyer: { displayName: 'Buyer', group: 'front' },
            baker: { displayName: 'Baker', group: '' },
          },
          applications: {
            Web: {
              oidc: {
                redirectUris: ['https://shop.bakery.test/cb'],
                postLogoutRedirectUris: ['https://shop.bakery.test'],
                responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
                grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
                accessTokenLifetime: '600s',
              },
              administration: 'APP_ADMINISTRATION_ALLOWED',
            },
            Ovens: { api: { authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' }, active: false },
          },
          grants: { Mill: { roleKeys: ['baker'], active: true } },
        },
      },
      groups: { Staff: { description: 'All of us', grants: { Shop: ['baker', 'buyer'] } } },
    },
    Mill: { groups: { Millers: { grants: { Shop: ['baker'] } } } },
  },
};
