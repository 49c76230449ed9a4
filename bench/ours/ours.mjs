import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from '../host/child.mjs';
import { finishMeasured, startMeasured } from '../host/start.mjs';
import { withEndpoints } from '../load/load.mjs';
import { describeProfile } from '../report/profile.mjs';
import { PLAIN } from './forms.mjs';

const WITHOUT_WORK_FACTOR = new URL('./without-work-factor.mjs', import.meta.url).href;
const SEEDED = /^Seeded /;
const MASTER_KEY = 'the master key of a benchmark';

/** As `npm start` and the image start it. */
const START_ARGS = ['--max-semi-space-size=4'];

/** The load generator is the proxy, which has asked for a certificate. */
const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1', CLIENT_CERT_HEADER: 'X-Client-Cert' };

/** How our processes differ: one is measured for everything, the others are for a single case each. `watched` says how late its event loop is. */
const VARIANTS = {
  ours: { database: 'bench_ours', algorithm: 'RS256', nodeArgs: [] },
  withoutWorkFactor: { database: 'bench_ours', algorithm: 'RS256', nodeArgs: ['--import', WITHOUT_WORK_FACTOR] },
  es256: { database: 'bench_ours_es256', algorithm: 'ES256', nodeArgs: [] },
  // It also believes the load generator whose requests it sends on: one process compares one address with many.
  watched: {
    database: 'bench_ours',
    algorithm: 'RS256',
    nodeArgs: [],
    env: { TRUSTED_PROXIES: '127.0.0.1' },
    isWatched: true,
  },
  behindProxy: { database: 'bench_ours', algorithm: 'RS256', nodeArgs: [], env: BEHIND_PROXY },
  // One network may ask for 30 codes a minute, and one browser may type ten; production refuses to do without these limits.
  withoutLimits: {
    database: 'bench_ours',
    algorithm: 'RS256',
    nodeArgs: [],
    env: { LOGIN_LIMITS: 'off', NODE_ENV: 'test' },
  },
  // An address has no passkeys.
  withName: { database: 'bench_ours', algorithm: 'RS256', nodeArgs: [], host: 'localhost' },
};

/** Our service as a contestant. */
export class Ours {
  /** @type {Map<string, { child: Child, target: object }>} */
  services = new Map();

  /** @param {import('./forms.mjs').Form} form each form has databases of its own */
  static async start(database, port, folder, { profile }, form = PLAIN) {
    const ours = new Ours(database, port, join(folder, form.name), form);
    mkdirSync(ours.folder);
    ours.profile = profile;
    if (form.isTraced) await ours.startCollector();
    const credentials = await ours.prepare('ours');
    const { child, figures } = await startMeasured(() => ours.launch('ours'));
    ours.services.set('ours', { child, target: await ours.targetOf('ours', credentials) });
    ours.figures = figures;
    return ours;
  }

  constructor(database, port, folder, form) {
    this.name = form.name;
    this.form = form;
    this.database = database;
    this.port = port;
    this.folder = folder;
    /** What was seeded, by database. */
    this.seeded = new Map();
  }

  lacks() {
    return false;
  }

  scenarioOf({ name, scenario = name }) {
    return scenario;
  }

  /** @param {'ours' | 'withoutWorkFactor' | 'es256' | 'watched' | 'behindProxy' | 'withoutLimits' | 'withName'} variant started when it is first asked for */
  async service(variant) {
    let service = this.services.get(variant);
    if (!service) {
      const credentials = await this.prepare(variant);
      const child = await this.launch(variant);
      service = { child, target: await this.targetOf(variant, credentials) };
      this.services.set(variant, service);
    }
    return {
      target: service.target,
      pid: service.child.pid,
      metrics: this.metricsOf(variant),
    };
  }

