import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Machine, until } from './machine.mjs';

const DEPLOY = new URL('../', import.meta.url);
const NAMES = ['one', 'two', 'three'];
/** The network of documentation (RFC 5737), in the place of that of the files. */
const NETWORK = '198.51.100';
const BRIDGE = 'gatehouse-trial';
const FORM_MS = 120_000;
const PATRONI = process.env.PATRONI ?? 'patroni';

/**
 * Three machines with etcd, Patroni and PostgreSQL, each a network namespace of its own that is reached by nobody but this machine, HAProxy
 * and PgBouncer, by the files of deploy as they are but for addresses, folders and passwords.
 */
export class Cluster {
  constructor(machine) {
    this.machine = machine;
    [this.proxyPort, this.poolerPort] = [machine.port(), machine.port()];
    this.nodes = NAMES.map((name, place) => new Node(machine, name, place + 1));
  }

  get urls() {
    const at = (port) => `postgresql://gatehouse:letters@127.0.0.1:${port}/gatehouse`;
    return { DATABASE_URL: at(this.poolerPort), DATABASE_DIRECT_URL: at(this.proxyPort) };
  }

  get said() {
    return this.nodes.map(({ said }) => said).join('\n');
  }

  get superuser() {
    return `postgresql://postgres:change-me-2@127.0.0.1:${this.proxyPort}/postgres`;
  }

  async start() {
    this.machine.endings.push(() => this.end());
    ip('link', 'add', BRIDGE, 'type', 'bridge');
    ip('addr', 'add', `${NETWORK}.254/24`, 'dev', BRIDGE);
    ip('link', 'set', BRIDGE, 'up');
    for (const node of this.nodes) {
      node.connect();
      node.startEtcd();
    }
    for (const node of this.nodes) node.startPatroni();
    await until(
      () => this.isWhole(),
      () => `the cluster:\n${this.said}`,
      FORM_MS,
    );
    this.configure('patroni/haproxy.cfg', 'haproxy.cfg', [['127.0.0.1:5000', `127.0.0.1:${this.proxyPort}`]]);
    this.proxy = this.machine.start('haproxy', ['-db', '-f', join(this.machine.folder, 'haproxy.cfg')]);
    writeFileSync(join(this.machine.folder, 'users'), '"gatehouse" "letters"\n');
    this.configure('pgbouncer/pgbouncer.ini', 'pgbouncer.ini', [
      ['port=5432', `port=${this.proxyPort}`],
      ['listen_port = 6432', `listen_port = ${this.poolerPort}`],
      ['/etc/pgbouncer/userlist.txt', join(this.machine.folder, 'users')],
    ]);
    this.pooler = this.machine.start('pgbouncer', [join(this.machine.folder, 'pgbouncer.ini')]);
    // To HAProxy each server is up until it was asked.
    await until(
      () => this.proxy.text.match(/ is DOWN/g)?.length === this.nodes.length - 1,
      () => `the way to the primary:\n${this.proxy.text}\n${this.pooler.text}`,
    );
  }

  /** A file of deploy as this machine needs it, which is all of the cluster in one place. */
  configure(file, name, changes) {
    writeFileSync(join(this.machine.folder, name), changed(file, changes).replaceAll('10.0.0.', `${NETWORK}.`));
  }

  /** What Patroni says of its members: `role`, `state`, by name. */
  async members() {
    for (const node of this.nodes) {
      const answer = await node.ask('/cluster').catch(() => undefined);
      if (answer?.ok) return Object.fromEntries((await answer.json()).members.map((member) => [member.name, member]));
    }
    return {};
  }

  /** Whether each server is there, and one of the standbys confirms commits. */
  async isWhole() {
    const members = Object.values(await this.members());
    const count = (role) => members.filter((one) => one.role === role && one.state.match(/running|streaming/)).length;
    return count('leader') === 1 && count('sync_standby') === 1 && count('replica') === 1;
  }

  /** The one that has the lock and takes changes. */
  async leader() {
    const roles = await Promise.all(this.nodes.map((node) => node.isPrimary()));
    const found = this.nodes.filter((_, place) => roles[place]);
    return found.length === 1 ? found[0] : undefined;
  }

  async switchOver() {
    const leader = await this.leader();
    const answer = await leader.ask('/switchover', { leader: leader.name });
    if (!answer.ok) throw new Error(`No switchover: ${answer.status} ${await answer.text()}`);
  }

  /** Connections of this machine to the server of a node, whatever program has them. */
  connectionsTo(node) {
    const lines = execFileSync('ss', ['-Htn', 'state', 'established', 'dst', `${node.address}:5432`], {
      encoding: 'utf8',
    });
    return lines.split('\n').filter(Boolean).length;
  }

  end() {
    for (const node of this.nodes) node.end();
    undo('link', 'del', BRIDGE);
  }
}

/** A machine of the cluster. */
class Node {
  programs = {};

  constructor(machine, name, number) {
    this.machine = machine;
    this.name = name;
    this.address = `${NETWORK}.${number}`;
    this.space = `${BRIDGE}-${number}`;
    this.cable = `gh-trial-${number}`;
    this.folder = join(machine.folder, name);
  }

