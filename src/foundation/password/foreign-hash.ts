const NO_EQUAL = 'no accepted form is equal to it, so these users need another password';

/** Hashes as other programs write them, and how to write them here. */
const FOREIGN: ReadonlyArray<readonly [form: RegExp, advice: string]> = [
  [
    /^pbkdf2_sha(?:1|256)\$/,
    'it is of Django: write pbkdf2_sha256$I$SALT$HASH as $pbkdf2-sha256$I$<base64 of SALT>$HASH, and the same with sha1',
  ],
  [/^bcrypt_sha256\$/, `it is bcrypt of a SHA-256, of Django: ${NO_EQUAL}`],
  [/^bcrypt\$/, 'it is of Django: leave out what stands before $2'],
  [/^argon2\$/, 'it is of Django: leave out what stands before $argon2'],
  [/^(?:unsalted_)?(?:sha1|md5)\$/, `it is a single digest, of Django: ${NO_EQUAL}`],
  [
    /^pbkdf2:sha\d+/,
    'it is of Werkzeug: write pbkdf2:sha256:I$SALT$HASH as $pbkdf2-sha256$I$<base64 of SALT>$<base64 of the bytes that HASH has in hexadecimal>',
  ],
  [
    /^scrypt:\d+:\d+:\d+\$/,
    'it is of Werkzeug: write scrypt:N:R:P$SALT$HASH as $scrypt$ln=<log2 of N>,r=R,p=P$<base64 of SALT>$<base64 of the bytes that HASH has in hexadecimal>',
  ],
  [
    /^\$scrypt\$(?:ln=\d{3,}|N=)/,
    'it seems to be of Ory Kratos, where ln is the cost itself: write its binary logarithm (ln=14 for 16384), then r and p alone',
  ],
  [
    /^\$(?:firescrypt|scrypt-firebase)\$|^\$scrypt\$(?:[^$]*\$){3,}/i,
    `it seems to be scrypt of Firebase, encrypted with the signer key of the project: ${NO_EQUAL}`,
  ],
  [/^\{(?:bcrypt|argon2|argon2id|crypt)\}/i, 'leave out the word in braces, and let one of these forms follow alone'],
  [
    /^\{pbkdf2/i,
    'write {PBKDF2-SHA256}I$SALT$HASH of OpenLDAP as $pbkdf2-sha256$I$SALT$HASH; {pbkdf2} of Spring depends on a secret of the application',
  ],
  [
    /^\{s?md5\}/i,
    'write {MD5} as the 32 hexadecimal digits of its bytes; {SMD5} as $md5salted-suffix$SALT$<MD5 in base64>',
  ],
  [
    /^\{(?:s?sha|noop|sasl|scrypt)[-\d]*\}/i,
    `for a single SHA, or what only the directory checks, as {SSHA}: ${NO_EQUAL}`,
  ],
  [/^\$2[x$]/, 'only bcrypt of $2a$, $2b$ and $2y$ is accepted'],
  [/^\$g?y\$/, `it is yescrypt: ${NO_EQUAL}`],
  [/^(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i, `it is a single SHA: ${NO_EQUAL}`],
];

/** How to write a hash of another program; undefined for a text that is none that is known. */
export function adviceOn(encoded: string): string | undefined {
  return FOREIGN.find(([form]) => form.test(encoded))?.[1];
}
