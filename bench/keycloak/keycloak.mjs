import { randomBytes } from 'node:crypto';
import { startChild } from '../host/child.mjs';
import { ourPool } from '../host/our-pool.mjs';
import { childOf } from '../host/process-cost.mjs';
import { finishMeasured, startMeasured } from '../host/start.mjs';
import { withEndpoints } from '../load/load.mjs';
import { KC } from './distribution.mjs';
import { createRealm, newRealm, targetOf } from './realm.mjs';

/** Each takes about as long as twenty of ours. */
const STARTS = 3;
/** As many connections as 16 virtual clients need, with some for what Keycloak does beside their requests. */
const POOL_SIZE = 32;

/** Of each scenario, in the first round: Java compiles what is hot while it runs. */
const FIRST_WARM_UP_SECONDS = 60;

/** Keycloak in production mode as a contestant: one Java process answers everything. */
export class Keycloak {
  name = 'keycloak';

  static async start(database, port) {
    const origin = `http://127.0.0.1:${port}`;
    const admin = { username: 'admin', password: randomBytes(24).toString('base64url') };
    const env = environment(await database.create('bench_keycloak'), await ourPool(), origin, port, admin);
    const realm = newRealm();
    const first = await launch(env); // creates the tables
    await createRealm(origin, admin, realm);
    await first.stop();
    const { child, figures } = await startMeasured(() => launch(env), STARTS);
    return new Keycloak(child, await withEndpoints(targetOf(origin, realm)), figures);
  }

  constructor(child, target, figures) {
    this.child = child;
    this.target = target;
    this.figures = figures;
  }

  lacks({ keycloak }) {
    return keycloak === undefined;
  }

  scenarioOf({ keycloak }) {
    return keycloak;
  }

  async service() {
    return { target: this.target, pid: this.child.pid, firstWarmUpSeconds: FIRST_WARM_UP_SECONDS };
  }

  /** Stops it. @returns start and memory */
  async finish() {
    return finishMeasured(this.child, this.figures);
  }
}

async function launch(env) {
  const shell = await startChild({
    name: 'Keycloak',
    command: 'sh',
    program: KC,
    args: ['start', '--optimized'],
    env,
    ready: /Listening on:/,
    seconds: 300,
    hasChildren: true,
  });
  // The script waits for the Java process that it has started.
  return { ...shell, pid: childOf(shell.pid) };
}

function environment(databaseUrl, { options }, origin, port, admin) {
  const { hostname, port: databasePort, pathname, username, password } = new URL(databaseUrl);
  return {
    KC_DB_URL: `jdbc:postgresql://${hostname}:${databasePort || 5432}${pathname}?options=${encodeURIComponent(options)}`,
    KC_DB_USERNAME: decodeURIComponent(username),
    KC_DB_PASSWORD: decodeURIComponent(password),
    KC_DB_POOL_MAX_SIZE: String(POOL_SIZE),
    KC_CACHE: 'local',
    KC_HTTP_ENABLED: 'true',
    KC_HTTP_HOST: '127.0.0.1',
    KC_HTTP_PORT: String(port),
    KC_HOSTNAME: origin,
    // The line that says where it listens is one of Quarkus.
    KC_LOG_LEVEL: 'warn,io.quarkus:info',
    KC_BOOTSTRAP_ADMIN_USERNAME: admin.username,
    KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
  };
}
