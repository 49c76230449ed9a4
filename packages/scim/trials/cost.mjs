/* What the extension costs: starts with and without it by turns: node trials/cost.mjs [how often] */
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf, startService } from './service.mjs';

const TIMES = Number(process.argv[2] ?? 5);
const SETTLE_MS = 3_000;

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

const measured = { with: { milliseconds: [], memory: [] }, without: { milliseconds: [], memory: [] } };
for (let time = 0; time < TIMES; time += 1) {
  for (const word of ['with', 'without']) {
    const service = await startService({ withExtension: word === 'with' });
    await sleep(SETTLE_MS);
    measured[word].milliseconds.push(service.milliseconds);
    measured[word].memory.push(memoryOf(service.pid));
    await service.stop();
  }
}
for (const [word, { milliseconds, memory }] of Object.entries(measured))
  console.log(`${word.padEnd(8)} ready after ${median(milliseconds)} ms (a new database each), ${median(memory)} MB`);
