// Every filter of every list of the administrative API, with ten and a hundred thousand rows in each: see README.md.
import { parseArgs } from 'node:util';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { search, startSite } from './host/site.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { lists } from './lists/cases.mjs';
import { fillTo, makeOwners } from './lists/fill.mjs';
import { say } from './report/say.mjs';

const PORT = Number(process.env.BENCH_PORT ?? 4300) + 30;
/** Ten times the rows may cost this many times the blocks, and as many more: indexes become a level higher. */
const MOST_TIMES = 2;
const MOST_MORE = 400;

checkNodeVersion();
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,100000' },
    only: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
  },
});
const workspace = await openWorkspace({ shared_preload_libraries: 'pg_stat_statements' });
try {
  process.exitCode = (await bench()) ? 0 : 1;
} finally {
  await workspace.close();
}

async function bench() {
  const site = await start();
  const sizes = options.rows.split(',').map(Number);
  const measured = [];
  let from = 0;
  for (const rows of sizes) {
    const started = performance.now();
    await fillTo(site.client, site.instanceId, from, rows);
    say(`${rows} rows in each list, after ${Math.round((performance.now() - started) / 1000)} s`);
    from = rows;
    measured.push(await measureAll(site));
  }
  const [small, large] = [measured[0], measured.at(-1)];
  let grown = 0;
  for (const [name, { hits, blocks, ms, status, found }] of large) {
    const before = small.get(name);
    const grows = status !== 200 || blocks > before.blocks * MOST_TIMES + MOST_MORE;
    if (grows) grown += 1;
    if (grows || options.all)
      say(
        `${grows ? 'GROWS ' : '      '}${hits.padEnd(4)} ${String(found).padStart(4)} found, blocks ${before.blocks} ${blocks}, ms ${before.ms.toFixed(1)} ${ms.toFixed(1)}${status === 200 ? '' : ` (${status})`}  ${name}`,
      );
  }
  say(`${large.size} searches, of which ${grown} grow`);
  await site.close();
  return grown === 0;
}

async function start() {
  const site = await startSite(workspace, 'lists', PORT);
  await site.client.query('CREATE EXTENSION pg_stat_statements');
  await makeOwners(site.client);
  const { rows } = await site.client.query('SELECT id FROM instance');
  return { ...site, instanceId: rows[0].id };
}

async function measureAll(site) {
  const { rows } = await site.client.query(
    `SELECT min(created_at) - interval '1 day' AS before, max(created_at) + interval '1 day' AS after,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY created_at) AS middle, percentile_disc(0.5) WITHIN GROUP (ORDER BY position) AS position
     FROM event WHERE org_id = 'bench'`,
  );
  const { before, middle, after, position } = rows[0];
  const at = { before, middle, after, middleEnd: new Date(middle.getTime() + 60_000), middlePosition: position };
  const figures = new Map();
  for (const { path, org = 'bench', cases } of lists(at)) {
    if (!path.includes(options.only)) continue;
    for (const [index, { name, hits, body }] of cases.entries()) {
      await ask(site, path, org, body);
      // Times are written in the names of some.
      figures.set(`${path} ${index} ${name}`.replace(/\d{4}-\d\d-[^"]*Z|"position":"\d+"/g, '…'), {
        hits,
        ...(await ask(site, path, org, body)),
      });
    }
  }
  return figures;
}

/** One request, and the blocks that all of its statements touched. */
async function ask(site, path, org, body) {
  await site.client.query('SELECT pg_stat_statements_reset()');
  const paged = path.includes('/events/') ? { limit: 20, ...body } : { query: { limit: 20, asc: true }, ...body };
  const { status, ms, answer } = await search(site, path, org, paged);
  if (status === 400 || status === 404) throw new Error(`${path} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`);
  const { rows } = await site.client.query(
    `SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int AS blocks FROM pg_stat_statements
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query NOT LIKE '%pg_stat_statements%'`,
  );
  return { status, ms, blocks: rows[0].blocks, found: (answer.result ?? answer.events)?.length };
}
