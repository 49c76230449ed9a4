import { X509Certificate } from 'node:crypto';
import { readServer } from './connection/server.js';
import { isDistinguishedName } from './entry/distinguished-name.js';

/** RFC 4512 §2.5, with the names of classes alike; nothing else ever gets into a filter as a name. */
const NAME = /^[A-Za-z][A-Za-z0-9;-]*$/;

export const ATTRIBUTE = {
  fits: (text: string) => NAME.test(text),
  says: 'must be a name such as uid or sAMAccountName',
};

export const DISTINGUISHED_NAME = {
  fits: isDistinguishedName,
  says: 'must be a distinguished name such as ou=people,dc=acme,dc=example',
};

export const SERVER = {
  fits: (text: string) => readServer(text) !== undefined,
  says: 'must be ldaps://host or ldap://host, with or without a port',
};

export const PEM = {
  fits: (text: string) => certificatesOf(text).length > 0 && certificatesOf(text).every(isCertificate),
  says: 'must be one or more certificates as PEM',
};

export const GROUP_MAPPING = {
  fits: (text: string) => /^\d{1,20}=/.test(text) && isDistinguishedName(text.slice(text.indexOf('=') + 1)),
  says: 'must be the ID of a group of Gatehouse, =, and the distinguished name of one of the directory',
};

/** The certificates of a PEM text. */
export function certificatesOf(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== '';
  } catch {
    return false;
  }
}
