import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';

/** What goes wrong with a request of a kind, once for each time that it is ordered. */
export type Fault =
  | { readonly status: number; readonly message?: string }
  /** The connection ends in the middle of what is sent, in either direction. */
  | 'cut'
  /** What was sent is taken, and the connection ends before the answer. */
  | 'cut-answer'
  /** Nothing is ever answered. */
  | 'silence'
  /** Another checksum than that of the content. */
  | 'wrong-checksum'
  /** Other bytes than those of the object. */
  | 'damage'
  /** The same, and the storage does not look. */
  | 'unseen-damage';

export type Kind = 'token' | 'begin' | 'chunk' | 'download' | 'look' | 'delete';
type Role = 'create' | 'read' | 'delete';

interface Upload {
  readonly bucket: string;
  readonly name: string;
  readonly isNew: boolean;
  readonly pieces: Buffer[];
  bytes: number;
  isDone: boolean;
}

/** Of the one service account that these servers know; making it takes a while. */
const PAIR = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/**
 * As much of Google Cloud Storage's JSON interface as uploads in chunks, downloads and deleting need, with faults on
 * order.
 */
export class BucketServer {
  /** By `bucket/name`. */
  readonly objects = new Map<string, Buffer>();
  /** What was asked, in order. */
  readonly asked: Kind[] = [];
  roles = new Set<Role>(['create', 'read', 'delete']);
  /** The account may be used. */
  isAccountAlive = true;
  private readonly faults = new Map<Kind, Fault[]>();
  private lastFault: Fault | undefined;
  private readonly uploads = new Map<string, Upload>();
  private readonly tokens = new Set<string>();

  private constructor(
    private readonly server: Server,
    private readonly buckets: ReadonlySet<string>,
  ) {}

