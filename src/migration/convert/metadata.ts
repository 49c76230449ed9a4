import { METADATA_IN_PATH } from '../../org/in-path.js';
import type { Entry } from './document.js';
import type { Report } from './report.js';

const MAX_KEY_CHARACTERS = 200;
const MAX_VALUE_BYTES = 500_000;

/** An entry of `userMetadata`: text and bytes unchanged, anything else as JSON. */
export function toMetadataEntry(
  userId: string,
  key: string,
  value: unknown,
  report: Report,
): Entry<'userMetadata'> | undefined {
  const bytes = Buffer.isBuffer(value)
    ? value
    : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value ?? ''));
  const isKey = key !== '' && [...key].length <= MAX_KEY_CHARACTERS && !/\0/.test(key);
  const fits = isKey && bytes.length > 0 && bytes.length <= MAX_VALUE_BYTES;
  if (METADATA_IN_PATH.problem(key) !== undefined) {
    report.note('Attributes whose name has another meaning in the paths of the API: left out', `${userId} ${key}`);
    return undefined;
  }
  if (!fits) report.note('Attributes that are empty, too long or without a name: left out', `${userId} ${key}`);
  return fits ? { id: userId, key, value: bytes } : undefined;
}
