#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { ensureBuilt } from './build.mjs';

try {
  await ensureBuilt();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
if (existsSync('.env')) process.loadEnvFile('.env');
await import('../dist/cli/main.js');
