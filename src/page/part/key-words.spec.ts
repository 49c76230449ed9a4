import { describe, expect, it } from '@jest/globals';
import type { NamedKey } from '../../user/factor/key-names.js';
import { loginLanguages, textsFor } from '../catalogue/catalogue.js';
import { keyName, keyNote, keyTitle } from './key-words.js';

const english = textsFor('en');

/** What the account page shows: title and note. */
function shown(kind: NamedKey['kind'], name: string, backedUp: boolean, texts = english): string {
  const key = { kind, name, backedUp };
  return [keyTitle(key, texts), keyNote(key, texts)].filter((line) => line !== undefined).join(' · ');
}

describe('A key in the account page', () => {
  it.each<[NamedKey['kind'], string, boolean, string]>([
    ['passkey', 'Passkey', false, 'Passkey · On this device only'],
    ['passkey', 'Passkey 2', true, 'Passkey 2 · Synced between your devices'],
    ['passkey', 'iCloud Keychain', true, 'iCloud Keychain · Passkey, synced between your devices'],
    ['passkey', 'My old passkey', false, 'My old passkey · On this device only'],
    ['u2f', 'Security key', false, 'Security key'],
    ['u2f', 'Security key 3', false, 'Security key 3'],
    ['u2f', 'Blue', false, 'Blue · Security key'],
    ['u2f', 'Passkey', false, 'Passkey · Security key'],
  ])('of the kind %s with the name “%s”, backed up: %s, is shown as “%s”', (kind, name, backedUp, expected) =>
    expect(shown(kind, name, backedUp)).toBe(expected),
  );

  it('keeps having no name if its title is sent back as it was', () => {
    const key: NamedKey = { kind: 'passkey', name: 'Passkey 2' };
    const japanese = textsFor('ja');
    expect(keyName(keyTitle(key, japanese), key, japanese)).toBe('Passkey 2');
    expect(keyName('電話', key, japanese)).toBe('電話');
  });

  it.each(loginLanguages)(
    'says in %s once that it is a passkey or a security key, whatever it is called',
    (language) => {
      const texts = textsFor(language);
      const words = { passkey: texts.accountActivity.passkey, u2f: texts.accountKeys.kinds.u2f };
      const ours: Readonly<Record<NamedKey['kind'], string>> = { passkey: 'Passkey', u2f: 'Security key' };
      for (const kind of ['passkey', 'u2f'] as const) {
        for (const backedUp of [true, false]) {
          for (const name of [ours[kind], `${ours[kind]} 2`, words[kind], 'iCloud']) {
            const line = shown(kind, name, backedUp, texts);
            const said = line.toLowerCase().split(words[kind].toLowerCase()).length - 1;
            expect([line, said]).toEqual([line, 1]);
          }
        }
      }
    },
  );
});
