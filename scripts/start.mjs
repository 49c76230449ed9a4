import { checkNodeVersion } from './node-version.mjs';

checkNodeVersion();
const { ensureBuilt } = await import('./build.mjs');
try {
  await ensureBuilt();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
// In this process: signals and the exit status are the service's own.
await import('../dist/main.js');
