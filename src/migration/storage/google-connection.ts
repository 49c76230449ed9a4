import type { Bucket, CRC32C, File } from '@google-cloud/storage';
import type { ServiceAccount } from './service-account.js';

const UNIVERSE = 'googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write';
const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token';

export interface GoogleSettings {
  /** The endpoint of an emulator or of a private way; undefined for Google's own. */
  readonly endpoint: string | undefined;
  /** Where tokens for another endpoint are fetched; undefined to send none, as emulators expect. */
  readonly tokenUri: string | undefined;
}

/** Metadata of a file. */
export interface Metadata {
  readonly size?: string | number | undefined;
  /** Base64. */
  readonly crc32c?: string | undefined;
  readonly generation?: string | number | undefined;
}

/** A request that the client has no method for. */
export interface Asked {
  readonly method: 'GET' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Statuses that are not errors. */
  readonly isExpected: (status: number) => boolean;
  readonly body?: Buffer;
  readonly responseType?: 'stream';
}

interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly data: T;
}

interface TokenEndpoint {
  readonly url: string;
  /**
   * A token was requested and has not arrived. Requests follow one another, so a failure now is a failure to get the
   * token.
   */
  isAsked: boolean;
}

/**
 * A bucket as seen by one service account: the official client, and its tokens for requests that the client has no
 * method for.
 */
export class GoogleConnection {
  private constructor(
    private readonly bucket: Bucket,
    private readonly endpoint: string,
    private readonly send: <T>(request: object) => Promise<Answer<T>>,
    private readonly newChecksum: () => CRC32C,
    private readonly tokens: TokenEndpoint,
  ) {}

  static async open(
    bucket: string,
    account: ServiceAccount,
    { endpoint = `https://storage.${UNIVERSE}`, tokenUri }: GoogleSettings,
  ): Promise<GoogleConnection> {
    // Loaded on first use, because it is large.
    const [{ CRC32C, IdempotencyStrategy, Storage }, { JWT }] = await Promise.all([
      import('@google-cloud/storage'),
      import('google-auth-library'),
    ]);
    const { hostname } = new URL(endpoint);
    const isForeign = hostname !== UNIVERSE && !hostname.endsWith(`.${UNIVERSE}`);
    const hasTokens = !isForeign || tokenUri !== undefined;
    const client = new JWT({ email: account.email, key: account.privateKey.reveal(), scopes: [SCOPE] });
    const storage = new Storage({
      apiEndpoint: endpoint,
      authClient: client,
      // The client sends tokens only to endpoints of its universe.
      useAuthWithCustomEndpoint: hasTokens,
      ...(isForeign && hasTokens ? { universeDomain: hostname } : {}),
      retryOptions: { autoRetry: false, idempotencyStrategy: IdempotencyStrategy.RetryAlways },
    });
    const tokens: TokenEndpoint = { url: tokenUri ?? GOOGLE_TOKEN_URL, isAsked: false };
    client.transporter.interceptors.request.add({
      resolved: async (request) => {
        if (String(request.url) !== GOOGLE_TOKEN_URL) return request;
        tokens.isAsked = true;
        return { ...request, url: new URL(tokens.url) };
      },
    });
    client.transporter.interceptors.response.add({
      resolved: async (response) => {
        tokens.isAsked = false;
        return response;
      },
    });
    const sender = hasTokens ? client : client.transporter;
    return new GoogleConnection(
      storage.bucket(bucket),
      endpoint.replace(/\/+$/, ''),
      (request) => sender.request(request),
      () => new CRC32C(),
      tokens,
    );
  }

  /** The endpoint of a token request that has not succeeded yet. */
  get tokensFrom(): string | undefined {
    return this.tokens.isAsked ? this.tokens.url : undefined;
  }

  get bucketName(): string {
    return this.bucket.name;
  }

  file(name: string): File {
    return this.bucket.file(name);
  }

  urlOf(name: string): string {
    return `${this.endpoint}/storage/v1/b/${encodeURIComponent(this.bucketName)}/o/${encodeURIComponent(name)}`;
  }

  checksum(): CRC32C {
    return this.newChecksum();
  }

  async ask<T>({ isExpected, ...request }: Asked): Promise<Answer<T>> {
    return this.send<T>({ ...request, validateStatus: isExpected, retry: false });
  }
}
