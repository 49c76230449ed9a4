import { KeyObject, sign } from 'node:crypto';
import type { TestKey } from './builders.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Texts that a lenient decoder takes for this very token; its signature must be one of RSA, whose last character has
 * unused bits.
 */
export function otherSpellings(jwt: string): string[] {
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  const last = ALPHABET.indexOf(signature.at(-1)!);
  return [
    `${jwt}=`,
    `${jwt}==`,
    `${jwt} `,
    ` ${jwt}`,
    `${jwt}\n`,
    `${jwt}\r\n`,
    `${jwt}\t`,
    `${header}.${payload}.${signature.slice(0, 8)}\n${signature.slice(8)}`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload} .${signature}`,
    jwt.slice(0, -1) + ALPHABET[last ^ 1]!,
    jwt.slice(0, -1) + ALPHABET[last ^ 2]!,
    `${header}.${payload}.${Buffer.from(signature, 'base64url').toString('base64')}`,
  ];
}

/** A JWT with header and payload as these very texts, signed with RS256. */
export function signTexts(key: TestKey, header: string, payload: string): string {
  const input = [header, payload].map((text) => Buffer.from(text).toString('base64url')).join('.');
  return `${input}.${sign('sha256', Buffer.from(input), KeyObject.from(key.privateKey)).toString('base64url')}`;
}
