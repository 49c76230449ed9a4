import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';

const STOP_MS = 15_000;
const running = new Set();
let ending = false;

/**
 * Starts a program, of this Node unless `command` runs it, and waits for a line of its output.
 * @param {{ name: string, program: string, command?: string, args?: string[], nodeArgs?: string[], env?: object, input?: string, cwd?: string, ready: RegExp, seconds?: number, hasChildren?: boolean }} order
 *   `hasChildren`: it starts processes of its own, which must end with it
 * @returns {Promise<Child>}
 */
export async function startChild(order) {
  if (ending) throw new Error(`${order.name} is not started any more: the run is ending`);
  const started = performance.now();
  const child = spawn(
    order.command ?? process.execPath,
    [...(order.nodeArgs ?? []), order.program, ...(order.args ?? [])],
    {
      cwd: order.cwd,
      env: { ...process.env, ...order.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: order.hasChildren,
    },
  );
  child.stdin.on('error', () => {});
  child.stdin.end(order.input ?? '');
  // A program with children is the leader of a group of processes, in which they are.
  const kill = () => (order.hasChildren ? process.kill(-child.pid, 'SIGKILL') : child.kill('SIGKILL'));
  const lastLines = [];
  const handle = { pid: child.pid, startMs: undefined, lastLines, name: order.name, stop: () => stop(child, kill) };
  running.add(handle);
  child.once('exit', () => running.delete(handle));
  let timer;
  handle.startMs = await new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`${order.name} ${why}\n${lastLines.join('\n')}`));
    const listen = (stream) =>
      createInterface({ input: stream }).on('line', (line) => {
        lastLines.push(line);
        if (lastLines.length > 40) lastLines.shift();
        if (order.ready.test(line)) resolve(performance.now() - started);
      });
    listen(child.stdout);
    listen(child.stderr);
    child.once('error', (error) => fail(`did not start: ${error.message}`));
    child.once('close', (code, signal) => fail(`ended with ${signal ?? code} before it was ready`));
    timer = setTimeout(() => fail('was not ready in time'), (order.seconds ?? 60) * 1000);
  })
    .catch((error) => {
      if (isRunning(child)) kill();
      throw error;
    })
    .finally(() => clearTimeout(timer));
  return handle;
}

/** Ends whatever this run has started and not yet stopped, and starts nothing more. */
export async function stopAll() {
  ending = true;
  await Promise.allSettled([...running].map((handle) => handle.stop()));
}

async function stop(child, kill) {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(kill, STOP_MS);
  await ended;
  clearTimeout(timer);
}

function isRunning(child) {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}
