import { sha256 } from '../../../crypto/digest.js';
import { PasswordHash } from '../../../crypto/password-hash.js';
import { Secret } from '../../../crypto/secret.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';

/** Longer ones are kept under a fast hash, which is safe for what cannot be guessed: a UUID has 122 bits. */
const SHORT_CHARACTERS = 32;
const SALT_BYTES = 16;

/** What is stored of a client's secret (`secretHash`), so that the client keeps it: a SHA-256 in base64, or a slow hash of a short one. */
export class ClientSecrets {
  private readonly passwords = new PasswordHash();

  constructor(
    private readonly realmId: string,
    private readonly report: Report,
  ) {}

  async hashOf(client: SourceObject, clientId: string): Promise<string | undefined> {
    const secret = client.text('secret');
    const isMasked = /^\*+$/.test(secret) || secret.startsWith('${');
    if (secret === '' || isMasked) {
      this.report.lose('Clients whose secret the export does not hold: generate another', clientId);
      return undefined;
    }
    if (secret.length >= SHORT_CHARACTERS) return sha256(secret).toString('base64');
    this.report.note(
      `Clients whose secret has fewer than ${SHORT_CHARACTERS} characters: kept under a slow hash, and better replaced by a generated one`,
      clientId,
    );
    return this.passwords.hash(new Secret(secret), undefined, this.saltOf(client.text('id') || clientId));
  }

  /** One for each client, and the same in each conversion: the document of the same files must be the same. */
  private saltOf(id: string): Buffer {
    return sha256(JSON.stringify(['client secret', this.realmId, id])).subarray(0, SALT_BYTES);
  }
}
