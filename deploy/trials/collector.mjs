/* The receiver of the OpenTelemetry Collector, unchanged, and what it gets of sign-ins and calls: see README.md. */
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial, until } from './machine.mjs';
import { Stage } from './races/stage.mjs';

const VERSION = process.env.COLLECTOR_VERSION ?? 'v0.165.0';
const MODULE = 'go.opentelemetry.io/collector';
const BUILD_LIMIT_MS = 600_000;
const ROUNDS = Number(process.env.ROUNDS ?? 20);

await trial(async (machine) => {
  const [serverPort, port, collectorPort] = [machine.port(), machine.port(), machine.port()];
  const collector = startCollector(machine, collectorPort);
  await until(
    () => collector.text.includes('"ready"') || collector.child.exitCode !== null,
    () => 'the collector',
  );
  if (collector.child.exitCode !== null) throw new Error(collector.text);
  const server = await machine.startPostgres('server', serverPort);
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  const service = await machine.startService(port, {
    DATABASE_URL: server.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    LOG_LEVEL: 'info',
    WORKERS: '2',
  });
  const stage = await Stage.open(service, service, server.url);
  const { clientId, clientSecret } = await stage.addWeb({
    authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC',
    grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
  });
  const tokens = [];
  for (let round = 0; round < ROUNDS; round += 1)
    tokens.push(await stage.tokens(await stage.visitor(round % 2), clientId, clientSecret));
  await sleep(2_500);
  service.child.kill('SIGTERM');
  await once(service.child, 'exit');

  const got = collector.text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const spans = got.filter(({ span }) => span !== undefined);
  const requests = spans.filter(({ kind }) => kind === 'Server');
  const exchanges = requests.filter(({ span }) => span === 'POST /oauth/v2/token');
  promise(exchanges.length >= ROUNDS, `each of ${ROUNDS} exchanges is a span: ${exchanges.length} of ${spans.length}`);
  const parts = spans.filter(({ parent }) => parent === exchanges[0]?.id);
  promise(parts.length > 0, `with its statements: ${parts.map(({ span }) => span).join(', ')}`);
  const orphans = spans.filter(
    ({ trace, parent }) => parent !== '' && !spans.some((one) => one.trace === trace && one.id === parent),
  );
  promise(orphans.length === 0, `no span has lost the one that it is a part of: ${orphans.length}`);
  const instances = new Set(spans.map(({ resource }) => resource['service.instance.id']));
  promise(instances.size === 2, `two processes are two instances: ${instances.size}`);
  const metrics = new Set(got.flatMap(({ metric }) => metric ?? []));
  const wanted = [
    'http_request_duration_seconds',
    'gatehouse_sign_ins_total',
    'gatehouse_workers',
    'process_cpu_seconds_total',
  ];
  promise(
    wanted.every((name) => metrics.has(name)),
    `the figures of Prometheus arrive: ${metrics.size} of them`,
  );
  const secrets = [
    clientSecret,
    service.token,
    ...tokens.flatMap((of) => [of.access_token, of.refresh_token, of.id_token]),
  ];
  const told = secrets.filter((secret) => secret !== undefined && collector.text.includes(secret));
  promise(told.length === 0, `of ${secrets.length} secrets none arrives`);
  const names = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)));
  promise(
    spans.every(({ events }) => events === 0),
    `the attributes are ${[...names].sort().join(', ')}`,
  );
});

/** Built in the folder of the trial. */
function startCollector(machine, port) {
  const folder = join(machine.folder, 'go');
  mkdirSync(folder);
  const ours = { uid: process.getuid?.(), gid: process.getgid?.() };
  const go = (...args) => machine.run('go', args, { ...ours, cwd: folder, timeout: BUILD_LIMIT_MS });
  copyFileSync(new URL('./collector/main.go', import.meta.url).pathname, join(folder, 'main.go'));
  go('mod', 'init', 'trial');
  go('get', `${MODULE}/receiver/otlpreceiver@${VERSION}`, `${MODULE}/receiver/receivertest@${VERSION}`);
  go('mod', 'tidy');
  go('build', '-o', 'collector', '.');
  return machine.start(join(folder, 'collector'), [], { env: { LISTEN: `127.0.0.1:${port}` }, asOurselves: true });
}
