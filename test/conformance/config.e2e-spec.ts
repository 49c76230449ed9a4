import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importJWK } from 'jose';
import { send } from '../support/http.js';
import { paths, publishedKeys } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { Suite } from './suite.js';

/**
 * OpenID Connect Discovery §3, RP-Initiated Logout §2.1, RFC 8414 §2, RFC 9207 §3, and the initial registry of OAuth
 * metadata.
 */
const KNOWN = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'scopes_supported',
  'response_types_supported',
  'response_modes_supported',
  'grant_types_supported',
  'acr_values_supported',
  'subject_types_supported',
  'id_token_signing_alg_values_supported',
  'userinfo_signing_alg_values_supported',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
  'display_values_supported',
  'claim_types_supported',
  'claims_supported',
  'service_documentation',
  'ui_locales_supported',
  'claims_locales_supported',
  'claims_parameter_supported',
  'request_parameter_supported',
  'request_uri_parameter_supported',
  'require_request_uri_registration',
  'op_policy_uri',
  'op_tos_uri',
  'revocation_endpoint',
  'revocation_endpoint_auth_methods_supported',
  'revocation_endpoint_auth_signing_alg_values_supported',
  'introspection_endpoint',
  'introspection_endpoint_auth_methods_supported',
  'introspection_endpoint_auth_signing_alg_values_supported',
  'code_challenge_methods_supported',
  'dpop_signing_alg_values_supported',
  'end_session_endpoint',
  'backchannel_logout_supported',
  'backchannel_logout_session_supported',
  'device_authorization_endpoint',
  'pushed_authorization_request_endpoint',
  'request_object_signing_alg_values_supported',
  'prompt_values_supported',
  'authorization_response_iss_parameter_supported',
];
/**
 * OpenID Connect Discovery §3, RFC 9126 §5, RFC 8705 §3.3, RFC 8705 §5, and the draft of client documents: members that
 * settings add.
 */
const BY_SETTING = [
  'registration_endpoint',
  'client_id_metadata_document_supported',
  'require_pushed_authorization_requests',
  'tls_client_certificate_bound_access_tokens',
  'mtls_endpoint_aliases',
];

let suite: Suite;
beforeAll(async () => {
  suite = await Suite.start();
});
afterAll(() => suite.world.close());

describe('oidcc-config-certification-test-plan', () => {
  it('oidcc-discovery-endpoint-verification', async () => {
    const reply = await send(suite.world.origin, { path: paths.discovery });
    expect([reply.status, reply.header('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    const document = reply.json();
    expect(Object.keys(document).filter((name) => !KNOWN.includes(name))).toEqual([]);
    expect(document['issuer']).toBe('https://op.test');
    for (const [name, value] of Object.entries(document)) {
      if (name.endsWith('_endpoint') || name === 'jwks_uri') expect(new URL(value as string).protocol).toBe('https:');
      else if (name.endsWith('_parameter_supported') || name.startsWith('backchannel_'))
        expect(typeof value).toBe('boolean');
      else if (name.endsWith('_supported')) {
        expect((value as unknown[]).length).toBeGreaterThan(0);
        for (const one of value as unknown[]) expect(typeof one).toBe('string');
      }
    }
    const lists = document as Record<string, string[]>;
    expect(lists['response_types_supported']).toContain('code');
    expect(lists['subject_types_supported']).toContain('public');
    expect(lists['id_token_signing_alg_values_supported']).toContain('RS256');
    expect(lists['scopes_supported']).toContain('openid');
    for (const scope of lists['scopes_supported']!) expect(scope).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);
    for (const tag of lists['ui_locales_supported']!) expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
    for (const required of ['userinfo_endpoint', 'claims_supported', 'scopes_supported', 'end_session_endpoint'])
      expect(document).toHaveProperty(required);
    // Modules about unsigned request objects are then skipped.
    expect(lists['request_object_signing_alg_values_supported']).not.toContain('none');
  });

  it('oidcc-discovery-endpoint-verification: no other members when settings switch everything on', async () => {
    const env = {
      OAUTH_METADATA: 'on',
      REGISTRATION: 'open',
      CLIENT_DOCUMENT_HOSTS: 'apps.example.com',
      REQUEST_URI: 'registered',
      REQUIRE_PUSHED_REQUESTS: 'on',
      TRUSTED_PROXIES: '127.0.0.0/8',
      CLIENT_CERT_HEADER: 'X-Client-Cert',
      MTLS_URL: 'https://mtls.op.test',
    };
    const all = await startWorld({ publicUrl: 'https://op.test', env });
    const document = await all.discovery();
    expect(
      Object.keys(document)
        .filter((name) => !KNOWN.includes(name))
        .sort(),
    ).toEqual(BY_SETTING.toSorted());
    // Without it, the suite warns where request objects are offered.
    expect(document['request_object_signing_alg_values_supported']).toContain('RS256');
    await all.close();
  });

  it('oidcc-discovery-endpoint-verification: the key set', async () => {
    const { keys } = await publishedKeys(suite.world);
    for (const key of keys) {
      expect(key).not.toHaveProperty('d');
      expect(key).not.toHaveProperty('k');
      for (const member of ['n', 'e', 'x', 'y'] as const)
        if (key[member] !== undefined) expect(key[member]).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(await importJWK(key)).toBeDefined();
    }
  });
});
