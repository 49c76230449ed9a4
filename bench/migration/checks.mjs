import { cpuMs, postgresCpuMs } from '../host/process-cost.mjs';
import { table } from '../report/table.mjs';
import { CASES } from './cases.mjs';
import { Instance } from './instance.mjs';

/**
 * What one row of a document costs, where every row meets the same check, at several sizes. The ratio compares the CPU time that a row
 * takes at the largest and at the smallest size, since that is the same on a busy machine: 1 or less says that it does not grow.
 * @param {{ database: import('../host/database.mjs').BenchDatabase, folder: string, sizes: number[], only?: string, say: (text: string) => void }} setting
 */
export async function benchChecks({ database, folder, sizes, only = '', say }) {
  const cases = CASES.filter(({ name }) => name.includes(only));
  const rows = [];
  for (const each of cases) {
    const costs = [];
    for (const size of sizes) costs.push(await measure(each, size));
    const perRow = costs.map(({ cpu }, index) => cpu / sizes[index]);
    const row = [
      each.name,
      ...costs.flatMap(({ seconds, cpu }) => [seconds.toFixed(1), cpu.toFixed(1)]),
      (perRow.at(-1) / perRow[0]).toFixed(2),
    ];
    rows.push(row);
    say(row.join('  '));
  }
  say(
    `\n${table(['rows that meet', ...sizes.flatMap((size) => [`${size.toLocaleString('en-US')}, s`, 'CPU s']), 'CPU of a row, ratio'], rows)}`,
  );

  async function measure({ name, before, request, leftOut = () => 0 }, size) {
    const url = await database.create('bench_checks');
    const instance = await Instance.start(name, url, folder);
    try {
      if (before) await instance.import(before(size));
      const cpu = () => cpuMs(instance.pid) + postgresCpuMs(database.postmaster);
      const earlier = cpu();
      const { ms, leftOut: found } = await instance.import(request(size));
      const spent = cpu() - earlier;
      if (found !== leftOut(size))
        throw new Error(`${name}: ${found} entries were left out instead of ${leftOut(size)}`);
      return { seconds: ms / 1000, cpu: spent / 1000 };
    } finally {
      await instance.stop();
      await database.drop('bench_checks');
    }
  }
}