  static async start(...buckets: string[]): Promise<BucketServer> {
    const held: { self?: BucketServer } = {};
    const server = createServer((request, response) => void held.self!.take(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (held.self = new BucketServer(server, new Set(buckets)));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get tokenUri(): string {
    return `${this.origin}/token`;
  }

  /** The file of the service account that this server knows. */
  get accountFile(): Readonly<Record<string, string>> {
    return {
      type: 'service_account',
      project_id: 'moving',
      private_key_id: '1',
      private_key: PAIR.privateKey,
      client_email: 'mover@moving.iam.gserviceaccount.com',
      token_uri: 'https://oauth2.googleapis.com/token',
    };
  }

  get accountBase64(): string {
    return Buffer.from(JSON.stringify(this.accountFile)).toString('base64');
  }

  /** The settings of a service that keeps its files here. */
  get env(): Readonly<Record<string, string>> {
    return { OBJECT_STORE_ENDPOINT: this.origin, OBJECT_STORE_TOKEN_URI: this.tokenUri };
  }

  /** The next requests of a kind go wrong, one each. */
  order(kind: Kind, ...faults: Fault[]): void {
    this.faults.set(kind, [...(this.faults.get(kind) ?? []), ...faults]);
  }

  /** The chunk that completes the next upload goes wrong. */
  orderForLast(fault: 'cut-answer' | 'damage' | 'unseen-damage' | 'wrong-checksum'): void {
    this.lastFault = fault;
  }

  text(path: string): string | undefined {
    return this.objects.get(path)?.toString();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    this.objects.clear(); // packages keep errors, V8 their stacks, and those the test file
    this.uploads.clear();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => undefined);
    const url = new URL(request.url!, this.origin);
    const kind = kindOf(request, url);
    this.asked.push(kind);
    const fault = this.faults.get(kind)?.shift();
    if (fault === 'silence') return;
    if (typeof fault === 'object') {
      request.resume();
      return tell(response, fault.status, { error: { code: fault.status, message: fault.message ?? 'Try again.' } });
    }
    if (kind === 'token') return this.giveToken(request, response);
    // The address of an upload is a secret of its own: it suffices to continue.
    if (kind !== 'chunk' && !this.tokens.has(request.headers.authorization ?? ''))
      return tell(response, 401, { error: { code: 401, message: 'Invalid Credentials' } });
    switch (kind) {
      case 'begin':
        return this.begin(url, response);
      case 'chunk':
        return this.takeChunk(url, request, response, fault);
      default:
        return this.giveObject(kind, url, request, response, fault);
    }
  }

  private async giveToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams((await bodyOf(request)).toString());
    try {
      const { payload } = await jwtVerify(form.get('assertion') ?? '', createPublicKey(PAIR.publicKey));
      if (payload.iss !== this.accountFile['client_email'] || !this.isAccountAlive) throw new Error('no such account');
    } catch {
      return tell(response, 400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' });
    }
    const token = randomUUID();
    this.tokens.add(`Bearer ${token}`);
    tell(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3600 });
  }

  private begin(url: URL, response: ServerResponse): void {
    const bucket = decodeURIComponent(url.pathname.split('/')[5]!);
    const name = url.searchParams.get('name')!;
    if (!this.buckets.has(bucket)) return noBucket(response);
    if (!this.roles.has('create')) return forbidden(response, 'create');
    const isNew = url.searchParams.get('ifGenerationMatch') === '0';
    if (isNew && this.objects.has(`${bucket}/${name}`)) return exists(response);
    const id = randomUUID();
    this.uploads.set(id, { bucket, name, isNew, pieces: [], bytes: 0, isDone: false });
    response
      .writeHead(200, {
        Location: `${this.origin}/upload/storage/v1/b/${bucket}/o?uploadType=resumable&upload_id=${id}`,
      })
      .end();
  }

  private async takeChunk(
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
    ordered: Fault | undefined,
  ): Promise<void> {
    const upload = this.uploads.get(url.searchParams.get('upload_id')!);
    if (!upload) return tell(response, 404, { error: { code: 404, message: 'No such upload.' } });
    const path = `${upload.bucket}/${upload.name}`;
    const [, from, , total] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(request.headers['content-range'] ?? '') ?? [];
    const isLast = total !== undefined && total !== '*';
    const fault = isLast ? (this.lastFault ?? ordered) : ordered;
    if (isLast) this.lastFault = undefined;
    if (fault === 'cut')
      return void request
        .once(request.headers['content-length'] === '0' ? 'end' : 'data', () => request.socket.destroy())
        .resume();
    const body = await bodyOf(request).catch(() => undefined);
    if (body === undefined) return;
    if (from !== undefined) {
      // What is there already is taken once, however often it is sent.
      const news = body.subarray(upload.bytes - Number(from));
      upload.pieces.push(news);
      upload.bytes += news.length;
    }
    if (isLast && upload.bytes === Number(total) && !upload.isDone) {
      if (upload.isNew && this.objects.has(path)) return exists(response);
      const content =
        fault === 'damage' || fault === 'unseen-damage' ? Buffer.from('damaged') : Buffer.concat(upload.pieces);
      const told = fault === 'unseen-damage' ? undefined : request.headers['x-goog-hash'];
      if (told !== undefined && told !== `crc32c=${crc32c(content)}`) {
        return tell(response, 400, {
          error: {
            code: 400,
            message: `Provided CRC32C "${String(told)}" doesn't match calculated CRC32C "${crc32c(content)}".`,
          },
        });
      }
      this.objects.set(path, content);
      upload.isDone = true;
    }
    if (fault === 'cut-answer') return void request.socket.destroy();
    if (upload.isDone) return tell(response, 200, this.metadataOf(path, fault === 'wrong-checksum'));
    response.writeHead(308, upload.bytes === 0 ? {} : { Range: `bytes=0-${upload.bytes - 1}` }).end();
  }

  private giveObject(
    kind: Kind,
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
    fault: Fault | undefined,
  ): void {
    const [, , , , bucket, , name] = url.pathname.split('/').map(decodeURIComponent);
    const path = `${bucket}/${name}`;
    if (!this.buckets.has(bucket!)) return noBucket(response);
    const role = kind === 'delete' ? 'delete' : 'read';
    if (!this.roles.has(role)) return forbidden(response, role);
    const content = this.objects.get(path);
    if (!content) return tell(response, 404, { error: { code: 404, message: `No such object: ${path}` } });
    if (kind === 'delete') {
      this.objects.delete(path);
      return void response.writeHead(204).end();
    }
    if (kind === 'look') return tell(response, 200, this.metadataOf(path, false));
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const sent = (
      fault === 'damage' ? Buffer.from(content.map((byte, index) => (index === from ? byte ^ 1 : byte))) : content
    ).subarray(from);
    response.writeHead(request.headers.range === undefined ? 200 : 206, {
      'Content-Length': sent.length,
      'Content-Type': 'application/octet-stream',
      'x-goog-stored-content-encoding': 'identity',
    });
    if (fault !== 'cut') return void response.end(sent);
    response.write(sent.subarray(0, sent.length / 2), () => response.destroy());
  }

  private metadataOf(path: string, isWrong: boolean): Record<string, string> {
    const content = this.objects.get(path)!;
    return {
      kind: 'storage#object',
      name: path.slice(path.indexOf('/') + 1),
      size: String(content.length),
      generation: '1',
      crc32c: isWrong ? 'AAAAAA==' : crc32c(content),
    };
  }
}

function kindOf({ method }: IncomingMessage, url: URL): Kind {
  if (url.pathname === '/token') return 'token';
  if (url.searchParams.has('upload_id')) return 'chunk';
  if (method === 'POST') return 'begin';
  if (method === 'DELETE') return 'delete';
  return url.searchParams.get('alt') === 'media' ? 'download' : 'look';
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function tell(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function noBucket(response: ServerResponse): void {
  tell(response, 404, { error: { code: 404, message: 'The specified bucket does not exist.' } });
}

function exists(response: ServerResponse): void {
  tell(response, 412, {
    error: { code: 412, message: 'At least one of the pre-conditions you specified did not hold.' },
  });
}

function forbidden(response: ServerResponse, role: Role): void {
  tell(response, 403, {
    error: { code: 403, message: `mover@moving.iam.gserviceaccount.com does not have storage.objects.${role} access.` },
  });
}

const CRC32C = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0x82f63b78 : sum >>> 1;
  return sum;
});

/** RFC 3720 appendix B.4, most significant byte first and in base64, as the storage returns it. */
function crc32c(content: Uint8Array): string {
  let sum = 0xffffffff;
  for (const byte of content) sum = (sum >>> 8) ^ CRC32C[(sum ^ byte) & 0xff]!;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE((sum ^ 0xffffffff) >>> 0);
  return bytes.toString('base64');
}
