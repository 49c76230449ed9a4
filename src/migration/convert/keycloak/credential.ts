import { Secret as Seed } from 'otpauth';
import type { DraftOf } from '../../document/field.js';
import type { DocumentPasskey } from '../../part/passkey.message.js';
import { passkeysFrom, type SourcePasskey } from '../passkeys.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';
import { isKeyType } from './key-type.js';
import { keyOf, type RpIds } from './passkeys.js';

/** The means by which a user signs in. */
export interface Credentials {
  readonly passwordHash: string;
  readonly password: string;
  readonly passwordChangeRequired: boolean;
  readonly totpSeed: string;
  readonly passkeys: ReadonlyArray<DraftOf<DocumentPasskey>>;
}

const bare = (base64: string): string => base64.replaceAll('=', '');

/** The user's first password, first authenticator app, and keys; the report names everything else. */
export function credentialsOf(user: SourceObject, name: string, rpIds: RpIds, report: Report): Credentials {
  let [passwordHash, password, totpSeed, passwordChangeRequired] = ['', '', '', false];
  const keys: Array<Partial<SourcePasskey>> = [];
  for (const credential of user.objects('credentials')) {
    const type = credential.text('type');
    credential.ignore('id', 'createdDate', 'priority', 'counter');
    if (type === 'password') {
      if (passwordHash !== '' || password !== '') {
        credential.skip();
        report.note('Passwords after the first one', name);
      } else {
        passwordHash = passwordHashOf(credential, name, report);
        password = passwordHash === '' ? credential.text('value') : '';
        if (passwordHash === '' && password === '' && !credential.isReported)
          report.lose('Passwords without a hash or a text: the user must choose a new one', name);
        passwordChangeRequired = credential.flag('temporary');
      }
    } else if (type === 'otp' || type === 'totp' || type === 'hotp') {
      const seed = seedOf(credential);
      if (seed === undefined || totpSeed !== '') credential.skip();
      if (seed === undefined) {
        report.lose(
          'One-time codes other than time-based ones of 6 digits, 30 seconds and SHA-1: the app must be set up again',
          name,
        );
      } else if (totpSeed !== '') report.note('Apps for one-time codes after the first one', name);
      else totpSeed = seed;
    } else if (isKeyType(type)) {
      const key = keyOf(type, credential, { userId: user.text('id'), name, rpIds }, report);
      if (key) keys.push(key);
    } else {
      credential.skip();
      report.lose(`Credentials of the type ${type || 'unknown'}: must be set up again`, name);
    }
  }
  return { passwordHash, password, passwordChangeRequired, totpSeed, passkeys: passkeysFrom(keys, name, report) };
}

/** The hash in modular form; empty if there is none. */
function passwordHashOf(credential: SourceObject, name: string, report: Report): string {
  // Before version 8 these members were next to the type.
  const data = credential.has('credentialData') ? credential.embedded('credentialData') : credential;
  const secret = credential.has('secretData') ? credential.embedded('secretData') : credential;
  const hash = bare(secret.text(secret === credential ? 'hashedSaltedValue' : 'value'));
  const salt = bare(secret.text('salt'));
  if (hash === '') return '';
  const algorithm = data.text('algorithm') || 'pbkdf2';
  const iterations = data.number('hashIterations') ?? 1;
  const pbkdf2 = /^pbkdf2(?:-hmac)?(?:-(sha1|sha256|sha512))?$/.exec(algorithm);
  if (pbkdf2) return `$pbkdf2${pbkdf2[1] === undefined ? '' : `-${pbkdf2[1]}`}$${iterations}$${salt}$${hash}`;
  if (algorithm === 'argon2') return argon2Of(data.object('additionalParameters'), iterations, salt, hash);
  // Hashes by bcrypt come from a widespread extension.
  if (algorithm === 'bcrypt' && hash.startsWith('$2')) return hash;
  credential.skip();
  report.lose(`Passwords hashed by ${algorithm}: the user must choose a new one`, name);
  return '';
}

function argon2Of(parameters: SourceObject, iterations: number, salt: string, hash: string): string {
  const first = (member: string): string => {
    const value = parameters.any(member);
    const one: unknown = Array.isArray(value) ? (value as unknown[])[0] : value;
    return typeof one === 'string' || typeof one === 'number' ? String(one) : '';
  };
  // The length is that of the hash itself.
  parameters.ignore('hashLength');
  // RFC 9106 §3.1: version 1.3 is 0x13.
  const version = first('version') === '1.0' ? 16 : 19;
  return `$argon2${first('type') || 'id'}$v=${version}$m=${first('memory')},t=${iterations},p=${first('parallelism')}$${salt}$${hash}`;
}

/** The seed in base32; undefined for codes that an app cannot compute from the seed alone. */
function seedOf(credential: SourceObject): string | undefined {
  const isOld = !credential.has('credentialData');
  const data = isOld ? credential : credential.embedded('credentialData');
  const kind = isOld ? credential.text('type') : data.text('subType');
  const secret = isOld ? credential : credential.embedded('secretData');
  const value = isOld ? credential.text('hashedSaltedValue') || credential.text('value') : secret.text('value');
  const isUsual =
    (data.number('digits') ?? 6) === 6 &&
    (data.number('period') ?? 30) === 30 &&
    (data.text('algorithm') || 'HmacSHA1') === 'HmacSHA1';
  if (kind !== 'totp' || !isUsual || value === '') return undefined;
  // By default the seed is the raw characters, and apps were given their base32.
  return data.text('secretEncoding').toUpperCase() === 'BASE32'
    ? value
    : new Seed({ buffer: new Uint8Array(Buffer.from(value)).buffer }).base32;
}
