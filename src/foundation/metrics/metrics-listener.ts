import { createServer, type Server } from 'node:http';
import { DomainError } from '../error/domain-error.js';
import { guard } from '../http/front-door.js';
import { listen } from '../http/listener.js';
import type { Logger } from '../log/logger.js';

/** The text format of Prometheus, which every version of it reads. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A port of its own, which is not for the public. */
export class MetricsListener {
  private constructor(private readonly server: Server) {}

  /** @throws DomainError FailedPrecondition `metrics.port_unusable` */
  static async open(port: number, host: string, log: Logger, read: () => Promise<string>): Promise<MetricsListener> {
    const server = serve(read);
    guard(server, log);
    await listen(server, port, host).catch((error: Error) => {
      throw new DomainError(
        'FailedPrecondition',
        'metrics.port_unusable',
        `METRICS_PORT ${port} cannot be used (${error.message}). Give another port, or stop the program that uses it.`,
        { cause: error },
      );
    });
    return new MetricsListener(server);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => void this.server.close(() => resolve()));
  }
}

function serve(read: () => Promise<string>): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}
