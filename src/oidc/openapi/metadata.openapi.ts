import { discoveryDocument } from '../discovery/discovery.document.js';
import { endpoints } from '../oidc.paths.js';
import { TOKEN_EXCHANGE } from '../token/grant/token-exchange.grant.js';
import { jsonOf, type Part } from './part.js';
import { DEVICE_CODE, JWT_BEARER } from './token.openapi.js';

const FIVE_MINUTES = { 'Cache-Control': { schema: { type: 'string' as const }, example: 'public, max-age=300' } };

export function metadataPart(issuer: string): Part {
  const grantTypes = [
    'authorization_code',
    'refresh_token',
    'client_credentials',
    JWT_BEARER,
    DEVICE_CODE,
    TOKEN_EXCHANGE,
  ];
  const metadata = discoveryDocument({
    issuer,
    grantTypes,
    requiresPushedRequests: false,
    signingAlgorithms: ['RS256'],
    userinfoAlgorithms: ['RS256'],
    fetchesRequestObjects: false,
    takesRegistrations: false,
    readsClientDocuments: false,
    certificates: { isOffered: false, isVerified: false, url: undefined },
    contributed: { scopes: [], names: [] },
  });
  const keys = { keys: [{ kty: 'RSA', kid: '312909075212468226', use: 'sig', alg: 'RS256', e: 'AQAB', n: 'u1W…' }] };
  return {
    paths: {
      [endpoints.discovery]: {
        get: {
          operationId: 'GetProviderMetadata',
          tags: ['OpenID Connect'],
          summary: 'Get the OpenID Connect provider metadata',
          description: 'OpenID Connect Discovery.',
          security: [],
          responses: { '200': { ...jsonOf('The metadata.', 'ProviderMetadata', metadata), headers: FIVE_MINUTES } },
        },
      },
      [endpoints.oauthMetadata]: {
        get: {
          operationId: 'GetAuthorizationServerMetadata',
          tags: ['OAuth'],
          summary: 'Get the same metadata at the path of RFC 8414',
          description: 'Only if the operator has set `OAUTH_METADATA=on`: for clients that look nowhere else.',
          security: [],
          responses: {
            '200': { ...jsonOf('The metadata.', 'ProviderMetadata', metadata), headers: FIVE_MINUTES },
            '404': jsonOf('Not published here.', 'OAuthError', {
              error: 'invalid_request',
              error_description: 'No endpoint exists at this path.',
            }),
          },
        },
      },
      [endpoints.keys]: {
        get: {
          operationId: 'ListKeys',
          tags: ['OpenID Connect'],
          summary: 'Get the public signing keys',
          description:
            'Keys are rotated; a token names its key in `kid`. New keys are published here before they are used.',
          security: [],
          responses: { '200': { ...jsonOf('The keys.', 'KeySet', keys), headers: FIVE_MINUTES } },
        },
      },
    },
  };
}
