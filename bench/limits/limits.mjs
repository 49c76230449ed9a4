import { startChild } from '../host/child.mjs';

const MACHINE = new URL('./machine.mjs', import.meta.url).pathname;
const BARE_ROUTE = new URL('./bare-route.mjs', import.meta.url).pathname;

/** What each limit is, for the reader. */
export const LIMITS = {
  bare: 'answers of a bare Nest + Express route',
  rs256: 'RS256 signatures on one core',
  es256: 'ES256 signatures on one core',
  argon2id: 'argon2id hashes (19 MiB, t=2), two at a time',
  selects: 'indexed selects through pg, 16 clients',
  commits: 'one-row updates, each committed, through pg, 16 clients',
};

export const MACHINE_LIMITS = ['rs256', 'es256', 'argon2id', 'selects', 'commits'];

/** One measurement of one of the machine's limits: how many a second. */
export async function measureLimit(kind, seconds, databaseUrl) {
  const child = await startChild({
    name: `limit ${kind}`,
    program: MACHINE,
    args: [kind, String(seconds), databaseUrl],
    ready: /^Done /,
  });
  await child.stop();
  const done = child.lastLines.find((line) => line.startsWith('Done '));
  return Number(done.slice('Done '.length));
}

/** The bare route as a target of the load generator. */
export async function startBareRoute(port) {
  const child = await startChild({
    name: 'the bare route',
    program: BARE_ROUTE,
    args: [String(port)],
    env: { NODE_ENV: 'production' },
    ready: /^Ready/,
  });
  return { child, target: { name: 'bare', origin: `http://127.0.0.1:${port}`, path: '/fixed' } };
}

/** Which of its limits a case meets first, and how many operations a second that allows. */
export function limitOf(takes, limits) {
  let scarcest;
  for (const [name, share] of Object.entries(takes)) {
    const perSecond = limits[name] / share;
    if (!scarcest || perSecond < scarcest.perSecond) scarcest = { name, perSecond };
  }
  return scarcest;
}
