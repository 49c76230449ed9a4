import { describe, expect, it } from '@jest/globals';
import type { Entry } from '../document.js';
import { Report } from '../report.js';
import { SourceObject } from '../source-object.js';
import { oidcAppOf } from './oidc-app.js';

interface Noted {
  readonly kind: string;
  readonly important: boolean;
  readonly examples: readonly string[];
}

interface Converted {
  readonly app: NonNullable<Entry<'oidcApps'>['app']>;
  noted(kind: RegExp): Noted | undefined;
}

/** A confidential client with a secret. */
function convert(attributes: object): Converted {
  const report = new Report('keycloak');
  const source = new SourceObject(
    { clientId: 'web', redirectUris: ['https://web.test/callback'], attributes },
    { what: 'Client', name: 'web' },
  );
  const known = { source, clientId: 'web', id: 'c1', name: 'web', isActive: true, isPublic: false, secretHash: '' };
  const app = oidcAppOf(known, 0, report);
  const { notCarried } = report.toJson() as { notCarried: Noted[] };
  return { app: app!, noted: (kind) => notCarried.find((note) => kind.test(note.kind)) };
}

describe('What a client of Keycloak demands of requests and tokens', () => {
  it.each([
    ['require.pushed.authorization.requests', 'requirePushedRequests'],
    ['dpop.bound.access.tokens', 'dpopBoundAccessTokens'],
    ['tls.client.certificate.bound.access.tokens', 'tlsBoundAccessTokens'],
  ])('comes along if %s is true, and not if it is false', (attribute, setting) => {
    expect(convert({ [attribute]: 'true' }).app).toHaveProperty(setting, true);
    expect(convert({ [attribute]: 'false' }).app).toHaveProperty(setting, false);
    expect(convert({}).app).toHaveProperty(setting, false);
  });

  it('names the clients that need a proxy which passes certificates on', () => {
    const bound = convert({ 'tls.client.certificate.bound.access.tokens': 'true' });
    expect(bound.noted(/CLIENT_CERT_HEADER/)).toMatchObject({ important: false, examples: ['web'] });
    expect(convert({}).noted(/CLIENT_CERT_HEADER/)).toBeUndefined();
  });

  it('comes along if request objects must be signed, with the keys for them, whatever the client authenticates with', () => {
    const { app } = convert({
      'request.object.required': 'request only',
      'request.object.signature.alg': 'PS256',
      'use.jwks.url': 'true',
      'jwks.url': 'https://web.test/jwks.json',
    });
    expect(app).toMatchObject({
      requireSignedRequests: true,
      jwksUri: 'https://web.test/jwks.json',
      authMethodType: 'client_secret_basic',
    });
  });

  it('is missed by name if the client has no usable key for its requests', () => {
    const { noted } = convert({
      'request.object.required': 'request or request_uri',
      'request.object.signature.alg': 'RS256',
    });
    expect(noted(/sign requests with one/)).toMatchObject({ important: true, examples: ['web'] });
  });

  it.each([
    ['not required', 'RS256', []],
    ['request only', 'none', ['web none']],
    ['request only', 'HS256', ['web HS256']],
    ['request_uri only', undefined, ['web']],
  ])('demands no signature if request objects are %s with the algorithm %s', (required, algorithm, examples) => {
    const { app, noted } = convert({ 'request.object.required': required, 'request.object.signature.alg': algorithm });
    expect(app?.requireSignedRequests).toBe(false);
    expect(noted(/must send request objects/)?.examples ?? []).toEqual(examples);
  });

  it.each(['ES256K', 'RS1'])(
    'demands no signature that would be refused here: the algorithm %s is an important loss',
    (algorithm) => {
      const { app, noted } = convert({
        'request.object.required': 'request only',
        'request.object.signature.alg': algorithm,
      });
      expect(app?.requireSignedRequests).toBe(false);
      expect(noted(/algorithm that is not accepted/)).toMatchObject({
        important: true,
        examples: [`web ${algorithm}`],
      });
    },
  );

  it('has device codes, and an address for back-channel logout', () => {
    const { app } = convert({
      'oauth2.device.authorization.grant.enabled': 'true',
      'backchannel.logout.url': 'https://web.test/back',
    });
    expect(app?.grantTypes).toContain('device_code');
    expect(app?.backChannelLogoutUri).toBe('https://web.test/back');
  });
});
