import { loadavg } from 'node:os';
import { cpuMs, memoryMb } from '../../../bench/host/process-cost.mjs';

const LOOK_MS = 50;

class Skipped extends Error {}

/** @throws Skipped, for a step that needs what this machine does not have */
export function skipWithout(isThere, reason) {
  if (!isThere) throw new Skipped(reason);
}

/** What was done, how long it took, and what came of it. A step that fails does not keep the others from being tried. */
export class Steps {
  lines = [];

  /** @param work returns what there is to say @returns whether it succeeded */
  async take(name, work) {
    const started = performance.now();
    const [verdict, said] = await work().then(
      (text = '') => ['kept', text],
      (error) => (error instanceof Skipped ? ['skipped', error.message] : ['BROKEN', error.stack]),
    );
    if (verdict === 'BROKEN') process.exitCode = 1;
    const seconds = `${((performance.now() - started) / 1_000).toFixed(1)} s`;
    this.lines.push([verdict, name, seconds, said.split('\n')[0]]);
    console.log(`${verdict.padEnd(7)}  ${name}, ${seconds}: ${said}`);
    return verdict === 'kept';
  }

  print(title) {
    const widths = [0, 1, 2].map((column) => Math.max(...this.lines.map((line) => line[column].length)));
    console.log(
      `\n${title}; load ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}`,
    );
    for (const [verdict, name, seconds, said] of this.lines)
      console.log(
        `${verdict.padEnd(widths[0])}  ${name.padEnd(widths[1])}  ${seconds.padStart(widths[2])}  ${said.slice(0, 160)}`,
      );
  }
}

/** Looks at a process until it ends: what it has cost so far. Without /proc it sees nothing. */
export class Cost {
  constructor({ pid }) {
    this.pid = pid;
    this.timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  look() {
    try {
      const [{ peak }, ms] = [memoryMb(this.pid), cpuMs(this.pid)];
      Object.assign(this, { peak, ms });
    } catch {
      clearInterval(this.timer); // ended
    }
    return this;
  }

  toString() {
    return this.peak === undefined ? 'not seen' : `${this.peak} MB, ${(this.ms / 1_000).toFixed(1)} s of a processor`;
  }
}
