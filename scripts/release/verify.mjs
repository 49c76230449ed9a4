/*
 * Whether a release is whole, and signed by a key that you have from its owner: node scripts/release/verify.mjs <public key> [folder].
 * The same with OpenSSL alone is in docs/releasing.md.
 */
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKSUMS, filesOf, mistakesOf } from './checksums.mjs';
import { fingerprint, isSigned, opened } from './signature.mjs';

const [keyFile, folder = 'dist/release'] = process.argv.slice(2);
if (keyFile === undefined) {
  console.error('Usage: node scripts/release/verify.mjs <public key> [folder]');
  process.exit(2);
}
const key = createPublicKey(readFileSync(keyFile));
const read = (name) => readFileSync(join(folder, name));

const mistakes = [...mistakesOf(folder, read(CHECKSUMS).toString('utf8'))];
if (!isSigned(key, read(CHECKSUMS), read(`${CHECKSUMS}.sig`))) mistakes.push(`${CHECKSUMS} is not signed by this key`);
try {
  const { subject } = JSON.parse(opened(key, JSON.parse(read('provenance.dsse.json').toString('utf8'))));
  const files = new Map(filesOf(folder).map(({ name, sha256 }) => [name, sha256]));
  for (const { name, digest } of subject)
    if (files.get(name) !== digest.sha256) mistakes.push(`${name} is not what the provenance is about`);
} catch (error) {
  mistakes.push(`provenance.dsse.json: ${error.message}`);
}
for (const mistake of mistakes) console.error(mistake);
if (mistakes.length === 0) console.log(`Whole, and signed by ${fingerprint(key)}.`);
process.exitCode = mistakes.length > 0 ? 1 : 0;
