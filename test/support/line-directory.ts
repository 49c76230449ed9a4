import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import type {
  DirectoryMisbehaviour,
  DirectoryPerson,
} from '../../src/extension/testing/contract/directory-kind-stage.js';

/** What the directory answers about somebody whose password was right. */
export interface LineEntry extends DirectoryPerson {
  readonly id: string;
  readonly isDisabled: boolean;
}

/** A directory with the plainest protocol there is: a line of JSON with name and password, a line with the entry. */
export class LineDirectory {
  connections = 0;
  readonly asked: string[] = [];
  misdeed: DirectoryMisbehaviour | undefined;
  private readonly entries = new Map<string, LineEntry>();
  private readonly open = new Set<Socket>();
  private count = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<LineDirectory> {
    const server = createServer();
    const directory = new LineDirectory(server);
    server.on('connection', (socket) => directory.serve(socket));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return directory;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  add(person: DirectoryPerson): void {
    this.count += 1;
    this.entries.set(person.loginName, { ...person, id: `entry-${this.count}`, isDisabled: false });
  }

  rename(loginName: string, to: string): void {
    const entry = this.entries.get(loginName)!;
    this.entries.delete(loginName);
    this.entries.set(to, { ...entry, loginName: to });
  }

  disable(loginName: string): void {
    this.entries.set(loginName, { ...this.entries.get(loginName)!, isDisabled: true });
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise<void>((closed) => this.server.close(() => closed()));
  }

  /** How many connections are open. */
  get openConnections(): number {
    return this.open.size;
  }

  private serve(socket: Socket): void {
    this.connections += 1;
    this.open.add(socket);
    socket.on('close', () => this.open.delete(socket));
    socket.on('error', () => undefined);
    if (this.misdeed === 'closed connections') socket.destroy();
    socket.on('data', (line) => {
      if (this.misdeed === 'silence') return;
      if (this.misdeed === 'noise') return void socket.end('\x16\x03\x01 noise\n');
      const { name, password } = JSON.parse(line.toString()) as { name: string; password: string };
      this.asked.push(name);
      const entry = this.entries.get(name);
      socket.end(`${JSON.stringify(entry?.password === password ? entry : null)}\n`);
    });
  }
}