  get said() {
    return Object.entries(this.programs)
      .map(([program, { text }]) => `${this.name} ${program}: ${text.slice(-1_500)}`)
      .join('\n');
  }

  /** A namespace with a cable to the bridge. */
  connect() {
    ip('netns', 'add', this.space);
    ip('link', 'add', this.cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.space);
    ip('link', 'set', this.cable, 'master', BRIDGE, 'up');
    for (const line of [`addr add ${this.address}/24 dev eth0`, 'link set eth0 up', 'link set lo up'])
      ip('-n', this.space, ...line.split(' '));
    mkdirSync(this.folder, { mode: 0o700 });
    chownSync(this.folder, this.machine.account.uid, this.machine.account.gid);
  }

  /** Nothing gets in or out any more, and nobody is told, or again. */
  plug(isIn) {
    ip('link', 'set', this.cable, isIn ? 'up' : 'down');
  }

  startEtcd() {
    const file = this.configure('patroni/etcd.env', 'etcd.env', [
      ['ETCD_NAME=one', `ETCD_NAME=${this.name}`],
      ['/var/lib/etcd/gatehouse', join(this.folder, 'etcd')],
    ]);
    const lines = readFileSync(file, 'utf8').split('\n');
    const env = Object.fromEntries(lines.filter((line) => /^ETCD_/.test(line)).map((line) => line.split(/=(.*)/)));
    this.programs.etcd = this.run(['etcd'], { ...env, ETCD_LOG_LEVEL: 'error' });
  }

  startPatroni() {
    const file = this.configure('patroni/patroni.yml', 'patroni.yml', [
      ['name: one', `name: ${this.name}`],
      ['/var/lib/postgresql/15/gatehouse\n', `${join(this.folder, 'data')}\n`],
      ['/var/lib/postgresql/15/gatehouse.pgpass', join(this.folder, 'pgpass')],
      ['/usr/lib/postgresql/15/bin', Machine.postgres('postgres').replace(/\/postgres$/, '')],
      ['unix_socket_directories: /var/run/postgresql', `unix_socket_directories: ${this.folder}`],
      // A trial leaves the machine below it alone.
      ['mode: automatic', 'mode: "off"'],
    ]);
    this.programs.patroni = this.run([PATRONI, file]);
  }

  configure(file, name, changes) {
    const own = /(listen|connect_address|URLS?)(: |=http:\/\/|=)10\.0\.0\.1:/;
    const to = join(this.folder, name);
    const lines = changed(file, changes)
      .split('\n')
      .map((line) => (own.test(line) ? line.replace('10.0.0.1:', `${this.address}:`) : line));
    writeFileSync(to, lines.join('\n').replaceAll('10.0.0.', `${NETWORK}.`));
    return to;
  }

  /** In the namespace, as the user of PostgreSQL. */
  run(words, env = {}) {
    const { uid, gid } = this.machine.account;
    const as = ['setpriv', '--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
    return this.machine.start('ip', ['netns', 'exec', this.space, ...as, ...words], { asOurselves: true, env });
  }

  async ask(path, body) {
    return fetch(`http://${this.address}:8008${path}`, {
      signal: AbortSignal.timeout(1_000),
      ...(body && {
        method: 'POST',
        signal: AbortSignal.timeout(30_000),
        headers: { Authorization: `Basic ${btoa('patroni:change-me-1')}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  }

  async isPrimary() {
    return (await this.ask('/primary').catch(() => ({ ok: false }))).ok;
  }

  get postmaster() {
    const file = join(this.folder, 'data', 'postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
  }

  killServer() {
    kill(this.postmaster);
  }

  /** As if the power had gone: nothing is closed in order. */
  async killAll() {
    // Nobody is told that the others end either.
    this.plug(false);
    for (const program of ['patroni', 'etcd']) this.programs[program].child.kill('SIGKILL');
    this.killServer();
  }

  /** What starts with the machine. */
  async startAgain() {
    this.plug(true);
    this.startEtcd();
    await sleep(1_000);
    this.startPatroni();
  }

  signalPatroni(signal) {
    this.programs.patroni.child.kill(signal);
  }

  end() {
    const { postmaster } = this;
    for (const program of ['patroni', 'etcd']) this.programs[program]?.child.kill('SIGKILL');
    kill(postmaster);
    // Else it would stay until the last program in the namespace has ended.
    undo('link', 'del', this.cable);
    undo('netns', 'del', this.space);
  }
}

/** @throws Error if the file has no such words any more */
function changed(file, changes) {
  let text = readFileSync(new URL(file, DEPLOY), 'utf8');
  for (const [words, others] of changes) {
    if (!text.includes(words)) throw new Error(`deploy/${file} does not say ${words}`);
    text = text.replaceAll(words, others);
  }
  return text;
}

function kill(pid) {
  try {
    if (pid) process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // a file that nobody has removed
  }
}

function ip(...args) {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** What was not made need not be undone. */
function undo(...args) {
  spawnSync('ip', args);
}
