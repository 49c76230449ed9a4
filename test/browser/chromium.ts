import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { leaveChromium, sharedChromium } from '../support/runner/chromium.mjs';

const run = promisify(execFile);

/** With this, the package brings the shared libraries along that a machine with nothing but Node may lack. */
const WITH_LIBRARIES = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };

/**
 * Not the package's own list: that one switches off what the browser protects (same origin, mixed content), and then a
 * test would pass that no browser of a person passes. The sandbox needs rights that root in a container has not.
 */
const ARGUMENTS = ['--no-sandbox', '--font-render-hinting=none'];

interface Program {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

let found: Promise<Program> | undefined;

/**
 * A real Chromium, without a window, that came by npm; files that run one after the other share it. `CHROMIUM_PATH`
 * names another one. End with `closeWindows()`.
 * @throws Error that says what is missing
 */
export async function openChromium(): Promise<Browser> {
  return sharedChromium(await chromiumProgram());
}

/** Whatever the test file has opened. */
export const closeWindows = leaveChromium;

/** The same, for what starts it by itself. */
export async function chromiumProgram(): Promise<{
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}> {
  found ??= findProgram();
  const { path, environment } = await found;
  return { executablePath: path, args: ARGUMENTS, env: { ...ownEnvironment(), ...environment } };
}

async function findProgram(): Promise<Program> {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return { path: given, environment: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'The Chromium that comes by npm runs on Linux x64 alone. Set CHROMIUM_PATH to a Chromium or Chrome of this machine.',
    );
  }
  const folder = await unpack();
  const path = join(folder, 'chromium');
  // Fonts of the package, so that pages look alike on every machine.
  const plain = { FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  if ((await complaintOf(path, plain)) === undefined) return { path, environment: plain };
  const withLibraries = { ...plain, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  const complaint = await complaintOf(path, withLibraries);
  if (complaint === undefined) return { path, environment: withLibraries };
  throw new Error(
    `Chromium does not start on this machine, not even with the shared libraries that its package brings:\n${complaint}`,
  );
}

/** Once per user and version: the program has 190 MB. */
async function unpack(): Promise<string> {
  const { version } = createRequire(import.meta.url)('../../node_modules/@sparticuz/chromium/package.json') as {
    version: string;
  };
  const { uid } = userInfo();
  const folder = join(tmpdir(), `gatehouse-chromium-${version}-${uid}`);
  if (existsSync(folder)) return checkOwner(folder, uid);
  const draft = mkdtempSync(join(tmpdir(), 'gatehouse-chromium-draft-'));
  const script = fileURLToPath(new URL('./unpack-chromium.mjs', import.meta.url));
  await run(process.execPath, [script], { env: { ...ownEnvironment(), ...WITH_LIBRARIES, TMPDIR: draft } });
  writeFileSync(join(draft, 'fonts.conf'), fontSettings(folder));
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // else another test file was quicker
  }
  return checkOwner(folder, uid);
}

/**
 * The name can be guessed and the folder is writable by all users: a program that another user put there is not run.
 */
function checkOwner(folder: string, uid: number): string {
  const entry = lstatSync(folder);
  if (!entry.isDirectory() || entry.uid !== uid) throw new Error(`${folder} does not belong to this user. Remove it.`);
  return folder;
}

function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>
`;
}

async function complaintOf(path: string, environment: Readonly<Record<string, string>>): Promise<string | undefined> {
  try {
    await run(path, ['--version'], { env: { ...ownEnvironment(), ...environment } });
    return undefined;
  } catch (error) {
    return (error as { stderr?: string }).stderr?.trim() || String(error);
  }
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
