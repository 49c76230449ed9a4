#!/usr/bin/env node
import { existsSync } from 'node:fs';

// In a checkout what is older than the sources is built first; the package holds what was made of them.
if (existsSync(new URL('./build.mjs', import.meta.url))) {
  const { ensureBuilt } = await import('./build.mjs');
  try {
    await ensureBuilt();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
if (existsSync('.env')) process.loadEnvFile?.('.env'); // an older Node is refused by what follows
const PROGRAMS = { start: 'process/start/start', 'test-idp': 'extension/test-idp/run' };
await import(`../lib/${PROGRAMS[process.argv[2]] ?? 'cli/main'}.js`);
