import { createCipheriv, randomBytes } from 'node:crypto';
import type pg from 'pg';

export const MASTER_KEY = 'MasterkeyNeedsToHave32Characters';

type Row = Readonly<Record<string, unknown>>;

/** Writes rows as the service does: AES in cipher feedback mode under a key that the master key seals. */
export class Filler {
  private readonly keys = new Map<string, Buffer>();
  private readonly sequences = new Map<string, number>();

  private readonly client: pg.Client;
  readonly instanceId: string;

  /** Without parameter properties: Node runs this file as it is, for deploy/trials/refuge.mjs. */
  constructor(client: pg.Client, instanceId: string) {
    this.client = client;
    this.instanceId = instanceId;
  }

  async insert(table: string, row: Row): Promise<void> {
    const columns = Object.entries({ instance_id: this.instanceId, ...row }).filter(([, value]) => value !== undefined);
    await this.client.query(
      `INSERT INTO ${table.includes('.') ? table : `projections.${table}`} (${columns.map(([name]) => name).join(', ')})
       VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
      columns.map(([, value]) => value),
    );
  }

  /** An event of a user, at a moment of its own. */
  async event(userId: string, type: string, payload?: Row): Promise<void> {
    const sequence = (this.sequences.get(userId) ?? 0) + 1;
    this.sequences.set(userId, sequence);
    await this.insert('eventstore.events2', {
      aggregate_type: 'user',
      aggregate_id: userId,
      event_type: type,
      sequence,
      revision: 1,
      created_at: new Date(Date.UTC(2024, 0, 1, 0, sequence)),
      payload: payload === undefined ? null : JSON.stringify(payload),
      creator: userId,
      owner: 'x',
      position: sequence,
      in_tx_order: 0,
    });
  }

  /** A value as it is stored: sealed under a key that is made when it is first used. */
  async seal(keyId: string, text: string): Promise<string> {
    const known = this.keys.get(keyId);
    const key = known ?? randomBytes(32);
    if (!known) {
      this.keys.set(keyId, key);
      await this.client.query('INSERT INTO system.encryption_keys (id, key) VALUES ($1, $2)', [
        keyId,
        padded(encrypt(key, Buffer.from(MASTER_KEY))),
      ]);
    }
    return JSON.stringify({
      CryptoType: 0,
      Algorithm: 'aes',
      KeyID: keyId,
      Crypted: encrypt(Buffer.from(text), key).toString('base64'),
    });
  }
}

function encrypt(plain: Buffer, key: Buffer): Buffer {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cfb', key, iv);
  return Buffer.concat([iv, cipher.update(plain), cipher.final()]);
}

/** The alphabet of addresses, with padding. */
function padded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}
