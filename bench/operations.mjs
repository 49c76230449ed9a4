// Administrative operations on what many people hang on, and sign-ins meanwhile: see README.md.
import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { postgresCpuMs } from './host/process-cost.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { connect, Instance } from './migration/instance.mjs';
import { CASES } from './operations/cases.mjs';
import { fill } from './operations/fill.mjs';
import { SignIns } from './operations/sign-ins.mjs';
import { say } from './report/say.mjs';

/** Of sign-ins, before the first operation: their figures are then those of a service that has nothing else to do. */
const QUIET_MS = 3_000;
/** What was done for the operation before has ended. */
const SETTLING_MS = 200;

checkNodeVersion();
const { values: options } = parseArgs({
  options: { people: { type: 'string', default: '10000,100000' }, only: { type: 'string', default: '' } },
});
const { folder, database, close } = await openWorkspace();
try {
  for (const people of options.people.split(',').map(Number)) await bench(people);
} finally {
  await close();
}

async function bench(people) {
  const url = await database.create('bench_operations');
  const instance = await Instance.start('operations', url, folder, { LOGIN_LIMITS: 'off' });
  const client = await connect(url);
  const token = await instance.token();
  await fill(client, people);
  const signIns = await SignIns.prepare(instance, async (method, path, body) => {
    const { status, answer } = await ask(instance.origin, token, [method, path, body]);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  });
  const quiet = signIns.begin();
  await sleep(QUIET_MS);
  const before = await quiet.stop();
  say(
    `${people.toLocaleString('en')} people and half as many guests; longest of ${before.count} quiet sign-ins ${before.longestMs.toFixed(0)} ms`,
  );
  say('     ms  CPU ms  status  sign-ins  longest ms  operation');
  for (const { name, before: sql, request } of CASES.filter(({ name }) => name.includes(options.only))) {
    if (sql) for (const one of sql.split(';')) await client.query(one);
    const spent = await idleCpu();
    const meanwhile = signIns.begin();
    const started = performance.now();
    const { status, answer } = await ask(instance.origin, token, request);
    const ms = performance.now() - started;
    const { count, longestMs, failures } = await meanwhile.stop();
    const cpu = postgresCpuMs(database.postmaster) - spent;
    const faults = [
      status === 200 ? '' : JSON.stringify(answer).slice(0, 300),
      failures.length === 0 ? '' : `${failures.length} sign-ins failed: ${failures[0]}`,
    ];
    say(
      [
        pad(ms.toFixed(0), 7),
        pad(cpu.toFixed(0), 7),
        pad(status, 7),
        pad(count, 9),
        pad(longestMs.toFixed(0), 11),
        ` ${name}`,
        ...faults,
      ].join(' '),
    );
  }
  await client.end();
  await instance.stop();
  await database.drop('bench_operations');
}

async function ask(origin, token, [method, path, body, headers = {}]) {
  // Not `fetch`, which gives up after five minutes.
  const outgoing = requestHttp(new URL(path, origin), {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
  });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [reply] = await once(outgoing, 'response');
  return { status: reply.statusCode, answer: await json(reply) };
}

/** What PostgreSQL has spent so far. Of an operation the sign-ins beside it are a part, with some milliseconds each. */
async function idleCpu() {
  await sleep(SETTLING_MS);
  return postgresCpuMs(database.postmaster);
}

function pad(value, width) {
  return String(value).padStart(width);
}