  /** Stops all of it. @returns start and memory */
  async finish() {
    const { child } = this.services.get('ours');
    const figures = await finishMeasured(child, this.figures);
    for (const { child: other } of this.services.values()) await other.stop();
    await this.collector?.stop();
    if (this.profile) figures.profile = await this.describeProfiles();
    return figures;
  }

  /** Of each process by itself: they differ in what they were asked. */
  async describeProfiles() {
    const described = [];
    for (const variant of this.services.keys())
      described.push(`${variant}: ${await describeProfile(this.profileFolderOf(variant))}`);
    return described.join('\n');
  }

  profileFolderOf(variant) {
    return join(this.folder, `profile-${variant}`);
  }

  /** A variant's database with its first start and test data, made once. @returns what the load generator must know */
  async prepare(variant) {
    const { database: name, algorithm } = VARIANTS[variant];
    if (!this.seeded.has(name)) {
      const own = this.form === PLAIN ? name : `${name}_${this.form.name}`;
      this.seeded.set(name, { url: await this.database.create(own) });
      this.seeded.get(name).credentials = await seed(this.form, algorithm, this.environment(variant));
    }
    return this.seeded.get(name).credentials;
  }

  launch(variant) {
    const profiling = this.profile ? ['--cpu-prof', `--cpu-prof-dir=${this.profileFolderOf(variant)}`] : [];
    return startChild({
      name: `our service (${this.name}, ${variant})`,
      program: this.form.program,
      args: this.form.args,
      nodeArgs: [...START_ARGS, ...profiling, ...VARIANTS[variant].nodeArgs],
      env: this.environment(variant),
      ready: /Ready in/,
    });
  }

  environment(variant) {
    const port = this.portOf(variant);
    return {
      ...process.env,
      NODE_ENV: 'production',
      MALLOC_ARENA_MAX: '1', // as `npm start` and the image set it
      DRAIN_SECONDS: '0',
      FIRST_TOKEN_PATH: join(this.folder, 'admin.pat'),
      ADMIN_RATE: '1000000',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: this.originOf(variant),
      DEMO_PORT: 'off',
      DATABASE_URL: this.seeded.get(VARIANTS[variant].database).url,
      DATA_DIR: join(this.folder, VARIANTS[variant].database),
      MASTER_KEY,
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
      ...VARIANTS[variant].env,
      ...(this.form.isTraced ? { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.collectorPort}` } : {}),
      ...(VARIANTS[variant].isWatched ? { METRICS_PORT: String(this.metricsPortOf(variant)) } : {}),
    };
  }

  /** What takes everything and keeps nothing. */
  async startCollector() {
    this.collector = await startChild({
      name: 'a collector',
      program: join(import.meta.dirname, 'collector.mjs'),
      env: { PORT: String(this.collectorPort) },
      ready: /Ready/,
    });
  }

  get collectorPort() {
    return this.port + 2 * Object.keys(VARIANTS).length;
  }

  async targetOf(variant, credentials) {
    const origin = this.originOf(variant);
    return withEndpoints({ name: 'ours', origin, issuer: origin, ...credentials });
  }

  originOf(variant) {
    return `http://${VARIANTS[variant].host ?? '127.0.0.1'}:${this.portOf(variant)}`;
  }

  /** Where it tells of itself, for those that do. */
  metricsOf(variant) {
    return VARIANTS[variant].isWatched ? `http://127.0.0.1:${this.metricsPortOf(variant)}/metrics` : undefined;
  }

  metricsPortOf(variant) {
    return this.portOf(variant) + Object.keys(VARIANTS).length;
  }

  portOf(variant) {
    return this.port + Object.keys(VARIANTS).indexOf(variant);
  }
}

async function seed({ root }, algorithm, env) {
  const child = await startChild({
    name: 'making the test data',
    program: join(root, 'bench/seed/ours.mjs'),
    args: [algorithm],
    env,
    ready: SEEDED,
  });
  await child.stop();
  return JSON.parse(child.lastLines.find((line) => SEEDED.test(line)).replace(SEEDED, ''));
}
