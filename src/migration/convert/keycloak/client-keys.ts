import { X509Certificate } from 'node:crypto';
import { type JsonWebKeySet, keySetViolations } from '../../../project/client/assertion-settings.js';
import { settingsViolations } from '../../../project/client/client-settings.js';
import type { Entry } from '../document.js';
import type { Report } from '../report.js';
import { attributesOf, type KnownClient } from './known-client.js';

type Keys = Pick<Entry<'oidcApps'>['app'] & object, 'jwks' | 'jwksUri'>;

const LOST = 'Clients that authenticate with a key, or sign requests with one: register its public key';

/**
 * The keys of a client that authenticates with assertions or signs requests. Keycloak takes them from a URL, else from
 * a key set, else from a certificate.
 */
export function keysOf(client: KnownClient, report: Report): Keys {
  const attributes = attributesOf(client);
  const [byUrl, byText] = [attributes.text('use.jwks.url'), attributes.text('use.jwks.string')];
  const [jwksUri, jwks] = [attributes.text('jwks.url'), attributes.text('jwks.string')];
  const certificate = attributes.text('jwt.credential.certificate');
  attributes.ignore('jwt.credential.kid', 'jwt.credential.public.key');
  // The switches are absent in files that are written by hand.
  if (byUrl === 'true' || (byUrl === '' && byText === '' && jwks === '' && certificate === '')) {
    if (jwksUri !== '' && isUsable(jwksUri)) return { jwksUri };
  } else {
    const found = byText === 'true' ? parse(jwks) : keyIn(certificate);
    if (found && keySetViolations(found).length === 0) return { jwks: found };
  }
  report.lose(LOST, client.clientId);
  return {};
}

function isUsable(jwksUri: string): boolean {
  return (
    settingsViolations({ projectId: '', kind: 'oidc', name: 'x', authMethod: 'private_key_jwt', jwksUri }).length === 0
  );
}

function parse(text: string): JsonWebKeySet | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'keys' in value ? (value as JsonWebKeySet) : undefined;
  } catch {
    return undefined;
  }
}

/** The key of a certificate alone: an assertion is verified by that, whatever the certificate says. */
function keyIn(certificate: string): JsonWebKeySet | undefined {
  try {
    const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
    return { keys: [publicKey.export({ format: 'jwk' })] };
  } catch {
    return undefined;
  }
}
