import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Api } from '../traffic.mjs';
import { REDIRECT_URI } from './parties.mjs';

const SUBJECT = String.raw`CN=client-1,O=Bank\, Ärger / Söhne`;

/** A person, and an application for each way of authenticating by certificate. */
export async function setUp(service, folder) {
  const api = new Api(service);
  const [person] = await api.addPeople(1);
  const { id } = await api.call('POST', '/management/v1/projects', { name: 'Certificates' });
  const add = async (settings) =>
    (
      await api.call('POST', `/management/v1/projects/${id}/apps/oidc`, {
        name: settings.authMethodType,
        redirectUris: [REDIRECT_URI],
        responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
        grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
        appType: 'OIDC_APP_TYPE_WEB',
        tlsBoundAccessTokens: true,
        ...settings,
      })
    ).clientId;
  const byName = await add({
    authMethodType: 'OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH',
    tlsClientNameType: 'TLS_CLIENT_NAME_TYPE_SUBJECT_DN',
    tlsClientName: SUBJECT,
  });
  const self = new X509Certificate(readFileSync(join(folder, 'self.pem')));
  const key = { ...self.publicKey.export({ format: 'jwk' }), x5c: [self.raw.toString('base64')] };
  const bySelf = await add({
    authMethodType: 'OIDC_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH',
    jwks: { keys: [key] },
  });
  const certificate = readFileSync(join(folder, 'client.pem'), 'utf8');
  return { person, byName, bySelf, certificate };
}
