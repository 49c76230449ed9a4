// How long refusals of known and of unknown names take: see README.md.
import { parseArgs } from 'node:util';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { say } from './report/say.mjs';
import { HASHES } from './sign-in/hashes.mjs';
import { rankTest } from './sign-in/rank-test.mjs';
import { orgOf, startSite } from './sign-in/site.mjs';
import { Visitor } from './sign-in/visitor.mjs';

const PORT = Number(process.env.BENCH_PORT ?? 4300) + 41;
const PASSWORD = 'Benchmark-password-1';
const COUNTED_AFTER_MS = 5_000;
const FORMS = ['argon2id', 'pbkdf2', 'bcrypt-10', 'bcrypt-12', 'md5-crypt'];

checkNodeVersion();
const { values: options } = parseArgs({
  options: { names: { type: 'string', default: '20' }, tries: { type: 'string', default: '3' } },
});
const NAMES = Number(options.names);
const { folder, database, close } = await openWorkspace();
try {
  await bench();
} finally {
  await close();
}

async function bench() {
  const site = await startSite({ database, folder, port: PORT, limits: 'off' });
  const hashes = {};
  for (const form of FORMS) hashes[form] = await HASHES[form](PASSWORD);
  const peopleOf = (orgId, forms) =>
    forms.flatMap((form) =>
      Array.from({ length: NAMES }, (_, n) => ({ userName: `${orgId}-${form}-${n}`, hash: hashes[form] })),
    );
  const orgs = { mixed: FORMS, moved: ['bcrypt-12'] };
  await site.bring(
    Object.entries(orgs).map(([orgId, forms], n) => orgOf(orgId, peopleOf(orgId, forms), { hasClient: n === 0 })),
  );
  await new Promise((resolve) => setTimeout(resolve, COUNTED_AFTER_MS));
  const visitor = new Visitor(site.origin, site.clientId, '192.0.2.1');
  for (const [orgId, forms] of Object.entries(orgs)) await compare(visitor, orgId, forms);
  visitor.close();
}

/** As many unknown names as users, in turn with them, since other work on the machine changes. */
async function compare(visitor, orgId, forms) {
  const people = forms.flatMap((form) =>
    Array.from({ length: NAMES }, (_, n) => ({ form, name: `${orgId}-${form}-${n}` })),
  );
  const names = people.flatMap((person, n) => [person, { form: 'unknown', name: `${orgId}-unknown-${n}` }]);
  const times = new Map(['unknown', ...forms].map((form) => [form, []]));
  for (const { form, name } of names) times.get(form).push(await refusalMs(visitor, `${name}@${orgId}.test`));
  say(
    `\n${orgId}: ${NAMES} people each of ${forms.join(', ')}; milliseconds of a refusal, the median of ${options.tries} tries for each name`,
  );
  for (const [form, all] of times)
    say(`${form.padEnd(10)} ${String(all.length).padStart(4)} names  ${distribution(all)}`);
  const known = [...times].filter(([form]) => form !== 'unknown').flatMap(([, all]) => all);
  say(`${'known'.padEnd(10)} ${String(known.length).padStart(4)} names  ${distribution(known)}`);
  const { share, p } = rankTest(known, times.get('unknown'));
  say(
    `a known name takes longer than an unknown one in ${(share * 100).toFixed(1)} % of all pairs (50 % tells nothing); Mann-Whitney p = ${p.toFixed(3)}`,
  );
}

async function refusalMs(visitor, loginName) {
  const all = [];
  for (let n = 0; n < Number(options.tries); n += 1) {
    const { status, ms } = await visitor.enter(await visitor.openPassword(loginName), 'wrong');
    if (status !== 400) throw new Error(`${loginName}: ${status}`);
    all.push(ms);
  }
  return all.sort((a, b) => a - b)[Math.floor(all.length / 2)];
}

function distribution(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(0).padStart(4);
  return `min ${at(0)}  p10 ${at(0.1)}  p25 ${at(0.25)}  p50 ${at(0.5)}  p75 ${at(0.75)}  p90 ${at(0.9)}  max ${at(1)}`;
}
