import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { PortRange } from '../testing/free-port.js';
import { inputMistake } from './input-mistake.js';

const TRIES = 20;

/** A port that nobody else gets until the service listens on it: its address must be known long before. */
export class HeldPort {
  private constructor(
    readonly port: number,
    private readonly server: Server,
  ) {}

  /** @param wanted by default any. @throws InputMistake if it is taken */
  static async take(wanted: number | undefined): Promise<HeldPort> {
    const range = new PortRange(process.pid);
    for (let tries = 0; ; tries += 1) {
      const port = wanted ?? (await range.free());
      try {
        const server = createServer().listen(port, '127.0.0.1');
        await once(server, 'listening');
        return new HeldPort(port, server);
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (wanted !== undefined) throw inputMistake(`The port ${wanted} cannot be used (${code}): give another one.`);
        if (tries > TRIES) throw error;
      }
    }
  }

  async release(): Promise<void> {
    if (this.server.listening) await once(this.server.close(), 'close');
  }
}
