// A page of an organization's users, with a thousand of them and with a million: see README.md.
import { parseArgs } from 'node:util';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { search, startSite } from './host/site.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { median } from './report/median.mjs';
import { say } from './report/say.mjs';
import { CASES } from './users/cases.mjs';
import { fillTo, makeOrg } from './users/fill.mjs';

const FIRST_PORT = Number(process.env.BENCH_PORT ?? 4300) + 20;
const SMALL = 1_000;
/** Of each case, before it is measured; and of all of them, before the first is. */
const WARM_UP_REQUESTS = 4;
const WARM_UP_ROUNDS = 2;

checkNodeVersion();
const { values: options } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '40' },
    plans: { type: 'boolean', default: false },
  },
});
const workspace = await openWorkspace();
try {
  await bench();
} finally {
  await workspace.close();
}

async function bench() {
  const small = await start('small', FIRST_PORT, SMALL);
  const large = await start('large', FIRST_PORT + 1, Number(options.users));
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    for (const one of CASES) for (const site of [small, large]) await ask(site, one);
  }
  const plan = await planner(large);
  const ratios = [];
  say(
    `${'case'.padEnd(54)} rows ${String(small.users).padStart(8)} rows ${String(large.users).padStart(9)}  ratio  by`,
  );
  for (const one of CASES) ratios.push({ name: one.name, ratio: await compare(one, small, large, plan) });
  const worst = ratios.toSorted((a, b) => b.ratio - a.ratio)[0];
  say(
    `median ratio ${median(ratios.map(({ ratio }) => ratio)).toFixed(2)}, largest ${worst.ratio.toFixed(2)} (${worst.name})`,
  );
  await printSizes(large);
  for (const site of [small, large]) await site.close();
}

/** A service on a database of its own, with one organization of that many users. */
async function start(name, port, users) {
  const site = await startSite(workspace, `users_${name}`, port);
  await makeOrg(site.client);
  const perSecond = await fillTo(site.client, users);
  say(`${users} users, ${Math.round(perSecond)} a second into the table with all its indexes`);
  return { ...site, users };
}

/** One request of each in turn, so that whatever else the machine does disturbs both alike. @returns {Promise<number>} the ratio of the medians */
async function compare(one, small, large, plan) {
  const figures = new Map([
    [small, []],
    [large, []],
  ]);
  let rows = [];
  for (let count = 0; count < WARM_UP_REQUESTS + Number(options.requests); count += 1) {
    rows = [];
    for (const [site, times] of figures) {
      const { ms, length } = await ask(site, one);
      if (count >= WARM_UP_REQUESTS) times.push(ms);
      rows.push(length);
    }
  }
  const [before, after] = [median(figures.get(small)), median(figures.get(large))];
  const text = await plan(one.request);
  const indexes =
    [...new Set(text.match(/user_account_\w+_(idx|key)|user_account_pkey/g))].join(', ') || 'reading all of them';
  say(
    `${one.name.padEnd(54)} ${pad(rows[0], 4)} ${pad(before.toFixed(2), 8)} ${pad(rows[1], 4)} ${pad(after.toFixed(2), 9)} ${pad((after / before).toFixed(2), 6)}  ${indexes}`,
  );
  if (options.plans) say(text.replace(/^/gm, '      '));
  return after / before;
}

async function ask(site, { name, request }) {
  const { status, ms, answer } = await search(site, '/management/v1/users/_search', 'bench', request);
  if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(answer)}`);
  return { ms, length: answer.result.length };
}

/** The plan of a request's page, by the very code that makes its statement. */
async function planner({ client }) {
  const built = (path) => import(new URL(`../dist/${path}.js`, import.meta.url).href);
  await import('reflect-metadata');
  const [{ readMessage }, { ListUsersRequest }, { toSearches, toUserColumn }, { toRange }, { pageStatement }] =
    await Promise.all(
      [
        'admin/kit/wire/read-message',
        'admin/user/user-search.dto',
        'admin/user/user.mapping',
        'admin/kit/wire/list.dto',
        'user/user-directory',
      ].map(built),
    );
  return async (request) => {
    const { query, sortingColumn, queries } = readMessage(ListUsersRequest, request);
    const { statement, values } = pageStatement('bench', toSearches(queries), {
      ...toRange(query),
      sortBy: toUserColumn(sortingColumn),
    });
    const { rows } = await client.query({
      text: `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ${statement}`,
      values,
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
}

async function printSizes({ client }) {
  const { rows } = await client.query(
    `SELECT relname AS name, pg_size_pretty(pg_relation_size(oid)) AS size FROM pg_class
     WHERE relname LIKE 'user_account%' AND relkind IN ('r', 'i') ORDER BY pg_relation_size(oid) DESC`,
  );
  for (const { name, size } of rows) say(`  ${name.padEnd(44)} ${size}`);
}

function pad(value, width) {
  return String(value).padStart(width);
}
