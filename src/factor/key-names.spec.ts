import { describe, expect, it } from '@jest/globals';
import { isUnnamed, nameOfNewKey } from './key-names.js';

describe('A key without a name', () => {
  const taken = ['Passkey', 'Passkey 2'];

  it('is one that is called what it is, with or without a number', () => {
    expect(taken.map((name) => isUnnamed(name, 'Passkey'))).toEqual([true, true]);
    expect(isUnnamed(nameOfNewKey('', 'Passkey', taken), 'Passkey')).toBe(true);
  });

  it.each(['Blue', 'Passkey of Anna', 'Passkey 2b', 'Passkeys', 'Security key'])('is not "%s"', (name) => {
    expect(isUnnamed(name, 'Passkey')).toBe(false);
  });
});
