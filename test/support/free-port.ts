import { PortRange } from '../../src/extension/testing/free-port.js';

/** Each worker of the tests has its own. */
const range = new PortRange(Number(process.env['JEST_WORKER_ID'] ?? 0));

export async function freePort(): Promise<number> {
  return range.free();
}
