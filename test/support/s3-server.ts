import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What goes wrong with a request of a kind, once for each time that it is ordered. */
export type S3Fault =
  | { readonly status: number; readonly code?: string; readonly inBody?: boolean }
  /** The connection ends in the middle of what is sent, in either direction. */
  | 'cut'
  /** What was sent is taken, and the connection ends before the answer. */
  | 'cut-answer'
  /** Nothing is ever answered. */
  | 'silence'
  /** Other bytes than those of the object. */
  | 'damage';

export type S3Kind = 'look' | 'put' | 'begin' | 'part' | 'complete' | 'abort' | 'download' | 'delete';
type Right = 'put' | 'get' | 'delete';

interface Stored {
  readonly content: Buffer;
  readonly etag: string;
  readonly metadata: Readonly<Record<string, string>>;
}

interface Upload {
  readonly path: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly parts: Map<number, Stored>;
}

interface Answered {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Buffer;
}

const RIGHTS: Readonly<Record<S3Kind, Right>> = {
  look: 'get',
  download: 'get',
  put: 'put',
  begin: 'put',
  part: 'put',
  complete: 'put',
  abort: 'put',
  delete: 'delete',
};
const META = 'x-amz-meta-';

/**
 * As much of Amazon S3 as writing in parts, reading and deleting need, with faults on order. It accepts a request only
 * with the signature that it computes itself:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export class S3Server {
  /** By `bucket/name`. */
  readonly objects = new Map<string, Stored>();
  /** What was asked, in order. */
  readonly asked: S3Kind[] = [];
  readonly uploads = new Map<string, Upload>();
  rights = new Set<Right>(['put', 'get', 'delete']);
  readonly accessKeyId = 'GATEHOUSETESTKEY';
  readonly secretAccessKey = randomBytes(24).toString('base64');
  sessionToken = '';
  region = 'us-east-1';
  /** Whether `If-None-Match` is known here; not all storages do. */
  knowsConditions = true;
  private readonly faults = new Map<S3Kind, S3Fault[]>();

  /** The least that every part but the last must have. */
  minPartBytes = 5_242_880;

  private constructor(
    private readonly server: Server,
    private readonly buckets: ReadonlySet<string>,
  ) {}

  static async start(...buckets: string[]): Promise<S3Server> {
    const held: { self?: S3Server } = {};
    const server = createServer(
      (request, response) => void held.self!.take(request, response).catch(() => request.socket.destroy()),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (held.self = new S3Server(server, new Set(buckets)));
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get origin(): string {
    return `http://${this.host}`;
  }

  /** The next requests of a kind go wrong, one each. */
  order(kind: S3Kind, ...faults: S3Fault[]): void {
    this.faults.set(kind, [...(this.faults.get(kind) ?? []), ...faults]);
  }

  /** Puts a file there, as another program would. */
  hold(path: string, content: Buffer): void {
    this.objects.set(path, { content, etag: md5(content), metadata: {} });
  }

  text(path: string): string | undefined {
    return this.objects.get(path)?.content.toString();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    this.objects.clear(); // packages keep errors, V8 their stacks, and those the test file
    this.uploads.clear();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => undefined);
    const [rawPath = '', rawQuery = ''] = request.url!.split('?');
    const query = new Map(
      rawQuery
        .split('&')
        .filter((pair) => pair !== '')
        .map((pair) => {
          const [name = '', value = ''] = pair.split('=');
          return [decodeURIComponent(name), decodeURIComponent(value)];
        }),
    );
    const kind = kindOf(request.method!, query);
    this.asked.push(kind);
    const fault = this.faults.get(kind)?.shift();
    if (fault === 'silence') return;
    if (fault === 'cut' && request.method !== 'GET')
      return void request
        .once(request.headers['content-length'] === '0' ? 'end' : 'data', () => request.socket.destroy())
        .resume();
    const body = await bodyOf(request);
    const answered =
      typeof fault === 'object'
        ? refusal(fault.inBody === true ? 200 : fault.status, fault.code ?? 'Ordered')
        : this.answer(kind, request, rawPath, rawQuery, query, body, fault);
    if (fault === 'cut-answer') return void request.socket.destroy();
    response.writeHead(answered.status, { 'x-amz-request-id': randomUUID(), ...answered.headers });
    if (request.method === 'HEAD') return void response.end();
    const sent = answered.body ?? '';
    if (fault !== 'cut') return void response.end(sent);
    response.write(sent.slice(0, sent.length / 2), () => response.destroy());
  }

  private answer(
    kind: S3Kind,
    request: IncomingMessage,
    rawPath: string,
    rawQuery: string,
    query: ReadonlyMap<string, string>,
    body: Buffer,
    fault: S3Fault | undefined,
  ): Answered {
    const problem = this.signatureProblem(request, rawPath, rawQuery, body);
    if (problem !== undefined) return refusal(403, problem);
    const [bucket = '', ...rest] = rawPath.slice(1).split('/').map(decodeURIComponent);
    const path = `${bucket}/${rest.join('/')}`;
    if (!this.buckets.has(bucket)) return refusal(404, 'NoSuchBucket');
    if (!this.rights.has(RIGHTS[kind])) return refusal(403, 'AccessDenied');
    const isTaken = this.knowsConditions && request.headers['if-none-match'] === '*' && this.objects.has(path);
    switch (kind) {
      case 'look':
      case 'download':
        return this.give(request, path, fault);
      case 'put':
        return isTaken ? refusal(412, 'PreconditionFailed') : this.keep(path, body, metadataIn(request));
      case 'delete':
        return { status: this.objects.delete(path) ? 204 : 204 };
      case 'begin': {
        const id = randomUUID();
        this.uploads.set(id, { path, metadata: metadataIn(request), parts: new Map() });
        return {
          status: 200,
          body: `<?xml version="1.0"?><InitiateMultipartUploadResult><Bucket>${bucket}</Bucket><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        };
      }
      default:
        return this.ofUpload(kind, query, body, isTaken);
    }
  }

  private ofUpload(kind: S3Kind, query: ReadonlyMap<string, string>, body: Buffer, isTaken: boolean): Answered {
    const id = query.get('uploadId')!;
    const upload = this.uploads.get(id);
    if (!upload) return refusal(404, 'NoSuchUpload');
    if (kind === 'part') {
      const part = { content: body, etag: md5(body), metadata: {} };
      upload.parts.set(Number(query.get('partNumber')), part);
      return { status: 200, headers: { ETag: `"${part.etag}"` } };
    }
    if (kind === 'abort') return { status: this.uploads.delete(id) ? 204 : 404 };
    if (isTaken) return refusal(412, 'PreconditionFailed');
    const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) =>
      Number(number),
    );
    const tags = [...body.toString().matchAll(/<ETag>(?:"|&quot;)?([0-9a-f]+)(?:"|&quot;)?<\/ETag>/g)].map(
      ([, tag]) => tag,
    );
    const parts = numbers.map((number) => upload.parts.get(number));
    if (parts.some((part, at) => part?.etag !== tags[at])) return refusal(400, 'InvalidPart');
    if (parts.slice(0, -1).some((part) => part!.content.length < this.minPartBytes))
      return refusal(400, 'EntityTooSmall');
    this.uploads.delete(id);
    const etag = `${md5(Buffer.concat(parts.map((part) => Buffer.from(part!.etag, 'hex'))))}-${parts.length}`;
    this.objects.set(upload.path, {
      content: Buffer.concat(parts.map((part) => part!.content)),
      etag,
      metadata: upload.metadata,
    });
    return {
      status: 200,
      body: `<?xml version="1.0"?><CompleteMultipartUploadResult><ETag>"${etag}"</ETag></CompleteMultipartUploadResult>`,
    };
  }

  private keep(path: string, content: Buffer, metadata: Readonly<Record<string, string>>): Answered {
    this.objects.set(path, { content, etag: md5(content), metadata });
    return { status: 200, headers: { ETag: `"${md5(content)}"` } };
  }

  private give(request: IncomingMessage, path: string, fault: S3Fault | undefined): Answered {
    const stored = this.objects.get(path);
    if (!stored) return refusal(404, 'NoSuchKey');
    const { content, etag, metadata } = stored;
    const wanted = request.headers['if-match'];
    if (wanted !== undefined && wanted !== `"${etag}"`) return refusal(412, 'PreconditionFailed');
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const sent = (
      fault === 'damage' ? Buffer.from(content.map((byte, at) => (at === from ? byte ^ 1 : byte))) : content
    ).subarray(from);
    const told = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`${META}${name}`, value]));
    return {
      status: request.headers.range === undefined ? 200 : 206,
      body: sent,
      headers: {
        ETag: `"${etag}"`,
        'Content-Length': sent.length,
        'Content-Type': 'application/octet-stream',
        ...told,
      },
    };
  }

  /** The storage's word for what is wrong with the signature of a request. */
  private signatureProblem(
    { method, headers }: IncomingMessage,
    rawPath: string,
    rawQuery: string,
    body: Buffer,
  ): string | undefined {
    const [, id, scope = '', signed = '', signature] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? '',
      ) ?? [];
    if (signature === undefined) return 'AccessDenied';
    if (id !== this.accessKeyId) return 'InvalidAccessKeyId';
    const time = String(headers['x-amz-date']);
    const [day = '', region = '', service = '', end] = scope.split('/');
    if (end !== 'aws4_request' || service !== 's3' || !time.startsWith(day) || region !== this.region)
      return 'AuthorizationHeaderMalformed';
    if (String(headers['x-amz-security-token'] ?? '') !== this.sessionToken) return 'InvalidToken';
    const names = signed.split(';');
    const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
    if (mustBeSigned.some((name) => !names.includes(name))) return 'AccessDenied';
    const told = String(headers['x-amz-content-sha256']);
    if (told !== sha256(body)) return 'XAmzContentSHA256Mismatch';
    const canonicalQuery = rawQuery
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&');
    const canonical = [
      method,
      rawPath,
      canonicalQuery,
      ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
      '',
      signed,
      told,
    ].join('\n');
    const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
    const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
      (secret, part) => hmac(secret, part),
      `AWS4${this.secretAccessKey}`,
    );
    return hmac(key, toSign).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
  }
}

function kindOf(method: string, query: ReadonlyMap<string, string>): S3Kind {
  const hasUpload = query.has('uploadId');
  switch (method) {
    case 'HEAD':
      return 'look';
    case 'GET':
      return 'download';
    case 'PUT':
      return hasUpload ? 'part' : 'put';
    case 'POST':
      return hasUpload ? 'complete' : 'begin';
    default:
      return hasUpload ? 'abort' : 'delete';
  }
}

function metadataIn({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(META))
      .map(([name, value]) => [name.slice(META.length), String(value)]),
  );
}

function refusal(status: number, code: string): Answered {
  return {
    status,
    headers: { 'Content-Type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>On order.</Message></Error>`,
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function md5(content: Uint8Array): string {
  return createHash('md5').update(content).digest('hex');
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: string | Buffer, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest();
}
