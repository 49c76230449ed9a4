import type { Gatehouse, GatehouseOptions } from './gatehouse-options.js';
import { runProcess } from './run-process.js';

const load = () => import('./service.js');

/**
 * Runs Gatehouse with extensions until a signal ends the process: the whole of a team's `main.ts`. What an operator can
 * correct is reported in sentences, and the process ends with 1.
 * @public
 */
export async function runGatehouse(options: GatehouseOptions = {}): Promise<never> {
  return runProcess(load, options);
}

/**
 * Gatehouse with extensions, ready to start, for tests and for programs that need its Nest application. It takes no
 * signals, prints nothing and never ends the process.
 * @throws ConfigError with everything that is wrong with settings and extensions
 * @public
 */
export async function createGatehouse(options: GatehouseOptions = {}): Promise<Gatehouse> {
  const { createService } = await load();
  return createService(options);
}
