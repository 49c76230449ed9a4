import { createDecipheriv } from 'node:crypto';
import { isObject } from '../json.js';
import type { SourceDatabase } from './source-database.js';

const KEY_BYTES = 32;
const IV_BYTES = 16;

/** Secrets are text; what another key makes of them is not. */
const TEXT = /^[\t\n\r\x20-\x7e\u0080-\u{10ffff}]+$/u;

/** The keys by which the source seals what it must read again, each of them sealed by the master key. */
export class Keyring {
  private hasOpened = false;

  private constructor(private readonly keys: ReadonlyMap<string, Buffer> | undefined) {}

  /** @param masterKey undefined to open nothing. @throws Error if it cannot be one */
  static async open(database: SourceDatabase, masterKey: string | undefined): Promise<Keyring> {
    if (masterKey === undefined) return new Keyring(undefined);
    const secret = Buffer.from(masterKey);
    if (secret.length !== KEY_BYTES)
      throw new Error(`The master key must be ${KEY_BYTES} bytes long, and is ${secret.length}.`);
    const { name } = database.layout.find({ schema: 'system', table: 'encryption_keys', needs: ['id', 'key'] });
    const rows = await database.all(`SELECT id, key FROM ${name}`);
    return new Keyring(
      new Map(
        rows.flatMap(({ id, key }) => {
          const opened = decrypt(Buffer.from(String(key), 'base64url'), secret);
          return opened?.length === KEY_BYTES ? [[String(id), opened] as const] : [];
        }),
      ),
    );
  }

  /** Whether there is a master key at all. */
  get isThere(): boolean {
    return this.keys !== undefined;
  }

  /**
   * The text in a sealed value (`Crypted`, by the key `KeyID`); undefined if it cannot be opened.
   *
   * @throws Error if the first one makes no sense: the cipher does not tell whether the master key is right
   */
  textIn(sealed: unknown): string | undefined {
    if (this.keys === undefined || !isObject(sealed)) return undefined;
    const key = this.keys.get(String(sealed['KeyID']));
    const crypted = sealed['Crypted'];
    if (!key || typeof crypted !== 'string') return undefined;
    const opened = decrypt(Buffer.from(crypted, 'base64'), key);
    const text = opened && toText(opened);
    if (text !== undefined) this.hasOpened = true;
    else if (!this.hasOpened)
      throw new Error(
        'The master key does not open the secrets of this database: give the one that it was set up with.',
      );
    return text;
  }
}

function decrypt(sealed: Buffer, key: Buffer): Buffer | undefined {
  if (sealed.length <= IV_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-cfb', key, sealed.subarray(0, IV_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES)), decipher.final()]);
}

function toText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return TEXT.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a hash: as it is, or in the older form of a sealed value. */
export function hashIn(value: unknown): string {
  if (typeof value === 'string') return value.startsWith('{') ? hashIn(parse(value)) : value;
  const crypted = isObject(value) ? value['Crypted'] : undefined;
  return typeof crypted === 'string' ? Buffer.from(crypted, 'base64').toString('utf8') : '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
