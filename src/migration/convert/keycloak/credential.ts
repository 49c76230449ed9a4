import { Secret as Seed } from 'otpauth';
import { innerIn, listIn, numberIn, objectIn, textIn, type Json } from '../json.js';
import type { Report } from '../report.js';

/** What a user signs in with. */
export interface Credentials {
  readonly passwordHash: string;
  readonly password: string;
  readonly passwordChangeRequired: boolean;
  readonly totpSeed: string;
}

const bare = (base64: string): string => base64.replaceAll('=', '');

/** The first password and the first app of a user; everything else is told. */
export function credentialsOf(user: Json, name: string, report: Report): Credentials {
  let [passwordHash, password, totpSeed, passwordChangeRequired] = ['', '', '', false];
  for (const credential of listIn(user, 'credentials') as Json[]) {
    const type = textIn(credential, 'type');
    if (type === 'password') {
      if (passwordHash !== '' || password !== '') report.note('Passwords beside the first', name);
      else {
        passwordHash = passwordHashOf(credential, name, report);
        password = passwordHash === '' ? textIn(credential, 'value') : '';
        passwordChangeRequired = credential['temporary'] === true;
      }
    } else if (type === 'otp' || type === 'totp' || type === 'hotp') {
      const seed = seedOf(credential);
      if (seed === undefined) report.note('One-time codes that are not of 6 digits, 30 seconds and SHA-1, or count: the app is set up anew', name);
      else if (totpSeed !== '') report.note('Apps for one-time codes beside the first', name);
      else totpSeed = seed;
    } else report.note(`Credentials of the type ${type || 'unknown'}: set up anew`, name);
  }
  return { passwordHash, password, passwordChangeRequired, totpSeed };
}

/** In a modular form, as the algorithm that Keycloak names keeps it; empty when there is none. */
function passwordHashOf(credential: Json, name: string, report: Report): string {
  // Before version 8 all of it stood beside the type.
  const data = credential['credentialData'] === undefined ? credential : innerIn(credential, 'credentialData');
  const secret = credential['secretData'] === undefined ? { value: credential['hashedSaltedValue'], salt: credential['salt'] } : innerIn(credential, 'secretData');
  const [hash, salt] = [bare(textIn(secret, 'value')), bare(textIn(secret, 'salt'))];
  if (hash === '') return '';
  const algorithm = textIn(data, 'algorithm') || 'pbkdf2';
  const iterations = numberIn(data, 'hashIterations') ?? 1;
  const pbkdf2 = /^pbkdf2(?:-hmac)?(?:-(sha1|sha256|sha512))?$/.exec(algorithm);
  if (pbkdf2) return `$pbkdf2${pbkdf2[1] === undefined ? '' : `-${pbkdf2[1]}`}$${iterations}$${salt}$${hash}`;
  if (algorithm === 'argon2') return argon2Of(objectIn(data, 'additionalParameters'), iterations, salt, hash);
  // By an extension that many use.
  if (algorithm === 'bcrypt' && hash.startsWith('$2')) return hash;
  report.note(`Passwords hashed by ${algorithm}: the person chooses another one`, name);
  return '';
}

function argon2Of(parameters: Json, iterations: number, salt: string, hash: string): string {
  const first = (member: string): string => {
    const value: unknown = Array.isArray(parameters[member]) ? (parameters[member] as unknown[])[0] : parameters[member];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  // RFC 9106 §3.1: version 1.3 is 0x13.
  const version = first('version') === '1.0' ? 16 : 19;
  return `$argon2${first('type') || 'id'}$v=${version}$m=${first('memory')},t=${iterations},p=${first('parallelism')}$${salt}$${hash}`;
}

/** In base32; undefined for codes that apps do not show unless they are told more than a seed. */
function seedOf(credential: Json): string | undefined {
  const isOld = credential['credentialData'] === undefined;
  const data = isOld ? credential : innerIn(credential, 'credentialData');
  const kind = isOld ? textIn(credential, 'type') : textIn(data, 'subType');
  const value = isOld ? textIn(credential, 'hashedSaltedValue') || textIn(credential, 'value') : textIn(innerIn(credential, 'secretData'), 'value');
  const isUsual = kind === 'totp' && (numberIn(data, 'digits') ?? 6) === 6 && (numberIn(data, 'period') ?? 30) === 30 && (textIn(data, 'algorithm') || 'HmacSHA1') === 'HmacSHA1';
  if (!isUsual || value === '') return undefined;
  // Unless it says otherwise, the seed is the characters themselves; apps were given their base32.
  return textIn(data, 'secretEncoding').toUpperCase() === 'BASE32' ? value : new Seed({ buffer: new Uint8Array(Buffer.from(value)).buffer }).base32;
}
