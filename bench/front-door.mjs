/*
 * What the confinement of work costs (docs/adr/0028): CPU time of a server per request, bare and behind the front door, in turns.
 * node bench/front-door.mjs [rounds] [requests]     after npm run build
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { guard } from '../dist/foundation/http/front-door.js';

const CONNECTIONS = 4;
/** As many waits as a request of the service has that asks the database once or twice. */
const WAITS = 40;
const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const KINDS = ['bare', 'guarded', 'bare, waiting', 'guarded, waiting'];

if (process.argv[2] === 'serve') await serve(process.argv[3]);
else await compare(Number(process.argv[2] ?? 9), Number(process.argv[3] ?? 20_000));

async function serve(kind) {
  const server = createServer(async (request, response) => {
    if (kind.endsWith('waiting')) for (let wait = 0; wait < WAITS; wait += 1) await undefined;
    response.end('ok');
  });
  if (kind.startsWith('guarded')) guard(server, { warn() {}, error() {} });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.on('message', () => process.send(process.cpuUsage()));
  process.on('disconnect', () => process.exit());
  process.send({ port: server.address().port });
}

async function compare(rounds, requests) {
  const servers = new Map();
  for (const kind of KINDS) {
    const child = fork(fileURLToPath(import.meta.url), ['serve', kind]);
    const [{ port }] = await once(child, 'message');
    servers.set(kind, { child, port, costs: [] });
    await load(port, requests); // until it is compiled
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const server of round % 2 === 0 ? servers.values() : [...servers.values()].reverse()) {
      const before = await usage(server.child);
      await load(server.port, requests);
      server.costs.push(((await usage(server.child)) - before) / requests);
    }
  }
  for (const [kind, { child, costs }] of servers) {
    const sorted = [...costs].sort((one, other) => one - other);
    console.log(
      `${kind}: median ${sorted[sorted.length >> 1].toFixed(2)} µs, ${sorted[0].toFixed(2)} to ${sorted.at(-1).toFixed(2)}`,
    );
    child.disconnect();
  }
  for (const [bare, guarded] of [KINDS.slice(0, 2), KINDS.slice(2)]) {
    const more = servers
      .get(guarded)
      .costs.map((cost, round) => cost - servers.get(bare).costs[round])
      .sort((one, other) => one - other);
    console.log(
      `${guarded}: ${more[more.length >> 1].toFixed(2)} µs more in the median of ${rounds} rounds, ${more[0].toFixed(2)} to ${more.at(-1).toFixed(2)}`,
    );
  }
}

async function usage(child) {
  child.send('usage');
  const [{ user, system }] = await once(child, 'message');
  return user + system;
}

async function load(port, requests) {
  let left = requests;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay();
      const next = () => {
        if (left-- > 0) socket.write(REQUEST);
        else socket.end();
      };
      socket.on('connect', next).on('data', (bytes) => {
        if (bytes.includes('ok')) next();
      });
      await once(socket, 'close');
    }),
  );
}
