import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureBuilt } from '../../../scripts/build.mjs';

const here = import.meta.dirname;

/** Where a trial keeps keys and documents. */
export const folder = mkdtempSync(join(tmpdir(), 'saml-trial-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const compiled = join(here, '..', 'dist');
await ensureBuilt();

/** A module of the package, as it is compiled. */
export const load = (path) => import(join(compiled, `${path}.js`));

const { newSigningKey } = await load('signature/new-signing-key');
const { toPem } = await load('signature/certificate');

export const NOW = new Date();
const DAY_MS = 86_400_000;

/** A key of ours or of a peer, with the files that programs read it from. */
export async function keyFiles(name, kind = 'rsa') {
  const validity = { notBefore: new Date(NOW.getTime() - DAY_MS), notAfter: new Date(NOW.getTime() + 30 * DAY_MS) };
  const key = await newSigningKey({ commonName: `${name}.test`, ...validity }, kind);
  const files = { key: join(folder, `${name}.key`), certificate: join(folder, `${name}.crt`) };
  writeFileSync(files.key, key.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(files.certificate, toPem(key.certificate));
  return { ...key, files };
}

/** Writes a document where programs read it. */
export function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

let failures = 0;

/** One thing that must hold between us and a peer. */
export async function it(title, check) {
  try {
    await check();
    console.log(`  ok    ${title}`);
  } catch (error) {
    failures += 1;
    console.log(`  FAILS ${title}\n${String(error?.stack ?? error).replace(/^/gm, '        ')}`);
  }
}

process.on('beforeExit', () => {
  if (failures > 0) process.exitCode = 1;
});

/** A program that takes a command and its input as JSON, and answers in JSON in its last line. */
export function peer(program, script) {
  return (command, input = {}) => {
    const output = execFileSync(program, [join(here, script), command], {
      input: JSON.stringify(input),
      encoding: 'utf8',
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, PYTHONWARNINGS: 'ignore' },
    });
    return JSON.parse(output.trim().split('\n').at(-1));
  };
}

export { assert, dirname, here };
