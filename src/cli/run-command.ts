import { loadCaller } from '../foundation/config/caller.js';
import { ConfigError } from '../foundation/config/environment.js';
import { EXIT } from './command/command-error.js';
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
// Whatever is still open must not keep the process: a terminal that is read from, a connection of services that could
// not be assembled, what an extension has left. What was written arrives first.
process.stdin.destroy();
process.stdout.write('', () => process.stderr.write('', () => process.exit()));
