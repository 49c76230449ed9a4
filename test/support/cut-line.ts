import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Where a server listens: a TCP port, or the Unix socket of PostgreSQL in a folder. */
export interface LineEnd {
  readonly host: string;
  readonly port: number;
}

/** A TCP line to a server, for tests that cut it: with a bang, or as a firewall that says nothing does. */
export class CutLine {
  private readonly sockets = new Set<Socket>();
  private silent = false;

  private constructor(
    private readonly server: Server,
    private readonly far: LineEnd,
  ) {}

  static async to(far: LineEnd): Promise<CutLine> {
    const server = createServer();
    const line = new CutLine(server, far);
    server.on('connection', (near) => line.join(near));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** From now on nothing passes, in neither direction, without notice. New connections are accepted and ignored. */
  swallow(): void {
    this.silent = true;
  }

  /** Ends what there is; new connections pass. */
  mend(): void {
    this.silent = false;
    this.hangUp();
  }

  hangUp(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.hangUp();
    await closed;
  }

  private join(near: Socket): void {
    this.watch(near);
    if (this.silent) return;
    const { host, port } = this.far;
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    this.watch(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => {
        if (!this.silent) to.write(bytes);
      });
      from.on('close', () => {
        if (!this.silent) to.destroy();
      });
    }
  }

  private watch(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }
}
