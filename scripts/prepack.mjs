import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { declare } from './build/declare.mjs';
import { makePackage } from './build/package.mjs';
import { ensureBuilt } from './build.mjs';

const root = dirname(import.meta.dirname);
/** Of what `lib/` was made from when it was made. */
const stamp = join(root, 'dist/.packaged');

// What `npm pack` puts into the package besides files of the repository.
try {
  await ensureBuilt();
  if (!isPackaged()) {
    await makePackage(root);
    writeFileSync(stamp, digest());
  }
  declare({ report: 'compare' });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

function isPackaged() {
  return existsSync(join(root, 'lib')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest();
}

/** Changes with everything that was compiled, with any package, and with how `lib/` is made. */
function digest() {
  const hash = createHash('sha256');
  const files = [
    'dist/.outputs',
    'package.json',
    'package-lock.json',
    ...globSync('scripts/build/*.mjs', { cwd: root }),
  ];
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}
