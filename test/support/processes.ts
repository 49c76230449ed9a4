import { beginProcess, type ServiceProcess, startProcess } from './service-process.js';
import type { World } from './world.js';

type Settings = Readonly<Record<string, string>>;
/** What runs, if it is not the service as it ships, and in which folder. */
type Program = [program?: URL, args?: readonly string[], cwd?: string];

/** Of a process beside this world: on its database, at its address, with its keys. */
export function settingsBeside(world: World): Settings {
  return {
    DATABASE_URL: world.database.url,
    PUBLIC_URL: world.issuer,
    MASTER_KEY: world.config.secrets.masterKey!.reveal(),
  };
}

/**
 * The processes of a test; `end` them after it, or declare them with `await using`: of tests that run beside one
 * another no hook is told.
 */
export class Processes {
  private readonly running: ServiceProcess[] = [];

  /** `settings`: those that all of them have. */
  constructor(private readonly settings: () => Settings = () => ({})) {}

  /** One that is ready. */
  async start(env: Settings = {}, ...program: Program): Promise<ServiceProcess> {
    return this.remember(await startProcess({ ...this.settings(), ...env }, ...program));
  }

  /**
   * One that is ready: one of those that still run, for tests that do not care what it has done before, or a new one.
   */
  async any(): Promise<ServiceProcess> {
    return this.running.find(({ hasEnded }) => !hasEnded) ?? this.start();
  }

  /** One that takes signals, and need not be ready. */
  async begin(env: Settings = {}, ...program: Program): Promise<ServiceProcess> {
    return this.remember(await beginProcess({ ...this.settings(), ...env }, ...program));
  }

  async end(): Promise<void> {
    while (this.running.length > 0) await this.running.pop()!.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  private remember(service: ServiceProcess): ServiceProcess {
    this.running.push(service);
    return service;
  }
}
