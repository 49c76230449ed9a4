import { isImportedHash } from '../../../foundation/password/password-form.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';

/** At most one of the two is set. */
export interface Password {
  readonly passwordHash: string;
  readonly password: string;
}

const MD5_BYTES = 16;
const SALT_IN_CLEAR = /^[!-#%-~]{1,100}$/;
/** Encodings in which the same password has other bytes than in UTF-8, so that its hash is useless to us. */
const WIDE = /^(?:utf-?16(?:le)?|ucs-?2)$/i;
const ACCEPTED =
  'the user must choose a new one. Accepted are argon2, bcrypt, pbkdf2 and scrypt, MD5 alone or with a salt, and every hash in modular form, such as `$argon2id$…`';
const bare = (base64: string): string => base64.replaceAll('=', '').replaceAll('-', '+').replaceAll('_', '/');

/**
 * The password of a user of the files: from the file of hashes, from the members that Auth0's own import takes, or from
 * those that files written by hand have.
 */
export function passwordOf(user: SourceObject, fromFile: string, userId: string, report: Report): Password {
  const custom = customHashOf(user, userId, report);
  const given = user.text('password');
  // A hash as the password in clear would be known to everybody who has the file.
  const isHash = given.startsWith('$') && isImportedHash(given);
  const hashes = [fromFile, user.text('password_hash'), user.text('passwordHash'), custom, isHash ? given : ''];
  const passwordHash = hashes.find((hash) => hash !== '') ?? '';
  return { passwordHash, password: passwordHash === '' && !isHash ? given : '' };
}

/** `custom_password_hash` in modular form; empty if there is none. */
function customHashOf(user: SourceObject, userId: string, report: Report): string {
  const direct = user.text('custom_password_hash');
  if (direct !== '' || !user.has('custom_password_hash')) return direct;
  const custom = user.object('custom_password_hash');
  const algorithm = custom.text('algorithm').toLowerCase();
  const isWide = WIDE.test(custom.object('password').text('encoding'));
  const found = isWide ? '' : (modularOf(custom) ?? madeOf(custom, algorithm));
  custom.skip();
  if (found === '')
    report.lose(`Passwords hashed by ${algorithm || 'an algorithm without a name'}: ${ACCEPTED}`, userId);
  return found;
}

/** A hash that says itself how it was made. A salt beside it would be another one. */
function modularOf(custom: SourceObject): string | undefined {
  const { value, encoding } = hashIn(custom, 'utf8');
  const text = Buffer.from(value, value.startsWith('$') ? 'utf8' : encoding).toString();
  const hash = (text.startsWith('$') ? text : value).replace(/^\{(?:crypt|bcrypt|argon2(?:id)?)\}(?=\$)/i, '');
  if (!hash.startsWith('$')) return undefined;
  return custom.object('salt').text('value') === '' ? hash : '';
}

/** The hash of a password whose parts stand beside each other. */
function madeOf(custom: SourceObject, algorithm: string): string {
  if (algorithm === 'scrypt') return scryptOf(custom);
  if (algorithm === 'md5') return md5Of(custom);
  const inLdap = algorithm === 'ldap' ? /^\{md5\}(.+)$/i.exec(hashIn(custom, 'utf8').value)?.[1] : undefined;
  return inLdap === undefined ? '' : md5Text(Buffer.from(inLdap, 'base64'), undefined);
}

function scryptOf(custom: SourceObject): string {
  const logCost = Math.log2(custom.number('cost') ?? 16_384);
  if (!Number.isInteger(logCost)) return '';
  const [r, p] = [custom.number('blockSize') ?? 8, custom.number('parallelization') ?? 1];
  const { value, encoding } = hashIn(custom, 'base64');
  const salt = custom.object('salt');
  return `$scrypt$ln=${logCost},r=${r},p=${p}$${inBase64(salt.text('value'), encodingOf(salt, 'utf8'))}$${inBase64(value, encoding)}`;
}

function md5Of(custom: SourceObject): string {
  const { value, encoding } = hashIn(custom, /^[0-9a-f]{32}$/i.test(hashIn(custom, 'hex').value) ? 'hex' : 'base64');
  const salt = custom.object('salt');
  const text = Buffer.from(salt.text('value'), encodingOf(salt, 'utf8')).toString();
  return md5Text(Buffer.from(value, encoding), text === '' ? undefined : { text, position: salt.text('position') });
}

function md5Text(sum: Buffer, salt: { readonly text: string; readonly position: string } | undefined): string {
  if (sum.length !== MD5_BYTES) return '';
  if (salt === undefined) return sum.toString('hex');
  const isKnown = SALT_IN_CLEAR.test(salt.text) && ['prefix', 'suffix'].includes(salt.position);
  return isKnown ? `$md5salted-${salt.position}$${salt.text}$${sum.toString('base64')}` : '';
}

/** `hash` is an object, or the text itself. */
function hashIn(custom: SourceObject, otherwise: BufferEncoding): { value: string; encoding: BufferEncoding } {
  const hash = custom.object('hash');
  return { value: custom.text('hash') || hash.text('value'), encoding: encodingOf(hash, otherwise) };
}

function encodingOf(from: SourceObject, otherwise: BufferEncoding): BufferEncoding {
  const encoding = from.text('encoding');
  return encoding === 'hex' || encoding === 'base64' || encoding === 'utf8' ? encoding : otherwise;
}

function inBase64(value: string, encoding: BufferEncoding): string {
  return bare(Buffer.from(value, encoding).toString('base64'));
}
