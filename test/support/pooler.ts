import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { LineEnd } from './cut-line.js';

const PROTOCOL_3 = 196_608;
/** What PgBouncer accepts at the start of a connection; everything else it refuses. */
const STARTUP = [
  'user',
  'database',
  'application_name',
  'client_encoding',
  'DateStyle',
  'TimeZone',
  'standard_conforming_strings',
];
/** What would outlive its transaction on whichever connection of the server it happened to run. */
const OF_A_SESSION = [
  /^\s*(LISTEN|UNLISTEN|PREPARE|DISCARD|RESET)\b/i,
  /(^|;)\s*SET\s+(?!LOCAL\b|TRANSACTION\b|\w+\s*=\s*\w+.*\bFROM\b)/i,
  /\bpg_(try_)?advisory_lock(_shared)?\s*\(/i,
  /\bCREATE\s+(GLOBAL\s+|LOCAL\s+)?TEMP/i,
  /\bpg_temp\./i,
  /\bWITH\s+HOLD\b/i,
];

/**
 * Stands between the service and PostgreSQL as a pooler in transaction mode does, with the protocol of frontends read
 * along (PostgreSQL, "Message Formats"): refuses what PgBouncer refuses, and notes what it would pass on to the wrong
 * session. PgBouncer itself is tried by deploy/trials/pgbouncer.mjs.
 */
export class Pooler {
  /** What a service behind a pooler must not send. */
  readonly violations: string[] = [];
  /** How many statements have passed. */
  statements = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly far: LineEnd,
  ) {}

  static async to(far: LineEnd): Promise<Pooler> {
    const server = createServer();
    const pooler = new Pooler(server, far);
    server.on('connection', (near) => pooler.join(near));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return pooler;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private join(near: Socket): void {
    const { host, port } = this.far;
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    far.pipe(near);
    let unread = Buffer.alloc(0);
    let hasStarted = false;
    near.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk]);
      for (;;) {
        const head = hasStarted ? 1 : 0;
        if (unread.length < head + 4) return;
        const end = head + unread.readInt32BE(head);
        if (unread.length < end) return;
        const message = unread.subarray(0, end);
        unread = unread.subarray(end);
        if (hasStarted) this.look(message);
        else {
          const refused = startupFault(message);
          if (refused !== undefined) return void near.end(fatal(`unsupported startup parameter: ${refused}`));
          hasStarted = message.readInt32BE(4) === PROTOCOL_3;
        }
        far.write(message);
      }
    });
  }

  private look(message: Buffer): void {
    const kind = String.fromCharCode(message[0]!);
    if (kind !== 'P' && kind !== 'Q') return;
    const [first = '', second = ''] = message.subarray(5).toString().split('\0');
    const [name, sql] = kind === 'P' ? [first, second] : ['', first];
    this.statements += 1;
    if (name !== '') this.violations.push(`the named statement ${name}`);
    if (OF_A_SESSION.some((pattern) => pattern.test(sql))) this.violations.push(sql);
  }
}

/** The first parameter that a pooler does not accept. */
function startupFault(message: Buffer): string | undefined {
  if (message.readInt32BE(4) !== PROTOCOL_3) return undefined; // a request for TLS, or to cancel
  const parts = message.subarray(8).toString().split('\0');
  for (let i = 0; parts[i]; i += 2) if (!STARTUP.includes(parts[i]!)) return parts[i];
  return undefined;
}

function fatal(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
