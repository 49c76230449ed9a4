import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type SecureContextOptions, TLSSocket } from 'node:tls';
import { type Element, element, integer, readElements, within } from './ber.js';

/** What is in the directory. */
export interface StoredEntry {
  dn: string;
  password: string;
  attributes: Record<string, ReadonlyArray<string | Buffer>>;
  /** What is answered to the right password instead of success. */
  refusal?: { readonly code: number; readonly text: string };
}

export interface Bind {
  readonly dn: string;
  readonly password: string;
  readonly isEncrypted: boolean;
}

/** RFC 4511 §4.2, §4.5, §4.12: the tags of operations. */
const BIND = 0x60;
const UNBIND = 0x42;
const SEARCH = 0x63;
const EXTENDED = 0x77;
const [AND, OR, EQUAL] = [0xa0, 0xa1, 0xa3];
const SUCCESS = 0;
const INVALID_CREDENTIALS = 49;

export const SERVICE = { dn: 'cn=gatehouse,dc=acme,dc=test', password: 'the-word-of-the-service-31' };
export const BASE = 'ou=people,dc=acme,dc=test';

/** A directory that knows enough of LDAP to be asked, and that lies when a test tells it to. */
export class LdapStandIn {
  readonly entries: StoredEntry[] = [];
  readonly binds: Bind[] = [];
  /** The filters of searches, as values of equality. */
  readonly searched: string[][] = [];
  connections = 0;
  /** Instead of an answer to a search. */
  onSearch: ((socket: Socket, id: number, answer: () => void) => void) | undefined;
  onConnection: ((socket: Socket) => void) | undefined;
  onStartTls: ((socket: Socket, id: number) => boolean) | undefined;
  private readonly open = new Set<Socket>();
  private count = 0;

  private constructor(
    private readonly server: Server,
    private readonly tls: SecureContextOptions | undefined,
    private readonly isLdaps: boolean,
  ) {}

  static async start(tls?: SecureContextOptions, { isLdaps = false } = {}): Promise<LdapStandIn> {
    const server = createServer();
    const standIn = new LdapStandIn(server, tls, isLdaps);
    server.on('connection', (socket) => standIn.take(socket));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return standIn;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get openConnections(): number {
    return this.open.size;
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise<void>((closed) => this.server.close(() => closed()));
  }

  add(uid: string, password: string, more: StoredEntry['attributes'] = {}, dn = `uid=${uid},${BASE}`): StoredEntry {
    this.count += 1;
    const entryUUID = [`00000000-0000-4000-8000-${String(this.count).padStart(12, '0')}`];
    const attributes = { uid: [uid], mail: [`${uid}@mail.test`], entryUUID, objectClass: ['person'], ...more };
    const entry = { dn, password, attributes };
    this.entries.push(entry);
    return entry;
  }

  find(uid: string): StoredEntry {
    return this.entries.find(({ attributes }) => attributes['uid']?.[0] === uid)!;
  }

  private take(socket: Socket): void {
    this.connections += 1;
    this.open.add(socket);
    socket.on('close', () => this.open.delete(socket));
    socket.on('error', () => undefined);
    this.onConnection?.(socket);
    this.serve(this.isLdaps ? this.encrypted(socket) : socket);
  }

  private encrypted(socket: Socket): TLSSocket {
    const secure = new TLSSocket(socket, { isServer: true, ...this.tls });
    secure.on('error', () => socket.destroy());
    return secure;
  }

  private serve(socket: Socket): void {
    let received: Buffer = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const { elements, taken } = readElements(received);
      received = received.subarray(taken);
      for (const message of elements) {
        const [id, operation] = within(message.content);
        if (this.startsTls(socket, numberOf(id!), operation!)) {
          socket.off('data', read);
          this.serve(this.encrypted(socket));
          return;
        }
        this.answer(socket, numberOf(id!), operation!);
      }
    };
    socket.on('data', read);
  }

  private startsTls(socket: Socket, id: number, { tag }: Element): boolean {
    if (tag !== EXTENDED) return false;
    if (this.onStartTls) return this.onStartTls(socket, id);
    socket.write(result(id, 0x78, this.tls ? SUCCESS : 2, ''));
    return this.tls !== undefined;
  }

  private answer(socket: Socket, id: number, { tag, content }: Element): void {
    if (tag === UNBIND) socket.end();
    if (tag === BIND) this.bind(socket, id, content);
    if (tag === SEARCH) this.search(socket, id, content);
  }

  private bind(socket: Socket, id: number, content: Buffer): void {
    const [, name, credentials] = within(content).map((each) => each.content.toString());
    this.binds.push({ dn: name!, password: credentials!, isEncrypted: socket instanceof TLSSocket });
    const known = [...this.entries, SERVICE as StoredEntry].find(({ dn }) => dn === name);
    // RFC 4513 §5.1.2: without a password, a bind succeeds.
    const isRight = credentials === '' || known?.password === credentials;
    const { code, text } = isRight
      ? (known?.refusal ?? { code: SUCCESS, text: '' })
      : { code: INVALID_CREDENTIALS, text: '' };
    socket.write(result(id, 0x61, code, text));
  }

  private search(socket: Socket, id: number, content: Buffer): void {
    const filter = within(content)[6]!;
    const values: string[] = [];
    const found = this.entries.filter(({ attributes }) => fits(filter, attributes, values));
    this.searched.push([...new Set(values)]);
    const answer = (): void => {
      for (const entry of found.slice(0, 2)) socket.write(entryMessage(id, entry));
      socket.write(result(id, 0x65, found.length > 2 ? 4 : SUCCESS, ''));
    };
    if (this.onSearch) this.onSearch(socket, id, answer);
    else answer();
  }
}

function numberOf({ content }: Element): number {
  return content.readUIntBE(0, content.length);
}

/** Equality without regard to case, as `caseIgnoreMatch` compares. */
function fits(filter: Element, attributes: StoredEntry['attributes'], values: string[]): boolean {
  const inner = within(filter.content);
  if (filter.tag === AND) return inner.map((each) => fits(each, attributes, values)).every(Boolean);
  if (filter.tag === OR) return inner.map((each) => fits(each, attributes, values)).some(Boolean);
  if (filter.tag !== EQUAL) throw new Error(`A filter of the kind ${filter.tag} is not equality.`);
  const [name, value] = inner.map(({ content }) => content.toString());
  values.push(value!);
  return (attributes[name!] ?? []).some((each) => each.toString().toLowerCase() === value!.toLowerCase());
}

export function message(id: number, operation: Buffer): Buffer {
  return element(0x30, integer(id), operation);
}

export function result(id: number, tag: number, code: number, text: string): Buffer {
  return message(id, element(tag, integer(code, 0x0a), element(0x04), element(0x04, text)));
}

export function entryMessage(id: number, { dn, attributes }: Pick<StoredEntry, 'dn' | 'attributes'>): Buffer {
  const list = Object.entries(attributes).map(([name, values]) =>
    element(0x30, element(0x04, name), element(0x31, ...values.map((value) => element(0x04, value)))),
  );
  return message(id, element(0x64, element(0x04, dn), element(0x30, ...list)));
}
