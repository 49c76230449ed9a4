import { pbkdf2Sync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { hashSync } from '@node-rs/argon2';
import type { Json } from '../support/admin-api.js';

/*
 * A realm as `kc.sh export` writes it (Keycloak 26): with the members that every realm has, and one of each thing that
 * people add. Hashes are computed here as Keycloak does.
 */

export const PASSWORD = 'Correct-Horse-7';
export const WEB_SECRET = 'Zk3vS0pQbWQ1xT8rYc5uJd2nLh7eAf4g';
export const SYNC_SECRET = 'f47ac10b-58cc-4372-a567-0e02b2c3d479';
/** As Keycloak makes them: twenty letters and digits, whose bytes are the key. */
export const OTP_SECRET = 'dXzkB2rQ7mWp0sVnT4hL';
const SALT = Buffer.from('0123456789abcdef');

const credential = (type: string, secretData: Json, credentialData: Json): Json => ({
  id: `c-${type}`,
  type,
  userLabel: 'Mine',
  createdDate: 1_693_888_572_700,
  secretData: JSON.stringify(secretData),
  credentialData: JSON.stringify(credentialData),
});

function pbkdf2Credential(algorithm: string, digest: string, iterations: number, bytes: number): Json {
  const value = pbkdf2Sync(PASSWORD, SALT, iterations, bytes, digest).toString('base64');
  return credential(
    'password',
    { value, salt: SALT.toString('base64'), additionalParameters: {} },
    { hashIterations: iterations, algorithm, additionalParameters: {} },
  );
}

function argon2Credential(): Json {
  const hash = hashSync(PASSWORD, { algorithm: 2, memoryCost: 7_168, timeCost: 5, parallelism: 1, salt: SALT })
    .split('$')
    .at(-1)!;
  const additionalParameters = {
    hashLength: ['32'],
    memory: ['7168'],
    type: ['id'],
    version: ['1.3'],
    parallelism: ['1'],
  };
  return credential(
    'password',
    { value: Buffer.from(hash, 'base64').toString('base64'), salt: SALT.toString('base64'), additionalParameters: {} },
    { hashIterations: 5, algorithm: 'argon2', additionalParameters },
  );
}

const totp = (over: Json = {}): Json =>
  credential(
    'otp',
    { value: OTP_SECRET },
    { subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1', ...over },
  );

const client = (clientId: string, over: Json): Json => ({
  id: `id-of-${clientId}`,
  clientId,
  name: '',
  surrogateAuthRequired: false,
  enabled: true,
  alwaysDisplayInConsole: false,
  clientAuthenticatorType: 'client-secret',
  redirectUris: [],
  webOrigins: [],
  notBefore: 0,
  bearerOnly: false,
  consentRequired: false,
  standardFlowEnabled: true,
  implicitFlowEnabled: false,
  directAccessGrantsEnabled: false,
  serviceAccountsEnabled: false,
  publicClient: false,
  frontchannelLogout: false,
  protocol: 'openid-connect',
  attributes: {},
  fullScopeAllowed: true,
  nodeReRegistrationTimeout: -1,
  defaultClientScopes: ['web-origins', 'acr', 'profile', 'roles', 'email'],
  optionalClientScopes: ['address', 'phone', 'offline_access'],
  ...over,
});

const user = (n: string, username: string, over: Json): Json => ({
  id: `8267${n}-bf17-4bd9-b45c-6a26c76ddaae`,
  createdTimestamp: 1_693_887_631_918,
  username,
  enabled: true,
  totp: false,
  emailVerified: true,
  firstName: 'Ilse',
  lastName: 'Brandt',
  email: `${username}@keycloak.test`,
  attributes: {},
  credentials: [],
  disableableCredentialTypes: [],
  requiredActions: [],
  realmRoles: ['default-roles-birkenhof'],
  clientRoles: {},
  notBefore: 0,
  groups: [],
  ...over,
});

export const people = {
  sha256: user('0001', 'ilse', {
    credentials: [pbkdf2Credential('pbkdf2-sha256', 'sha256', 27_500, 64)],
    realmRoles: ['default-roles-birkenhof', 'dispatcher'],
    clientRoles: { 'tour-web': ['planner'], account: ['manage-account'] },
    groups: ['/staff/berlin'],
    attributes: {
      phoneNumber: ['+49 30 1234567'],
      locale: ['de'],
      street: ['Hauptstr. 1'],
      country: ['Deutschland'],
      depot: ['Berlin'],
      shifts: ['early', 'late'],
      gender: ['female'],
    },
    federatedIdentities: [
      { identityProvider: 'partner', userId: 'u-4471', userName: 'ilse@partner.test' },
      { identityProvider: 'hub', userId: '99', userName: 'ilse-hub' },
    ],
  }),
  sha512: user('0002', 'bodo', {
    credentials: [pbkdf2Credential('pbkdf2-sha512', 'sha512', 2_100, 64)],
    realmRoles: [],
    requiredActions: ['CONFIGURE_TOTP'],
  }),
  sha1: user('0003', 'carla', { credentials: [pbkdf2Credential('pbkdf2', 'sha1', 20_000, 64)] }),
  argon2: user('0004', 'dora', { credentials: [argon2Credential(), totp()] }),
  byHand: user('0005', 'emil', { credentials: [{ type: 'password', value: PASSWORD, temporary: false }] }),
  old: user('0006', 'frida', {
    credentials: [
      {
        type: 'password',
        hashedSaltedValue: pbkdf2Sync(PASSWORD, SALT, 20_000, 64, 'sha1').toString('base64'),
        salt: SALT.toString('base64'),
        hashIterations: 20_000,
        counter: 0,
        algorithm: 'pbkdf2',
        digits: 0,
      },
    ],
  }),
  odd: user('0007', 'gerd', {
    firstName: '',
    email: 'no address',
    enabled: false,
    attributes: { phoneNumber: ['030 1234'], picture: ['not a url'] },
    credentials: [
      totp({ digits: 8 }),
      credential('webauthn', { value: '' }, {}),
      credential('recovery-authn-codes', {}, {}),
      pbkdf2Credential('md9', 'sha1', 1, 20),
    ],
    clientConsents: [{ clientId: 'tour-web', grantedClientScopes: ['email'] }],
    groups: ['/gone'],
  }),
} as const;

/** Everything but the users. */
export const realm: Json = {
  id: '5c9f1a52-7a4e-4c0b-9a2e-3f1d8f0e7b11',
  realm: 'birkenhof',
  displayName: 'Birkenhof Logistik',
  notBefore: 0,
  defaultSignatureAlgorithm: 'RS256',
  accessTokenLifespan: 300,
  ssoSessionIdleTimeout: 1_800,
  enabled: true,
  sslRequired: 'external',
  registrationAllowed: false,
  rememberMe: true,
  verifyEmail: true,
  loginWithEmailAllowed: true,
  duplicateEmailsAllowed: false,
  resetPasswordAllowed: true,
  bruteForceProtected: true,
  permanentLockout: true,
  failureFactor: 12,
  passwordPolicy: 'length(12) and digits(1) and hashIterations(27500) and notUsername',
  otpPolicyType: 'totp',
  otpPolicyDigits: 6,
  smtpServer: { host: 'smtp.keycloak.test', password: '**********' },
  defaultRole: { id: 'dr', name: 'default-roles-birkenhof', composite: true, clientRole: false },
  roles: {
    realm: [
      {
        id: 'r1',
        name: 'dispatcher',
        description: 'Dispatcher',
        composite: true,
        composites: { realm: ['viewer'], client: { 'tour-web': ['reader'] } },
        clientRole: false,
        attributes: {},
      },
      { id: 'r2', name: 'viewer', composite: false, clientRole: false, attributes: {} },
      { id: 'r3', name: 'offline_access', description: '${role_offline-access}', composite: false, clientRole: false },
      {
        id: 'dr',
        name: 'default-roles-birkenhof',
        description: '${role_default-roles}',
        composite: true,
        composites: { realm: ['offline_access', 'member'], client: { account: ['view-profile'] } },
        clientRole: false,
      },
      { id: 'r4', name: 'member', composite: false, clientRole: false },
    ],
    client: {
      'tour-web': [
        { id: 'r5', name: 'planner', clientRole: true },
        { id: 'r6', name: 'reader', clientRole: true },
        { id: 'r7', name: 'writer', clientRole: true, attributes: { scope: ['all'] } },
      ],
      account: [
        { id: 'r8', name: 'view-profile', clientRole: true },
        { id: 'r9', name: 'manage-account', clientRole: true },
      ],
    },
  },
  groups: [
    {
      id: 'g1',
      name: 'staff',
      path: '/staff',
      attributes: { cost: ['1'] },
      realmRoles: [],
      clientRoles: { 'tour-web': ['writer'] },
      subGroups: [
        {
          id: 'g2',
          name: 'berlin',
          path: '/staff/berlin',
          attributes: {},
          realmRoles: [],
          clientRoles: {},
          subGroups: [],
        },
      ],
    },
  ],
  clients: [
    client('account', { redirectUris: ['/realms/birkenhof/account/*'] }),
    client('tour-web', {
      name: 'Tours',
      rootUrl: 'https://touren.test',
      secret: WEB_SECRET,
      redirectUris: ['/callback', 'https://touren.test/*', 'http://127.0.0.1:9/callback'],
      webOrigins: ['+', 'https://mehr.test', '*'],
      directAccessGrantsEnabled: true,
      attributes: {
        'post.logout.redirect.uris': 'https://touren.test/bye##+',
        'access.token.lifespan': '600',
        'pkce.code.challenge.method': 'S256',
        'backchannel.logout.url': 'https://touren.test/back',
        'request.uris':
          'https://touren.test/request.jwt#1##https://touren.test/requests/*##http://touren.test/request.jwt',
        'user.info.response.signature.alg': 'RS256',
        'standard.token.exchange.enabled': 'true',
      },
      protocolMappers: [{ name: 'department', protocolMapper: 'oidc-usermodel-attribute-mapper' }],
    }),
    client('tour-spa', {
      publicClient: true,
      redirectUris: ['https://spa.test/callback'],
      name: 'Tours',
      attributes: { 'access.token.header.type.rfc9068': 'true', 'standard.token.exchange.enabled': 'true' },
    }),
    client('tour-app', { publicClient: true, redirectUris: ['com.birkenhof.tours:/callback'] }),
    client('tour-api', { bearerOnly: true, standardFlowEnabled: false }),
    client('tour-sync', {
      standardFlowEnabled: false,
      serviceAccountsEnabled: true,
      secret: SYNC_SECRET,
      description: 'nightly',
    }),
    client('short', { secret: 'secret', redirectUris: ['https://short.test/callback'], serviceAccountsEnabled: true }),
    client('saml-thing', { protocol: 'saml' }),
  ],
  identityProviders: [
    {
      alias: 'partner',
      displayName: 'Partner',
      internalId: 'idp-partner',
      providerId: 'oidc',
      enabled: true,
      trustEmail: true,
      config: {
        issuer: 'https://sso.partner.test',
        clientId: 'birkenhof',
        clientSecret: '**********',
        defaultScope: 'openid email',
        pkceEnabled: 'true',
      },
    },
    {
      alias: 'hub',
      internalId: 'idp-hub',
      providerId: 'github',
      enabled: true,
      config: { clientId: 'x', clientSecret: '**********' },
    },
  ],
  identityProviderMappers: [{ name: 'm', identityProviderAlias: 'partner' }],
  components: { 'org.keycloak.storage.UserStorageProvider': [{ name: 'ldap', providerId: 'ldap' }] },
  keycloakVersion: '26.2.0',
};

const serviceAccount: Json = user('0008', 'service-account-tour-sync', {
  serviceAccountClientId: 'tour-sync',
  email: undefined,
  realmRoles: ['default-roles-birkenhof'],
  clientRoles: { 'tour-web': ['writer'] },
});

/** `--users realm_file`: users stand before the clients, as Keycloak writes them. */
export function writeSingleFile(folder: string): string {
  const { clients, identityProviders, ...first } = realm;
  const path = join(folder, 'birkenhof-realm.json');
  writeFileSync(
    path,
    JSON.stringify(
      { ...first, users: [...Object.values(people), serviceAccount], clients, identityProviders },
      undefined,
      2,
    ),
  );
  return path;
}

/** `--users different_files`, one of them compressed since; and the realm that every installation has. */
export function writeFolder(folder: string): string {
  const path = join(folder, 'export');
  mkdirSync(path);
  writeFileSync(join(path, 'birkenhof-realm.json'), JSON.stringify(realm));
  writeFileSync(
    join(path, 'master-realm.json'),
    JSON.stringify({
      id: 'master',
      realm: 'master',
      enabled: true,
      roles: { realm: [] },
      clients: [client('birkenhof-realm', {})],
    }),
  );
  const all = [...Object.values(people), serviceAccount];
  writeFileSync(join(path, 'birkenhof-users-0.json'), JSON.stringify({ realm: 'birkenhof', users: all.slice(0, 3) }));
  writeFileSync(
    join(path, 'birkenhof-users-1.json.gz'),
    gzipSync(JSON.stringify({ realm: 'birkenhof', users: all.slice(3) })),
  );
  writeFileSync(
    join(path, 'birkenhof-federated-users-0.json'),
    JSON.stringify({ realm: 'birkenhof', federatedUsers: [{ id: 'f:ldap:karl', realmRoles: [] }] }),
  );
  return path;
}
