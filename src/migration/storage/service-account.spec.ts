import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { Secret } from '../../crypto/secret.js';
import { readServiceAccount } from './service-account.js';

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } });
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256', privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } });
const FILE = { type: 'service_account', client_email: 'mover@project.iam.gserviceaccount.com', private_key: RSA.privateKey, token_uri: 'https://evil.test/token' };

const base64 = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');

describe('The file of a service account', () => {
  it('tells who it is, and the key', () => {
    const account = readServiceAccount(new Secret(base64(FILE)));
    expect(account).toMatchObject({ email: FILE.client_email });
    expect(typeof account === 'string' ? account : account.privateKey.reveal()).toBe(RSA.privateKey);
  });

  it('may be wrapped into lines, as the command base64 does', () => {
    expect(readServiceAccount(new Secret(base64(FILE).replace(/.{76}/g, '$&\n')))).toMatchObject({ email: FILE.client_email });
  });

  it('says nothing about where tokens are fetched', () => {
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
    ['another universe', base64({ ...FILE, universe_domain: 'evil.test' }), /googleapis/],
  ])('is refused with %s, without its content', (_, sent, problem) => {
    const found = readServiceAccount(new Secret(sent));
    expect(found).toEqual(expect.stringMatching(problem));
    expect(found).not.toContain('PRIVATE KEY');
  });
});
