// Sign-ins of some while the costly hashes of others are attacked, beside quiet times: see README.md.
import { parseArgs } from 'node:util';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { say } from './report/say.mjs';
import { HASHES } from './sign-in/hashes.mjs';
import { orgOf, startSite } from './sign-in/site.mjs';
import { Visitor } from './sign-in/visitor.mjs';

const PORT = Number(process.env.BENCH_PORT ?? 4300) + 40;
const PASSWORD = 'Benchmark-password-1';
const NAMES = 10;
const TRIES_AT_ONCE = 10;

checkNodeVersion();
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    hash: { type: 'string', default: 'bcrypt-12' },
    seconds: { type: 'string', default: '12' },
  },
});
const { folder, database, close } = await openWorkspace();
try {
  await bench();
} finally {
  await close();
}

async function bench() {
  const site = await startSite({ database, folder, port: PORT, limits: 'on' });
  const rounds = Number(options.rounds);
  const hashes = { ordinary: await HASHES.argon2id(PASSWORD), costly: await HASHES[options.hash](PASSWORD) };
  const people = Object.entries(hashes).flatMap(([kind, hash]) =>
    Array.from({ length: rounds * NAMES }, (_, n) => ({ userName: `${kind}${n}`, hash })),
  );
  await site.bring([
    orgOf('home', [{ userName: 'alice', hash: hashes.ordinary }], { hasClient: true }),
    orgOf('tenant', people),
  ]);
  const alice = new Visitor(site.origin, site.clientId, '192.0.2.1');
  for (let n = 0; n < 20; n += 1) await alice.signIn('alice@home.test', PASSWORD);
  const times = { quiet: [], ordinary: [], costly: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.quiet.push(...(await signInsFor(alice, Number(options.seconds) * 1000)));
    // In turn, since other work on the machine changes.
    for (const kind of round % 2 === 0 ? ['ordinary', 'costly'] : ['costly', 'ordinary'])
      times[kind].push(...(await attack(site, alice, kind, round)));
  }
  const figures = Object.fromEntries(Object.entries(times).map(([kind, all]) => [kind, tell(kind, all)]));
  for (const name of ['p50', 'p95', 'p99']) {
    const ratio = (kind, base) => (figures[kind][name] / figures[base][name]).toFixed(2);
    say(
      `${name} of the password form: ordinary hashes attacked ${ratio('ordinary', 'quiet')} x quiet, costly ones ${ratio('costly', 'quiet')} x quiet and ${ratio('costly', 'ordinary')} x ordinary`,
    );
  }
  alice.close();
}

/** Ten wrong passwords at once for each of ten names, again and again until the limits end it, or the time. */
async function attack(site, alice, kind, round) {
  const until = performance.now() + Number(options.seconds) * 1000;
  const outcomes = new Map();
  const attackers = Array.from({ length: NAMES * TRIES_AT_ONCE }, async (_, n) => {
    const name = n % NAMES;
    const attacker = new Visitor(
      site.origin,
      site.clientId,
      `198.51.${kind === 'costly' ? 100 : 101}.${round * NAMES + name}`,
    );
    const page = await attacker.openPassword(`${kind}${round * NAMES + name}@tenant.test`);
    await begun;
    while (performance.now() < until) {
      const { status, ms } = await attacker.enter(page, 'wrong');
      const outcome = outcomes.get(status) ?? [];
      outcomes.set(status, outcome);
      outcome.push(ms);
      if (status === 429) break;
    }
    attacker.close();
  });
  let begin;
  const begun = new Promise((resolve) => {
    begin = resolve;
  });
  await new Promise((resolve) => setTimeout(resolve, 2_000)); // until the pages are there
  begin();
  const times = await signInsFor(alice, Number(options.seconds) * 1000);
  await Promise.all(attackers);
  const told = [...outcomes].map(
    ([status, all]) => `${all.length} x ${status} (at most ${(Math.max(...all) / 1000).toFixed(1)} s)`,
  );
  say(`round ${round + 1}, ${kind} hashes: attackers were answered ${told.join(', ')}`);
  return times;
}

async function signInsFor(visitor, ms) {
  const until = performance.now() + ms;
  const times = [];
  while (performance.now() < until) times.push(await visitor.signIn('alice@home.test', PASSWORD));
  return times;
}

function tell(name, times) {
  const figures = {};
  for (const kind of ['passwordMs', 'wholeMs']) {
    const sorted = times.map((time) => time[kind]).sort((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    const [p50, p95, p99] = [at(0.5), at(0.95), at(0.99)];
    say(
      `${name.padEnd(9)} ${kind === 'passwordMs' ? 'password form' : 'whole sign-in'} ${String(sorted.length).padStart(5)} times  p50 ${p50.toFixed(0)} ms  p95 ${p95.toFixed(0)} ms  p99 ${p99.toFixed(0)} ms`,
    );
    if (kind === 'passwordMs') Object.assign(figures, { p50, p95, p99 });
  }
  return figures;
}
