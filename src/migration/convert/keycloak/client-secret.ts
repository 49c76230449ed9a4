import { Secret } from '../../../foundation/config/secret.js';
import { sha256 } from '../../../foundation/crypto/digest.js';
import { PasswordHash } from '../../../foundation/password/password-hash.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';

/** Longer secrets get a fast hash, which is safe for what cannot be guessed: a UUID has 122 bits. */
const SHORT_CHARACTERS = 32;
const SALT_BYTES = 16;

/**
 * The stored form (`secretHash`) of a client's secret, so that the client keeps it: SHA-256 in base64, or a slow hash
 * if it is short.
 */
export class ClientSecrets {
  private readonly passwords = new PasswordHash();

  constructor(
    private readonly realmId: string,
    private readonly report: Report,
  ) {}

  async hashOf(client: SourceObject, clientId: string): Promise<string | undefined> {
    const secret = client.text('secret');
    const isMasked = /^\*+$/.test(secret);
    if (secret === '' || isMasked) {
      this.report.lose('Clients whose secret is missing from the export: generate a new one', clientId);
      return undefined;
    }
    if (secret.length >= SHORT_CHARACTERS) return sha256(secret).toString('base64');
    this.report.note(
      `Clients whose secret has fewer than ${SHORT_CHARACTERS} characters: stored with a slow hash; replace it with a generated one`,
      clientId,
    );
    return this.passwords.hashExactly(new Secret(secret), this.saltOf(client.text('id') || clientId));
  }

  /** Differs by client but not by conversion: converting the same files must give the same document. */
  private saltOf(id: string): Buffer {
    return sha256(JSON.stringify(['client secret', this.realmId, id])).subarray(0, SALT_BYTES);
  }
}
