import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';

const plain = (bytes) => bytes.toString('base64').replaceAll('=', '');

/** Hashes of a password, by name. */
export const HASHES = {
  argon2id: (password) => argon2(password, { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
  pbkdf2: async (password) => {
    const salt = randomBytes(16);
    return `$pbkdf2-sha512$210000$${plain(salt)}$${plain(pbkdf2Sync(password, salt, 210_000, 64, 'sha512'))}`;
  },
  'bcrypt-10': (password) => bcrypt(password, { cost: 10 }),
  'bcrypt-12': (password) => bcrypt(password, { cost: 12 }),
  'bcrypt-13': (password) => bcrypt(password, { cost: 13 }),
  // Of the password "password" only: no sign-in uses them here.
  'md5-crypt': async () => '$1$5pZSV9va$azfrPr6af3Fc7dLblQXVa0',
};
