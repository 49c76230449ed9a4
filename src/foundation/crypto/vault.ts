import { DomainError } from '../error/domain-error.js';
import type { MasterKeys, PurposeKey } from './master-key.js';
import { open, seal } from './seal.js';

const PURPOSE = 'vault';
const RETRY_AFTER_SECONDS = 2;

/** The location of a sealed value. It is bound in, so that a value moved to another row does not open. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  readonly row: string;
  readonly owner: string;
}

/** Seals values that must be readable again: signing keys, provider secrets, seeds of second factors. */
export class Vault {
  constructor(private readonly masterKeys: MasterKeys) {}

  /** Text `v1.<key id>.<envelope>`. */
  seal(plaintext: string, place: SealedPlace): string {
    const key = this.masterKeys.current(PURPOSE);
    return `v1.${key.id}.${seal(key.key, Buffer.from(plaintext), associatedData(place)).toString('base64url')}`;
  }

  /** Whether the value is sealed with today's master key rather than a previous one. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`v1.${this.masterKeys.current(PURPOSE).id}.`);
  }

  /**
   * @throws DomainError Internal `vault.unreadable` if the value was altered or moved; Unavailable `vault.key_unknown`
   * if it was sealed with a master key that this process does not have, which another one may have
   */
  open(sealed: string, place: SealedPlace): string {
    const plaintext = this.find(sealed, place);
    if (plaintext !== undefined) return plaintext;
    const where = `${place.table}.${place.column} of ${place.row}`;
    const isOfAnotherKey = /^v1\.[\w-]+\.[\w-]+$/.test(sealed) && !this.keyOf(sealed);
    if (!isOfAnotherKey) {
      throw new DomainError('Internal', 'vault.unreadable', 'A stored secret cannot be read.', {
        cause: `${where}: does not open`,
      });
    }
    throw new DomainError(
      'Unavailable',
      'vault.key_unknown',
      'The service cannot answer right now. Try again shortly.',
      {
        cause: new Error(
          `${where} was sealed with a master key that this process does not have. Give it the MASTER_KEY of the other processes, or the earlier key in MASTER_KEY_PREVIOUS.`,
        ),
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    );
  }

  /** Like `open`, but undefined for what cannot be read. */
  find(sealed: string, place: SealedPlace): string | undefined {
    const [, , envelope] = sealed.split('.');
    const key = this.keyOf(sealed);
    if (!key || envelope === undefined) return undefined;
    return open(key.key, Buffer.from(envelope, 'base64url'), associatedData(place))?.toString();
  }

  private keyOf(sealed: string): PurposeKey | undefined {
    const [version, keyId] = sealed.split('.');
    return version === 'v1' && keyId !== undefined ? this.masterKeys.find(PURPOSE, keyId) : undefined;
  }
}

function associatedData(place: SealedPlace): string {
  return JSON.stringify([place.table, place.column, place.row, place.owner]);
}
