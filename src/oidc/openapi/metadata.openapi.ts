import { discoveryDocument } from '../discovery/discovery.document.js';
import { endpoints } from '../oidc.paths.js';
import { jsonOf, type Part } from './part.js';
import { JWT_BEARER } from './token.openapi.js';

const FIVE_MINUTES = { 'Cache-Control': { schema: { type: 'string' as const }, example: 'public, max-age=300' } };

export function metadataPart(issuer: string): Part {
  const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials', JWT_BEARER];
  const metadata = discoveryDocument({ issuer, grantTypes, signingAlgorithms: ['RS256'] });
  const keys = { keys: [{ kty: 'RSA', kid: '312909075212468226', use: 'sig', alg: 'RS256', e: 'AQAB', n: 'u1W…' }] };
  return {
    paths: {
      [endpoints.discovery]: {
        get: {
          operationId: 'GetProviderMetadata',
          tags: ['OpenID Connect'],
          summary: 'What this provider is and can do',
          description: 'OpenID Connect Discovery. There is no document of RFC 8414.',
          security: [],
          responses: { '200': { ...jsonOf('The metadata.', 'ProviderMetadata', metadata), headers: FIVE_MINUTES } },
        },
      },
      [endpoints.keys]: {
        get: {
          operationId: 'ListKeys',
          tags: ['OpenID Connect'],
          summary: 'The public keys that tokens are signed with',
          description: 'Keys change; a token names its key by `kid`. New ones stand here before they are used.',
          security: [],
          responses: { '200': { ...jsonOf('The keys.', 'KeySet', keys), headers: FIVE_MINUTES } },
        },
      },
    },
  };
}
