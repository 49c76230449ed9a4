import { Injectable } from '@nestjs/common';
import { type SealedPlace, Vault } from '../foundation/crypto/vault.js';
import type { StoredSettings } from './ext-kinds.js';
import type { Idp } from './idp.entity.js';

type Place = Pick<Idp, 'id' | 'ownerId'>;
type SealedColumn = 'clientSecret' | 'secretSettings';

const COLUMNS: Readonly<Record<SealedColumn, string>> = {
  clientSecret: 'client_secret',
  secretSettings: 'secret_settings',
};

/** The secrets of providers, which are sealed in their rows. */
@Injectable()
export class IdpSecrets {
  constructor(private readonly vault: Vault) {}

  /** The client secret that the provider gave us; empty for none. */
  openClientSecret(idp: Place & Pick<Idp, 'clientSecret'>): string {
    return this.open('clientSecret', idp, idp.clientSecret);
  }

  openSettings(idp: Place & Pick<Idp, 'secretSettings'>): StoredSettings['secret'] {
    const text = this.open('secretSettings', idp, idp.secretSettings);
    return text === '' ? {} : (JSON.parse(text) as StoredSettings['secret']);
  }

  sealClientSecret(idp: Place, secret: string): string {
    return this.seal('clientSecret', idp, secret);
  }

  sealSettings(idp: Place, secret: StoredSettings['secret']): string {
    return this.seal('secretSettings', idp, Object.keys(secret).length === 0 ? '' : JSON.stringify(secret));
  }

  /** Like `openClientSecret`, but undefined if the secret cannot be read. */
  findClientSecret(idp: Place & Pick<Idp, 'clientSecret'>): string | undefined {
    return this.find('clientSecret', idp, idp.clientSecret);
  }

  findSettings(idp: Place & Pick<Idp, 'secretSettings'>): StoredSettings['secret'] | undefined {
    const text = this.find('secretSettings', idp, idp.secretSettings);
    if (text === undefined) return undefined;
    return text === '' ? {} : (JSON.parse(text) as StoredSettings['secret']);
  }

  /** Seals the secrets of another master key anew under today's; what cannot be read stays as it is. */
  reseal(idp: Place & Pick<Idp, SealedColumn>): {
    readonly resealed: Partial<Pick<Idp, SealedColumn>>;
    readonly isUnreadable: boolean;
  } {
    const columns: readonly SealedColumn[] = ['clientSecret', 'secretSettings'];
    const outdated = columns.filter((column) => idp[column] !== '' && !this.vault.isCurrent(idp[column]));
    const found = outdated.map((column) => ({ column, text: this.find(column, idp, idp[column]) }));
    return {
      resealed: Object.fromEntries(
        found.flatMap(({ column, text }) =>
          text === undefined ? [] : [[column, this.vault.seal(text, placeOf(column, idp))]],
        ),
      ),
      isUnreadable: found.some(({ text }) => text === undefined),
    };
  }

  private find(column: SealedColumn, idp: Place, sealed: string): string | undefined {
    return sealed === '' ? '' : this.vault.find(sealed, placeOf(column, idp));
  }

  private open(column: SealedColumn, idp: Place, sealed: string): string {
    return sealed === '' ? '' : this.vault.open(sealed, placeOf(column, idp));
  }

  private seal(column: SealedColumn, idp: Place, text: string): string {
    return text === '' ? '' : this.vault.seal(text, placeOf(column, idp));
  }
}

/** The place of a provider's secret in the database, for the vault. */
function placeOf(column: SealedColumn, { id, ownerId }: Place): SealedPlace {
  return { table: 'idp', column: COLUMNS[column], row: id, owner: ownerId };
}
