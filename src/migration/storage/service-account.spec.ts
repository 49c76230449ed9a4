import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Secret } from '../../foundation/config/secret.js';
import { readServiceAccount } from './service-account.js';

const RSA = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const EC = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const FILE = {
  type: 'service_account',
  client_email: 'mover@project.iam.gserviceaccount.com',
  private_key: RSA.privateKey,
  token_uri: 'https://oauth2.googleapis.com/token',
};

const base64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');

describe('The file of a service account', () => {
  it('yields the address and the key', () => {
    const account = readServiceAccount(new Secret(base64(FILE)));
    expect(account).toMatchObject({ email: FILE.client_email });
    expect(typeof account === 'string' ? account : account.privateKey.reveal()).toBe(RSA.privateKey);
  });

  it('may be wrapped into lines, as the command base64 does', () => {
    expect(readServiceAccount(new Secret(base64(FILE).replace(/.{76}/g, '$&\n')))).toMatchObject({
      email: FILE.client_email,
    });
  });

  it('may have the other members that Google writes, and an older address of tokens, or none', () => {
    const whole = {
      ...FILE,
      project_id: 'p',
      private_key_id: 'k',
      client_id: '1',
      auth_uri: 'https://accounts.google.com/o/oauth2/auth',
      universe_domain: 'googleapis.com',
      auth_provider_x509_cert_url: 'https://www.googleapis.com/oauth2/v1/certs',
      client_x509_cert_url: 'https://www.googleapis.com/robot/v1/metadata/x509/mover%40p.iam',
    };
    for (const file of [
      whole,
      { ...FILE, token_uri: 'https://accounts.google.com/o/oauth2/token' },
      { ...FILE, token_uri: undefined },
    ]) {
      expect(readServiceAccount(new Secret(base64(file)))).toMatchObject({ email: FILE.client_email });
    }
  });

  it('does not decide where tokens are fetched', () => {
    expect(Object.keys(readServiceAccount(new Secret(base64(FILE))))).toEqual(['email', 'privateKey']);
  });

  it.each<[string, string, RegExp]>([
    ['nothing', '', /base64/],
    ['what is no base64', '{"type":"service_account"}', /base64/],
    ['what is no JSON', base64('hello'), /JSON/],
    ['a list', base64([]), /JSON/],
    ['credentials that name an address to ask', base64({ ...FILE, type: 'external_account' }), /type/],
    ['credentials of a person', base64({ ...FILE, type: 'authorized_user' }), /type/],
    ['no type', base64({ ...FILE, type: undefined }), /type/],
    ['no address', base64({ ...FILE, client_email: undefined }), /client_email/],
    ['no key', base64({ ...FILE, private_key: undefined }), /private_key/],
    ['a key that is none', base64({ ...FILE, private_key: 'secret' }), /private_key/],
    ['a key of another kind', base64({ ...FILE, private_key: EC.privateKey }), /private_key/],
    ['tokens from another host', base64({ ...FILE, token_uri: 'https://evil.test/token' }), /token_uri/],
    ['tokens from a loopback address', base64({ ...FILE, token_uri: 'http://127.0.0.1:9999/token' }), /token_uri/],
    [
      'tokens from a host that begins like the right one',
      base64({ ...FILE, token_uri: 'https://oauth2.googleapis.com.evil.test/token' }),
      /token_uri/,
    ],
    ['tokens from a list', base64({ ...FILE, token_uri: ['https://oauth2.googleapis.com/token'] }), /token_uri/],
    [
      'certificates from another host',
      base64({ ...FILE, client_x509_cert_url: 'https://evil.test/certs' }),
      /client_x509_cert_url/,
    ],
    [
      'certificates without TLS',
      base64({ ...FILE, auth_provider_x509_cert_url: 'http://www.googleapis.com/oauth2/v1/certs' }),
      /x509_cert_url/,
    ],
    [
      'an account to impersonate',
      base64({ ...FILE, service_account_impersonation_url: 'https://iamcredentials.googleapis.com/v1/x' }),
      /impersonation/,
    ],
    [
      'a source of credentials',
      base64({ ...FILE, credential_source: { url: 'http://169.254.169.254/' } }),
      /credential_source/,
    ],
    ['another universe', base64({ ...FILE, universe_domain: 'evil.test' }), /googleapis/],
  ])('is refused with %s, without its content', (_, sent, problem) => {
    const found = readServiceAccount(new Secret(sent));
    expect(found).toEqual(expect.stringMatching(problem));
    expect(found).not.toContain('PRIVATE KEY');
  });
});
