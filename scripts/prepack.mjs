import { dirname } from 'node:path';
import { declare } from './build/declare.mjs';
import { makePackage } from './build/package.mjs';
import { ensureBuilt } from './build.mjs';

// What `npm pack` puts into the package besides files of the repository.
try {
  await ensureBuilt();
  await makePackage(dirname(import.meta.dirname));
  declare({ report: 'compare' });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
