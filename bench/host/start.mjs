import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../report/median.mjs';
import { cpuMs, memoryMb } from './process-cost.mjs';

const STARTS = 7;
const REST_MS = 3_000;

/**
 * Starts a service several times on the database that it knows already, and leaves the last one running.
 * @param {() => Promise<import('./child.mjs').Child>} launch
 * @param {number} [starts] how many times
 */
export async function startMeasured(launch, starts = STARTS) {
  const times = [];
  const costs = [];
  let child;
  for (let count = 0; count < starts; count += 1) {
    await child?.stop();
    child = await launch();
    times.push(child.startMs);
    costs.push(cpuMs(child.pid));
  }
  await sleep(REST_MS);
  return {
    child,
    figures: { startMs: median(times), startCpuMs: median(costs), restMb: memoryMb(child.pid)?.resident },
  };
}

/** Stops a service after its load. @returns its start and memory figures */
export async function finishMeasured(child, figures) {
  await sleep(REST_MS);
  const memory = memoryMb(child.pid);
  await child.stop();
  return { ...figures, loadedMb: memory?.resident, peakMb: memory?.peak };
}
