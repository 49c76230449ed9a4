import { loadCaller } from '../foundation/config/caller.js';
import { ConfigError } from '../foundation/config/environment.js';
import { EXIT } from './command-error.js';
import { run } from './run.js';

const stop = new AbortController();
// The first signal ends the command gracefully, the second one immediately.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

try {
  process.exitCode = await run(process.argv.slice(2), {
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    settings: loadCaller(),
    signal: stop.signal,
  });
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : (error as Error).stack}\n`);
  process.exitCode = error instanceof ConfigError ? EXIT.usage : EXIT.failed;
}
// A terminal that is still being read from would keep the process.
process.stdin.destroy();
