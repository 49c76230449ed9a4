import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/world.js';

const ROOT = new URL('../..', import.meta.url);
const COMPILER = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const LIMIT_MS = 120_000;

let world: World;
let folder: string;

/** The output of a program of Node. @throws Error with all that it said when it fails */
async function run(
  program: string,
  values: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, [program, ...values], { cwd: folder, env: { ...env } })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program}: ${stdout}${stderr}`, { cause: error });
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-client-'));
  cpSync(new URL('./admin-client', import.meta.url), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(fileURLToPath(new URL('node_modules', ROOT)), join(folder, 'node_modules'));
  await createClient({
    input: fileURLToPath(new URL('openapi.json', ROOT)),
    output: { path: join(folder, 'generated'), module: { extension: '.js' } },
    plugins: ['@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  world = await startWorld({ realTime: true });
}, LIMIT_MS);
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('A client that is made from openapi.json', () => {
  it(
    'is sound in its types, and so is a program that uses it',
    async () => {
      expect(await run(COMPILER)).toBe('');
    },
    LIMIT_MS,
  );

  it(
    'goes through what is done before and after a migration',
    async () => {
      const token = world.firstStart.personalAccessToken!.reveal();
      const said = JSON.parse(await run('out/procedure.js', [], { ORIGIN: world.origin, TOKEN: token })) as Record<
        string,
        unknown
      >;
      expect(said).toEqual({
        title: 'Welcome to Gatehouse',
        isDefault: true,
        idpId: expect.stringMatching(/^\d+$/),
        users: '3',
        tokens: [said['tokenId']],
        tokenId: expect.stringMatching(/^\d+$/),
        afterwards: { status: 401, code: 16 },
      });
    },
    LIMIT_MS,
  );
});
