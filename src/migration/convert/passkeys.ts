import { MOST_KEYS } from '../../user/factor/auth-key.entity.js';
import { parseKeyName } from '../../user/factor/key-names.js';
import { Faults } from '../document/faults.js';
import type { DraftOf } from '../document/field.js';
import { type DocumentPasskey, PASSKEY } from '../part/passkey.message.js';
import type { Report } from './report.js';

/**
 * A passkey or security key as another service exports it: the members of the document, in JSON. What the service has
 * not kept is absent.
 */
export type SourcePasskey = Readonly<Record<keyof DocumentPasskey, unknown>>;

/** The keys of a user that an import would take. The others are left out and reported. */
export function passkeysFrom(
  found: ReadonlyArray<Partial<SourcePasskey>>,
  userName: string,
  report: Report,
): Array<DraftOf<DocumentPasskey>> {
  const keys = found.flatMap((key) => {
    const faults = new Faults();
    const name = typeof key.name === 'string' && parseKeyName(key.name) !== undefined ? key.name : '';
    const read = PASSKEY.read({ ...key, name }, '', faults);
    if (faults.total === 0) return [read];
    report.lose(
      'Passkeys and security keys that are malformed, or of another algorithm than ES256, RS256 and Ed25519: left out',
      userName,
    );
    return [];
  });
  for (const _ of keys.slice(MOST_KEYS))
    report.lose(`Passkeys and security keys of a user beyond the first ${MOST_KEYS}: left out`, userName);
  return keys.slice(0, MOST_KEYS);
}
