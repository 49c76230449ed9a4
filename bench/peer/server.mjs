// The peer: npm oidc-provider on PostgreSQL. Its settings come as JSON on the standard input (see peer.mjs).
import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';
import pg from 'pg';
import { accountFinder } from './account.mjs';
import { postgresAdapter } from './adapter.mjs';
import { interactionPages } from './interaction.mjs';
import { RESOURCES } from './setting.mjs';

const HALF_A_DAY_SECONDS = 43_200;
const OIDC_SCOPES = 'openid profile email offline_access';

const setting = JSON.parse(await text(process.stdin));
// As ours: each statement is a look-up by an index, planned once for a connection.
const pool = new pg.Pool({ connectionString: setting.databaseUrl, ...setting.pool });

const provider = new Provider(setting.issuer, {
  adapter: postgresAdapter(pool),
  clients: setting.clients,
  jwks: setting.jwks,
  findAccount: accountFinder(pool),
  loadExistingGrant,
  cookies: {
    keys: [setting.cookieKey],
    long: { signed: true, sameSite: 'lax' },
    short: { signed: true, sameSite: 'lax' },
  },
  interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
  claims: {
    openid: ['sub'],
    profile: ['name', 'given_name', 'family_name', 'preferred_username', 'locale', 'updated_at'],
    email: ['email', 'email_verified'],
  },
  scopes: ['openid', 'offline_access', 'api'],
  clientAuthMethods: [
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'none',
    'self_signed_tls_client_auth',
  ],
  pkce: { required: () => true },
  rotateRefreshToken: true,
  ttl: {
    AccessToken: HALF_A_DAY_SECONDS,
    IdToken: HALF_A_DAY_SECONDS,
    AuthorizationCode: 60,
    DeviceCode: 600,
    ClientCredentials: HALF_A_DAY_SECONDS,
    Interaction: 1800,
    RefreshToken: 60 * HALF_A_DAY_SECONDS,
    Session: 20 * HALF_A_DAY_SECONDS,
    Grant: 180 * HALF_A_DAY_SECONDS,
  },
  features: {
    devInteractions: { enabled: false },
    deviceFlow: { enabled: true },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    dPoP: { enabled: true },
    mTLS: {
      enabled: true,
      selfSignedTlsClientAuth: true,
      certificateBoundAccessTokens: true,
      getCertificate: certificateIn,
    },
    pushedAuthorizationRequests: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => resourceServer(resource),
    },
  },
});

/** As the proxy sends it. */
function certificateIn(ctx) {
  const header = ctx.get('x-client-cert');
  return header === '' ? undefined : new X509Certificate(decodeURIComponent(header));
}

function resourceServer(resource) {
  const found = RESOURCES.find((known) => known.indicator === resource);
  if (!found) throw new Error(`unknown resource ${resource}`);
  return {
    scope: 'api',
    audience: resource,
    accessTokenTTL: HALF_A_DAY_SECONDS,
    ...(found.algorithm
      ? { accessTokenFormat: 'jwt', jwt: { sign: { alg: found.algorithm } } }
      : { accessTokenFormat: 'opaque' }),
  };
}

/** Everything is granted, once per session and client: without consent, as in ours. */
async function loadExistingGrant(ctx) {
  const { client, session } = ctx.oidc;
  const grantId = ctx.oidc.result?.consent?.grantId ?? session.grantIdFor(client.clientId);
  if (grantId) return ctx.oidc.provider.Grant.find(grantId);
  const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(OIDC_SCOPES);
  await grant.save();
  return grant;
}

const answer = provider.callback();
const pages = interactionPages(provider, pool);
const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (!request.url.startsWith('/interaction/')) return void answer(request, response);
  pages(request, response).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    if (!response.headersSent) response.writeHead(500, { 'Content-Length': '0' }).end();
  });
});
provider.on('server_error', (_ctx, error) => process.stderr.write(`${error.stack}\n`));

server.listen(setting.port, '127.0.0.1', () => process.stdout.write('Ready\n'));
process.once('SIGTERM', () => {
  server.close(() => void pool.end());
  server.closeAllConnections();
});
