import { describe, expect, it } from '@jest/globals';
import { importedHashProblem } from './password-form.js';
import { PasswordHash } from './password-hash.js';
import { Secret } from './secret.js';

const SALT = 'c29tZXNhbHQ';
const HASH = 'A'.repeat(43);

describe('A password hash from elsewhere', () => {
  it('may be one that we could have made, and then verifies', async () => {
    const hash = await new PasswordHash().hash(new Secret('right'));
    expect(importedHashProblem(hash)).toBeUndefined();
  });

  it.each(['m=65536,t=3,p=4', 'm=8,t=1,p=1', 'm=262144,t=10,p=16'])('may cost %s', (cost) => {
    expect(importedHashProblem(`$argon2id$v=19$${cost}$${SALT}$${HASH}`)).toBeUndefined();
  });

  it.each(['m=262145,t=3,p=4', 'm=65536,t=11,p=4', 'm=65536,t=3,p=17', 'm=999999999,t=1,p=1', 'm=65536,t=0,p=1', 'm=15,t=1,p=2'])('cannot cost %s', (cost) => {
    expect(importedHashProblem(`$argon2id$v=19$${cost}$${SALT}$${HASH}`)).toMatch(/must/);
  });

  it.each(['', 'secret', '$9$abc', '$argon2id$v=19$m=65536,t=3,p=4$$', `$argon2id$v=19$m=1e3,t=3,p=4$${SALT}$${HASH}`, `$argon2id$v=19$m=65536,t=3,p=4$${SALT}$${'A'.repeat(500)}`])(
    'is refused when it is %j', (encoded) => {
      expect(importedHashProblem(encoded)).toMatch(/must be|must have/);
    },
  );

  it('of an unknown form is refused by the names of those that are known', () => {
    expect(importedHashProblem('$unknown$x')).toContain('argon2id');
  });
});
