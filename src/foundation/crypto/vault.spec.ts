import { beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../config/secret.js';
import type { DomainError } from '../error/domain-error.js';
import { refusalFields } from '../log/refusal-fields.js';
import { MasterKeys } from './master-key.js';
import { Vault } from './vault.js';

const place = { table: 'signing_key', column: 'private_key', row: '1', owner: 'instance' };
const UNREADABLE = expect.objectContaining({ kind: 'Internal', reason: 'vault.unreadable' });

const vaultUnder = async (current: string, ...previous: string[]): Promise<Vault> =>
  new Vault(
    await MasterKeys.from(
      new Secret(current),
      previous.map((key) => new Secret(key)),
    ),
  );

let vault: Vault;
let sealed: string;
beforeAll(async () => {
  vault = await vaultUnder('the first master key');
  sealed = vault.seal('a secret é', place);
});

describe('The vault', () => {
  it('gives back what it sealed, at its place', () => {
    expect(vault.open(sealed, place)).toBe('a secret é');
  });

  it.each([
    ['another table', { ...place, table: 'idp' }],
    ['another column', { ...place, column: 'public_key' }],
    ['another row', { ...place, row: '2' }],
    ['another owner', { ...place, owner: 'org' }],
    ['the same letters, divided otherwise', { ...place, row: '', owner: '1instance' }],
  ])('does not open a value that was moved to %s', (_, moved) => {
    expect(() => vault.open(sealed, moved)).toThrow(UNREADABLE);
  });

  it.each<[string, (text: string) => string]>([
    ['altered', (text) => text.slice(0, -2) + (text.at(-2) === 'A' ? 'B' : 'A') + text.at(-1)!],
    ['cut', (text) => text.slice(0, -4)],
    ['of another version', (text) => text.replace('v1.', 'v2.')],
    ['without a key id', (text) => text.replace(/\.[^.]+\./, '..')],
    ['empty', () => ''],
    ['plain text', () => 'a secret é'],
  ])('does not open a value that is %s', (_, alter) => {
    expect(() => vault.open(alter(sealed), place)).toThrow(UNREADABLE);
  });

  it('opens what a previous master key sealed, and nothing of a stranger', async () => {
    expect((await vaultUnder('the second master key', 'the first master key')).open(sealed, place)).toBe('a secret é');
    const stranger = await vaultUnder('the second master key');
    expect(() => stranger.open(sealed, place)).toThrow(
      expect.objectContaining({ kind: 'Unavailable', reason: 'vault.key_unknown' }),
    );
  });

  it('says which setting a process lacks that does not have the master key', async () => {
    const late = await vaultUnder('the second master key');
    const error = ((): unknown => {
      try {
        return late.open(sealed, place);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(refusalFields(error as DomainError)).toEqual({
      reason: 'vault.key_unknown',
      cause: expect.stringMatching(/^signing_key\.private_key of 1 was sealed .* MASTER_KEY .*MASTER_KEY_PREVIOUS/),
    });
  });

  it('does not reveal the sealed value in its refusal', () => {
    const error = (() => {
      try {
        return vault.open(`${sealed}A`, place);
      } catch (thrown) {
        return thrown as Error;
      }
    })() as Error;
    expect(error.message + String(error.cause)).not.toContain(sealed.slice(10));
  });
});
