import { Secret } from '../../foundation/config/secret.js';
import type { Vault as ProductVault, SealedPlace } from '../../foundation/crypto/vault.js';
import { schemaNameOf } from '../../foundation/database/schema-change/ext-schema.js';
import { runningExtension } from '../../foundation/log/running-extension.js';

/**
 * Where a sealed secret is stored. It is bound in, so that a value that was moved to another row does not open.
 * @public
 */
export interface SecretPlace {
  /** The table with its schema, which is that of the extension: `ext_hr.token`. */
  readonly table: string;
  readonly column: string;
  /** The primary key of the row. */
  readonly row: string;
}

/**
 * Seals secrets that must be readable again, such as keys for other services, under the master key, so that no dump of
 * the database holds them. Passwords belong in no vault. Inject it by this class.
 * @public
 */
export abstract class Vault {
  /** Text for a column. @throws Error for a table that is not the extension's */
  abstract seal(secret: Secret, place: SecretPlace): string;
  /**
   * @throws DomainError Internal `vault.unreadable` if it was altered or moved; Unavailable `vault.key_unknown` if it
   * was sealed with a master key that this process does not have; Error as `seal`
   */
  abstract open(sealed: string, place: SecretPlace): Secret;
  /**
   * Whether it was sealed with today's master key. What was not opens as long as MASTER_KEY_PREVIOUS names its key:
   * open it and seal it again before that setting is removed.
   */
  abstract isCurrent(sealed: string): boolean;
}

const TABLE = /^(ext_[a-z][a-z0-9]{1,19})\.[a-z_][a-z0-9_]{0,62}$/;

/** The façade over the product's own vault. It opens nothing that the product has sealed. */
export class SharedVault extends Vault {
  constructor(private readonly vault: ProductVault) {
    super();
  }

  override seal(secret: Secret, place: SecretPlace): string {
    return this.vault.seal(secret.reveal(), ownPlace(place));
  }

  override open(sealed: string, place: SecretPlace): Secret {
    return new Secret(this.vault.open(sealed, ownPlace(place)));
  }

  override isCurrent(sealed: string): boolean {
    return this.vault.isCurrent(sealed);
  }
}

/** @throws Error for a table that is not the extension's */
function ownPlace({ table, column, row }: SecretPlace): SealedPlace {
  const owner = TABLE.exec(table)?.[1];
  const extension = runningExtension();
  if (owner === undefined || (extension !== undefined && owner !== schemaNameOf(extension)))
    throw new Error(`${table} is no table of the extension. Give one of its schema, such as ext_hr.token.`);
  return { table, column, row, owner };
}
