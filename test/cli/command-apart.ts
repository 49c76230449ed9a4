import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Outcome } from './command-here.js';

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname;
/** Against what hangs, not against what is slow. */
export const PROCESS_LIMIT_MS = 300_000;

export interface Apart {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Buffer;
  readonly meanwhile?: (child: ChildProcess) => Promise<void>;
}

/** The command in a process of its own, as an operator has it. What is compressed is returned as Latin-1. */
export async function gatehouseApart(args: readonly string[], how: Apart = {}): Promise<Outcome> {
  const { cwd, env, input, meanwhile } = how;
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    timeout: PROCESS_LIMIT_MS,
  });
  child.stdout.setEncoding(args.includes('--gzip') ? 'latin1' : 'utf8');
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  await meanwhile?.(child);
  const [code, [stdout, stderr]] = await Promise.all([closed, outputs]);
  return { code, stdout, stderr };
}
