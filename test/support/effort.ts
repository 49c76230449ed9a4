import { collectGarbage } from './runner/garbage.mjs';

/**
 * The processor time that some work takes in this process, in milliseconds: the least of several rounds. Unlike elapsed
 * time it does not grow while other processes have the processor, so a limit says what the work costs, and not how busy
 * the machine is.
 */
export async function cpuMsOf(work: () => unknown, rounds = 3): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** The bytes on the heap that are in use, without garbage that happens not to have been collected yet. */
export function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
