import { declare } from './build/declare.mjs';
import { ensureBuilt } from './build.mjs';

// What `npm pack` puts into the package besides files of the repository.
try {
  await ensureBuilt();
  declare({ report: 'compare' });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
