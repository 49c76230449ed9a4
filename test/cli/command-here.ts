import { PassThrough, Readable } from 'node:stream';
import { run } from '../../src/cli/run.js';
import { loadCaller } from '../../src/foundation/config/caller.js';

export interface Outcome {
  /** `null`: a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const NATIVE_REQUIRE: unique symbol = Symbol.for('gatehouse.nativeRequire');
const here = globalThis as { [NATIVE_REQUIRE]?: (id: 'node:process') => NodeJS.Process };
/** Of the process itself, which the service reads: test files have a copy. */
const environment = here[NATIVE_REQUIRE]!('node:process').env;

/**
 * The same command in this process: a process of its own would read all of the service anew. What `main` does with
 * signals, with what is thrown, and with what a command leaves open, is tested with processes.
 */
export async function gatehouseHere(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Outcome> {
  const [input, output, errors] = [Readable.from([]), new PassThrough(), new PassThrough()];
  Object.assign(environment, env);
  try {
    const settings = loadCaller();
    const code = await run(args, { input, output, errors, settings, signal: new AbortController().signal });
    return { code, stdout: String(output.read() ?? ''), stderr: String(errors.read() ?? '') };
  } finally {
    for (const name of Object.keys(env).filter((one) => one !== 'PATH')) delete environment[name];
  }
}
