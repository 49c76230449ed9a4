import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { Json } from '../support/admin-api.js';
import { JPEG as JPEG_BYTES } from '../support/images.js';

const ACTIVE = 'USER_GRANT_STATE_ACTIVE';
const BOTH_ROLES = ['dispatcher', 'driver'];

/** Of 2048 bits, once for all documents. */
const PEM = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' });
const PUBLIC_JWK = createPublicKey(PEM).export({ format: 'jwk' });
export const PUBLIC_KEY = Buffer.from(PEM).toString('base64');
export const HASH = '$argon2id$v=19$m=19456,t=2,p=1$2BW8av28LtS8IvzwzlP2Gg$gKMkDDE1EHv3Co9/OqzWO6GK/OVqmfifxwJnbHBz280';
export const SEED = 'NB2W45DFOIZA2345NB2W45DFOIZA2345';

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==';
export const JPEG = JPEG_BYTES.toString('base64');

let documents = 0;

type Org = Record<string, unknown> & { humanUsers: Json[] };

/**
 * Two organizations that use every member of the document, and point at each other. Ids and names are new each time.
 */
export function fullDocument(): { orgs: [Org, Org] } {
  documents += 1;
  const n = `${process.pid}-${documents}`;
  const key = (what: string): string => `${what}-${n}`;
  const message = (language: string): Json => ({
    language,
    title: 'Willkommen',
    preHeader: 'Vorab',
    subject: 'Neues Konto',
    greeting: 'Hallo {{.FirstName}}',
    text: 'Für {{.UserName}}',
    buttonText: 'Los',
    footerText: 'Ende',
  });
  const first: Org = {
    orgId: key('org-a'),
    org: { name: `Birkenhof Ü ${n}` },
    domains: [
      { orgId: key('org-a'), domainName: `birkenhof-${n}.test`, isVerified: true, isPrimary: true },
      { orgId: key('org-a'), domainName: `zweit-${n}.test` },
    ],
    domainPolicy: { orgId: key('org-a'), userLoginMustBeDomain: true, validateOrgDomains: true },
    labelPolicy: {
      primaryColor: '#112233',
      hideLoginNameSuffix: true,
      fontColor: '#445566',
      themeMode: 'THEME_MODE_DARK',
      logoImage: PNG,
      iconImage: JPEG,
      iconDarkImage: PNG,
    },
    lockoutPolicy: { maxPasswordAttempts: 5, maxOtpAttempts: 7 },
    passwordComplexityPolicy: { minLength: '12', hasLowercase: true, hasNumber: true },
    passwordAgePolicy: { maxAgeDays: 90, expireWarnDays: 7 },
    notificationPolicy: { passwordChange: true },
    selfServicePolicy: { editProfile: true, changeEmail: true, deleteAccount: true, accountDeletionGraceDays: 7 },
    privacyPolicy: {
      tosLink: 'https://birkenhof.example/tos',
      supportEmail: 'hilfe@birkenhof.example',
      customLinkText: 'Mehr',
    },
    oidcIdps: [
      {
        idpId: key('idp-o'),
        state: 'IDP_STATE_ACTIVE',
        idp: {
          name: 'Firmen-Login',
          clientId: 'birkenhof-7',
          clientSecret: 'planted-idp-secret',
          issuer: 'https://sso.birkenhof.example',
          scopes: ['openid', 'email'],
          displayNameMapping: 'OIDC_MAPPING_FIELD_EMAIL',
          autoRegister: true,
        },
      },
    ],
    jwtIdps: [
      {
        idpId: key('idp-j'),
        state: 'IDP_STATE_INACTIVE',
        idp: {
          name: 'Gateway',
          stylingType: 'STYLING_TYPE_VENDOR',
          jwtEndpoint: 'https://edge.birkenhof.example/idp',
          issuer: 'https://edge.birkenhof.example',
          keysEndpoint: 'https://edge.birkenhof.example/keys',
          headerName: 'x-edge-token',
        },
      },
    ],
    loginPolicy: {
      allowUsernamePassword: true,
      allowExternalIdp: true,
      passwordlessType: 'PASSWORDLESS_TYPE_ALLOWED',
      passwordCheckLifetime: '864000s',
      externalLoginCheckLifetime: '0s',
      mfaInitSkipLifetime: '2592000s',
      secondFactorCheckLifetime: '64800s',
      multiFactorCheckLifetime: '43200s',
      secondFactors: ['SECOND_FACTOR_TYPE_OTP', 'SECOND_FACTOR_TYPE_OTP_EMAIL'],
      multiFactors: ['MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION'],
      idps: [{ idpId: key('idp-o'), ownerType: 'IDP_OWNER_TYPE_ORG' }],
      disableLoginWithPhone: true,
    },
    projects: [
      {
        projectId: key('project'),
        project: {
          name: 'Tour planner',
          projectRoleAssertion: true,
          hasProjectCheck: true,
          privateLabelingSetting: 'PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY',
          resourceUris: [`https://${key('files')}.example.test/mcp`, `urn:example:${key('mail')}`],
        },
        state: 'PROJECT_STATE_ACTIVE',
      },
      { projectId: key('project-z'), project: { name: 'Ruhend' }, state: 'PROJECT_STATE_INACTIVE' },
    ],
    projectRoles: [
      { projectId: key('project'), roleKey: 'dispatcher', displayName: 'Dispatcher', group: 'office' },
      { projectId: key('project'), roleKey: 'driver', displayName: '🚚'.repeat(200) },
    ],
    apiApps: [
      {
        appId: key('app-api'),
        clientId: key('client-api'),
        state: 'APP_STATE_ACTIVE',
        app: {
          projectId: key('project'),
          name: 'tour-api',
          authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT',
          strictAuthMethod: true,
          tlsClientNameType: 'TLS_CLIENT_NAME_TYPE_SAN_URI',
          tlsClientName: 'https://api.birkenhof.example/',
          jwks: { keys: [PUBLIC_JWK] },
          assertionAudience: 'ASSERTION_AUDIENCE_ISSUER_ONLY',
          requireAssertionId: true,
        },
      },
      {
        appId: key('app-api-2'),
        clientId: key('client-api-2'),
        state: 'APP_STATE_INACTIVE',
        app: {
          projectId: key('project'),
          name: 'tour-archive',
          authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT',
          jwksUri: 'https://archiv.birkenhof.example/jwks.json',
          assertionAudience: 'ASSERTION_AUDIENCE_ANY',
        },
      },
    ],
    oidcApps: [
      {
        appId: key('app-web'),
        clientId: key('client-web'),
        state: 'APP_STATE_ACTIVE',
        secretHash: Buffer.alloc(32, 7).toString('base64'),
        app: {
          projectId: key('project'),
          name: 'tour-web',
          redirectUris: ['https://touren.birkenhof.example/cb'],
          responseTypes: ['OIDC_RESPONSE_TYPE_CODE', 'OIDC_RESPONSE_TYPE_ID_TOKEN'],
          grantTypes: [
            'OIDC_GRANT_TYPE_AUTHORIZATION_CODE',
            'OIDC_GRANT_TYPE_IMPLICIT',
            'OIDC_GRANT_TYPE_REFRESH_TOKEN',
            'OIDC_GRANT_TYPE_DEVICE_CODE',
            'OIDC_GRANT_TYPE_TOKEN_EXCHANGE',
          ],
          devMode: true,
          postLogoutRedirectUris: ['https://touren.birkenhof.example/'],
          accessTokenType: 'OIDC_TOKEN_TYPE_JWT',
          accessTokenHeaderType: 'ACCESS_TOKEN_HEADER_TYPE_JWT',
          strictAuthMethod: true,
          dpopBoundAccessTokens: true,
          tlsBoundAccessTokens: true,
          tlsClientNameType: 'TLS_CLIENT_NAME_TYPE_SAN_DNS',
          tlsClientName: 'touren.birkenhof.example',
          origin: 'APP_ORIGIN_REGISTERED',
          about: { name: 'Touren', policyUri: 'https://touren.birkenhof.example/datenschutz' },
          jwksUri: 'https://touren.birkenhof.example/jwks.json',
          assertionAudience: 'ASSERTION_AUDIENCE_ANY',
          requireAssertionId: true,
          requirePushedRequests: true,
          requireSignedRequests: true,
          requestUris: ['https://touren.birkenhof.example/anfrage.jwt#1'],
          signedUserinfo: true,
          accessTokenRoleAssertion: true,
          idTokenUserinfoAssertion: true,
          clockSkew: '5s',
          additionalOrigins: ['https://mehr.birkenhof.example'],
          backChannelLogoutUri: 'https://touren.birkenhof.example/back',
          loginVersion: { loginV2: { baseUri: 'https://login.birkenhof.example' } },
          consentPage: true,
          flatRolesClaim: true,
          accessTokenLifetime: '600s',
          idTokenLifetime: '601s',
        },
      },
      {
        appId: key('app-bank'),
        clientId: key('client-bank'),
        state: 'APP_STATE_ACTIVE',
        app: {
          projectId: key('project'),
          name: 'tour-bank',
          appType: 'OIDC_APP_TYPE_NATIVE',
          authMethodType: 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT',
          jwks: { keys: [PUBLIC_JWK] },
          assertionAudience: 'ASSERTION_AUDIENCE_ISSUER_ONLY',
          securityProfile: 'SECURITY_PROFILE_FAPI_2_0',
          redirectUris: ['https://bank.birkenhof.example/cb'],
          responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
          grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
          accessTokenHeaderType: 'ACCESS_TOKEN_HEADER_TYPE_AT_JWT',
          clockSkew: '0s',
          idTokenRoleAssertion: true,
          skipNativeAppSuccessPage: true,
        },
      },
    ],
    appKeys: [
      {
        id: key('app-key'),
        projectId: key('project'),
        appId: key('app-api'),
        clientId: key('client-api'),
        type: 'KEY_TYPE_JSON',
        expirationDate: '2031-01-01T00:00:00.000Z',
        publicKey: PUBLIC_KEY,
      },
    ],
    humanUsers: [
      {
        userId: key('ilse'),
        user: {
          userName: 'ilse.brandt',
          profile: {
            firstName: 'Ilse',
            lastName: 'Brandt',
            nickName: 'Il',
            displayName: '🚲'.repeat(200),
            preferredLanguage: 'de',
            gender: 'GENDER_FEMALE',
            middleName: 'M',
            profileUrl: 'https://birkenhof.example/ilse',
            pictureUrl: 'https://birkenhof.example/ilse.png',
            website: 'https://ilse.example',
            birthdate: '1990-02-03',
            zoneinfo: 'Europe/Berlin',
            address: { streetAddress: 'Hauptstr. 1', country: 'Deutschland' },
          },
          email: { email: `ilse-${n}@birkenhof.example`, isEmailVerified: true },
          phone: { phone: '+49301234567', isPhoneVerified: true },
          hashedPassword: { value: HASH },
          passwordChanged: '2025-02-03T04:05:06.000Z',
          passwordChangeRequired: true,
          otpCode: SEED,
          recoveryCodes: [{ hash: HASH }],
          otpEmail: true,
        },
        state: 'USER_STATE_ACTIVE',
      },
      {
        userId: key('kein-mail'),
        user: { userName: 'karla', profile: { firstName: 'K', lastName: 'L', displayName: 'K L' } },
        state: 'USER_STATE_LOCKED',
        awaitsSetUp: true,
      },
    ],
    machineUsers: [
      {
        userId: key('sync'),
        user: {
          userName: `tour-sync-${n}`,
          description: 'nightly import',
          accessTokenType: 'ACCESS_TOKEN_TYPE_JWT',
          accessTokenHeaderType: 'ACCESS_TOKEN_HEADER_TYPE_JWT',
        },
        state: 'USER_STATE_INACTIVE',
        secretHash: Buffer.alloc(32, 9).toString('base64'),
      },
    ],
    machineKeys: [
      {
        keyId: key('machine-key'),
        userId: key('sync'),
        type: 'KEY_TYPE_JSON',
        expirationDate: '9999-12-31T23:59:59.000Z',
        publicKey: PUBLIC_KEY,
      },
    ],
    userLinks: [
      {
        userId: key('ilse'),
        idpId: key('idp-o'),
        idpName: 'Firmen-Login',
        providedUserId: 'u-4471',
        providedUserName: 'brandt',
        idpType: 'IDP_TYPE_OIDC',
        linkedAt: '2024-03-01T08:30:00.000Z',
      },
    ],
    orgMetadata: [{ key: 'contract', value: 'Z29sZA==' }],
    userMetadata: [{ id: key('ilse'), key: 'depot', value: 'QmVybGlu' }],
    groups: [{ groupId: key('night'), name: 'Nachtschicht', description: 'Von zehn bis sechs' }],
    groupMembers: [
      { groupId: key('night'), userId: key('ilse') },
      { groupId: key('night'), userId: key('sync') },
    ],
    actions: [
      {
        actionId: key('action'),
        action: { name: 'setName', script: 'function setName(ctx, api) {}', timeout: '10s', allowedToFail: true },
      },
    ],
    triggerActions: [{ flowType: '3', triggerType: '1', actionIds: [key('action')] }],
    loginTexts: [
      { language: 'de', loginText: { title: 'Hallo', description: 'Bitte' }, passwordText: { title: 'Passwort' } },
    ],
    initMessages: [message('de'), message('en')],
    passwordResetMessages: [message('de')],
    verifyEmailMessages: [message('de')],
    verifyPhoneMessages: [message('de')],
    domainClaimedMessages: [message('de')],
    passwordlessRegistrationMessages: [message('de')],
    verifySmsOtpMessages: [{ language: 'de', text: '{{.OTP}}' }],
    verifyEmailOtpMessages: [message('de')],
    inviteUserMessages: [message('de')],
    passwordChangeMessages: [message('de')],
    projectGrants: [
      {
        grantId: key('grant'),
        projectGrant: { projectId: key('project'), grantedOrgId: key('org-b'), roleKeys: ['dispatcher'] },
        state: 'PROJECT_GRANT_STATE_ACTIVE',
      },
    ],
    userGrants: [
      { userId: key('ilse'), projectId: key('project'), roleKeys: BOTH_ROLES, id: key('ug-a'), state: ACTIVE },
    ],
    groupGrants: [
      { groupId: key('night'), projectId: key('project'), roleKeys: ['driver'], id: key('gg-a'), state: ACTIVE },
    ],
    orgMembers: [
      { userId: key('ilse'), roles: ['ORG_OWNER'] },
      { userId: key('bodo'), roles: ['ORG_OWNER_VIEWER'] },
    ],
    projectMembers: [{ projectId: key('project'), userId: key('sync'), roles: ['PROJECT_OWNER_VIEWER'] }],
    orgState: 'ORG_STATE_ACTIVE',
  };
  const second: Org = {
    orgId: key('org-b'),
    org: { name: `Spedition ${n}` },
    domains: [{ orgId: key('org-b'), domainName: `spedition-${n}.test`, isVerified: true, isPrimary: true }],
    humanUsers: [
      {
        userId: key('bodo'),
        state: 'USER_STATE_INITIAL',
        user: {
          userName: `bodo-${n}`,
          profile: { firstName: 'Bodo', lastName: 'Bär', displayName: 'Bodo Bär' },
          email: { email: `bodo-${n}@spedition.example`, mayStayUnverified: true },
        },
      },
    ],
    userGrants: [
      {
        userId: key('bodo'),
        projectId: key('project'),
        projectGrantId: key('grant'),
        roleKeys: ['dispatcher'],
        id: key('ug-b'),
        state: 'USER_GRANT_STATE_INACTIVE',
      },
    ],
    projectGrantMembers: [
      { projectId: key('project'), grantId: key('grant'), userId: key('bodo'), roles: ['PROJECT_GRANT_OWNER'] },
    ],
    orgState: 'ORG_STATE_INACTIVE',
  };
  return { orgs: [first, second] };
}

/** Whatever the order of members and entries; without what an export says of itself. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(canonical).sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'leftOut')
      .map(([name, inner]) => [name, canonical(inner)] as const)
      .sort(([one], [other]) => one.localeCompare(other)),
  );
}
