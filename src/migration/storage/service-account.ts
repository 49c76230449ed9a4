import { createPrivateKey } from 'node:crypto';
import { Secret } from '../../crypto/secret.js';

export interface ServiceAccount {
  readonly email: string;
  /** PEM. */
  readonly privateKey: Secret;
}

const UNIVERSE = 'googleapis.com';
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Reads the file of a service account. Only who it is and its key are taken from it: the address where tokens are fetched is a
 * setting of the operator, and other forms of credentials, which name addresses to ask or commands to run, are refused.
 * @returns what is wrong with it, as a text about the field
 */
export function readServiceAccount(base64: Secret): ServiceAccount | string {
  const text = base64.reveal().replace(/\s/g, '');
  if (!BASE64.test(text)) return 'must be the credentials file of a service account, in base64';
  const file = parseObject(Buffer.from(text, 'base64').toString('utf8'));
  if (!file) return 'must be base64 of a JSON file';
  const { type, client_email: email, private_key: privateKey, universe_domain: universe = UNIVERSE } = file;
  if (type !== 'service_account') return 'must be a key of a service account: its member "type" is "service_account"';
  if (typeof email !== 'string' || !/^[^\s@]{1,200}@[^\s@]{1,200}$/.test(email)) return 'lacks a member "client_email" that is an address';
  if (typeof privateKey !== 'string' || !isRsaKey(privateKey)) return 'lacks a member "private_key" that is an RSA key in PEM form';
  if (universe !== UNIVERSE) return `must be of ${UNIVERSE}`;
  return { email, privateKey: new Secret(privateKey) };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
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
