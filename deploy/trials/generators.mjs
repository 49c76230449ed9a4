/* Generators of clients that are not ours read the document that the running service serves. See README.md. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial } from './machine.mjs';

const OPENAPI_TYPESCRIPT = process.env.OPENAPI_TYPESCRIPT ?? '7.13.0';
const OAPI_CODEGEN = process.env.OAPI_CODEGEN ?? 'v2.5.0';
const MODULE = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen';
const LIMIT_MS = 600_000;

await trial(async (machine) => {
  const postgres = await machine.startPostgres('server', machine.port());
  await inDatabase(maintenanceUrl(postgres.url), 'CREATE DATABASE gatehouse');
  const service = await machine.startService(machine.port(), { DATABASE_URL: postgres.url });
  const folder = join(machine.folder, 'generators');
  mkdirSync(folder);
  const document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${service.origin}/docs-json`)).text());
  const run = (program, args) =>
    machine.run(program, args, { cwd: folder, timeout: LIMIT_MS, env: process.env, uid: undefined, gid: undefined });

  run('npm', ['init', '--yes']);
  run('npm', ['install', '--no-audit', '--no-fund', `openapi-typescript@${OPENAPI_TYPESCRIPT}`, 'typescript@5']);
  run('npx', ['openapi-typescript', document, '--output', 'client.ts']);
  run('npx', ['tsc', '--noEmit', '--strict', 'client.ts']);
  promise(
    readFileSync(join(folder, 'client.ts'), 'utf8').includes('AddOrgRequest'),
    'openapi-typescript makes types that compile',
  );

  run('go', ['mod', 'init', 'trial']);
  run('go', ['get', '-tool', `${MODULE}@${OAPI_CODEGEN}`]);
  run('go', ['tool', 'oapi-codegen', '-generate', 'types,client', '-package', 'main', '-o', 'client.go', document]);
  writeFileSync(join(folder, 'main.go'), 'package main\n\nfunc main() {}\n');
  run('go', ['mod', 'tidy']);
  run('go', ['build', '-o', 'client', '.']);
  promise(existsSync(join(folder, 'client')), 'oapi-codegen makes a client that compiles');
});
