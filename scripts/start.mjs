import { existsSync } from 'node:fs';
import { ensureBuilt } from './build.mjs';

try {
  await ensureBuilt();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
// What the environment already says stands.
if (existsSync('.env')) process.loadEnvFile('.env');
// In this process: signals and the exit status are the service's own.
await import('../dist/main.js');
