import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerDatabase } from './database.js';
import { newFastFolder } from './fast-folder.js';
import { freePort } from './free-port.js';

const MAIN = new URL('../../dist/main.js', import.meta.url);
/** Against what hangs, not against what is slow. */
export const START_LIMIT_MS = 60_000;
const LINE_LIMIT_MS = 10_000;

const TAKES_SIGNALS = 'takes signals';
/** Node itself catches signals before the program does, which cannot be observed from outside of the process. */
const TELL_OF_SIGNALS = `data:text/javascript,const look = setInterval(() => {
  if (process.listenerCount('SIGTERM') === 0) return;
  clearInterval(look);
  process.stdout.write('${TAKES_SIGNALS}\\n');
}, 1).unref();`;

/** The built service in a process of its own: for what happens to processes. */
export class ServiceProcess {
  readonly exit: Promise<{ code: number | null; signal: string | null }>;

  constructor(
    readonly origin: string,
    readonly databaseUrl: string,
    readonly dataDir: string,
    private readonly child: ChildProcess,
    private readonly output: string[],
    private readonly cleanUp: () => Promise<void>,
  ) {
    this.exit = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  }

  /** Everything that it wrote so far. */
  text(): string {
    return this.output.join('');
  }

  /** The first line that contains the text, as soon as it is written. @throws Error when there is none by the limit */
  async line(text: string, limitMs = LINE_LIMIT_MS): Promise<string> {
    for (const deadline = Date.now() + limitMs; Date.now() < deadline; await sleep(5)) {
      const end = this.text().lastIndexOf('\n');
      const line = this.text()
        .slice(0, end + 1)
        .split('\n')
        .find((candidate) => candidate.includes(text));
      if (line !== undefined) return line;
    }
    throw new Error(`The service did not write "${text}".`);
  }

  /** The most memory that it has had so far, in megabytes. */
  peakMegabytes(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
  }

  /** A variable of the environment that it began with. */
  variable(name: string): string | undefined {
    const lines = readFileSync(`/proc/${this.child.pid}/environ`, 'utf8').split('\0');
    return lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Ends it as a power failure does; what it worked on remains. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }

  /** Ends it, if it has not ended. */
  async close(): Promise<void> {
    await this.kill();
    await this.cleanUp();
  }
}

/**
 * Starts the service on a port of its own, and a database of its own unless `DATABASE_URL` is given; end it with
 * `close()`.
 * @param program what runs, with its arguments; by default the service as it ships
 * @param cwd the folder in which it runs; by default that of the tests
 */
export async function startProcess(
  env: Readonly<Record<string, string>> = {},
  program = MAIN,
  args: readonly string[] = [],
  cwd?: string,
): Promise<ServiceProcess> {
  const service = await beginProcess(env, program, args, cwd);
  await untilReady(service);
  return service;
}

/** The same, but does not wait: answers as soon as the process takes signals. */
export async function beginProcess(
  env: Readonly<Record<string, string>> = {},
  program = MAIN,
  args: readonly string[] = [],
  cwd?: string,
): Promise<ServiceProcess> {
  const given = env['DATABASE_URL'];
  const database = given === undefined ? await workerDatabase() : { url: given, release: () => Promise.resolve() };
  const dataDir = newFastFolder();
  const port = env['PORT'] ?? (await freePort());
  const child = spawn(process.execPath, ['--import', TELL_OF_SIGNALS, program.pathname, ...args], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      DEMO_PORT: 'off',
      LOG_FORMAT: 'json',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const service = new ServiceProcess(`http://127.0.0.1:${port}`, database.url, dataDir, child, output, async () => {
    rmSync(dataDir, { recursive: true, force: true });
    await database.release();
  });
  while (!service.text().includes(TAKES_SIGNALS) && !service.hasEnded) await sleep(5);
  return service;
}

async function untilReady(service: ServiceProcess): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (!service.text().includes('Ready in')) {
    if (service.hasEnded || Date.now() > deadline) {
      await service.close();
      throw new Error(`The service did not start:\n${service.text()}`);
    }
    await sleep(20);
  }
}
