import { createPrivateKey } from 'node:crypto';
import { Secret } from '../../foundation/config/secret.js';

export interface ServiceAccount {
  readonly email: string;
  /** PEM. */
  readonly privateKey: Secret;
}

const UNIVERSE = 'googleapis.com';
/** All token URIs that such files have ever contained. */
const TOKEN_URIS = [
  'https://oauth2.googleapis.com/token',
  'https://www.googleapis.com/oauth2/v4/token',
  'https://accounts.google.com/o/oauth2/token',
];
/** Hosts of the other addresses in such a file: for consent and for certificates. */
const HOSTS = ['oauth2.googleapis.com', 'www.googleapis.com', 'accounts.google.com'];
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Reads the key file of a service account. Only the identity and the key are taken from it: the token endpoint is a
 * setting of the operator, and other kinds of credentials, which name addresses to call or commands to run, are
 * refused. A file with foreign addresses is refused as well: it is not what it claims to be, and using it could only
 * fail later.
 * @returns what is wrong with it
 */
export function readServiceAccount(base64: Secret): ServiceAccount | string {
  const text = base64.reveal().replace(/\s/g, '');
  if (!BASE64.test(text)) return 'must be the credentials file of a service account, in base64';
  const file = parseObject(Buffer.from(text, 'base64').toString('utf8'));
  if (!file) return 'must be base64 of a JSON file';
  const { type, client_email: email, private_key: privateKey, universe_domain: universe = UNIVERSE } = file;
  if (type !== 'service_account') return 'must be a key of a service account: its member "type" is "service_account"';
  if (typeof email !== 'string' || !/^[^\s@]{1,200}@[^\s@]{1,200}$/.test(email))
    return 'lacks a member "client_email" that is an address';
  if (typeof privateKey !== 'string' || !isRsaKey(privateKey))
    return 'lacks a member "private_key" that is an RSA key in PEM form';
  if (universe !== UNIVERSE) return `must be of ${UNIVERSE}`;
  const foreign = foreignMember(file);
  if (foreign !== undefined) return foreign;
  return { email, privateKey: new Secret(privateKey) };
}

/** What is wrong with a member that is not used; every member of such a file is a string. */
function foreignMember(file: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(file)) {
    const member = `"${name.slice(0, 40)}"`;
    if (typeof value !== 'string') return `must be a key of a service account: its member ${member} must be a text`;
    if (name === 'token_uri' && !TOKEN_URIS.includes(value))
      return `must name ${TOKEN_URIS[0]} as its "token_uri", or leave it out`;
    if (/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(value) && !isOfGoogle(value))
      return `must not name an address outside of Google: its member ${member} does`;
  }
  return undefined;
}

function isOfGoogle(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    HOSTS.includes(url.hostname)
  );
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
