/* What may happen once happens once, though two processes are asked twenty times at the same moment, round after round. See README.md. */
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial } from './machine.mjs';
import { RACES } from './races/cases.mjs';
import { DocumentHost } from './races/documents.mjs';
import { Stage } from './races/stage.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 200);
/** Words of the races to be run; all, if there are none. */
const ONLY = process.env.ONLY ?? '';

await trial(async (machine) => {
  const [serverPort, firstPort, secondPort] = [machine.port(), machine.port(), machine.port()];
  const server = await machine.startPostgres('races', serverPort);
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  const documents = await DocumentHost.open(machine);
  const settings = {
    ...documents.settings,
    CLIENT_CERT_HEADER: 'X-Client-Cert',
    DEVICE_INTERVAL: '1',
    DATABASE_URL: server.url,
    PUBLIC_URL: `http://127.0.0.1:${firstPort}`,
    REGISTRATION: 'token',
    DPOP_REPLAY: 'shared',
    OUTBOUND_ALLOW: '127.0.0.1,::1',
  };
  const first = await machine.startService(firstPort, settings);
  const second = await machine.startService(secondPort, settings);
  const stage = await Stage.open(first, second, server.url, documents);
  for (const [name, prepare] of Object.entries(RACES)) {
    if (!name.includes(ONLY)) continue;
    const round = await prepare(stage);
    const broken = [];
    const startedMs = performance.now();
    for (let count = 0; count < ROUNDS; count += 1) {
      const flaw = await round(count);
      if (flaw !== undefined) broken.push(flaw);
    }
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    promise(
      broken.length === 0,
      `${name}: ${ROUNDS} rounds in ${seconds} s${broken.length ? `; ${broken.length} broken, as ${broken[0]}` : ''}`,
    );
  }
  const [{ deadlocks }] = await inDatabase(
    server.url,
    "SELECT deadlocks::int FROM pg_stat_database WHERE datname = 'gatehouse'",
  );
  promise(deadlocks === 0, `no deadlock in the database (${deadlocks})`);
  for (const service of [first, second]) promise(!/"level":"error"|ERROR/.test(service.text), 'no error in the log');
});
