import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { S3Client } from '@aws-sdk/client-s3';
import type { OutboundAddresses } from '../../foundation/outbound/outbound-addresses.js';
import type { AccessKey } from './place.js';
import type { S3Endpoint } from './s3-endpoint.js';

type Package = typeof import('@aws-sdk/client-s3');

const CONNECT_MS = 10_000;
const MAX_SOCKETS = 8;

/** A storage as seen with one access key, through the official client. */
export class S3Connection {
  private constructor(
    readonly client: S3Client,
    /** The commands of the client. */
    readonly commands: Package,
    /** Whether it is Amazon's own, some of whose answers mean more. */
    readonly isAmazon: boolean,
    private readonly agents: ReadonlyArray<HttpAgent | HttpsAgent>,
  ) {}

  static async open(
    { origin, region, isListed }: S3Endpoint,
    key: AccessKey,
    addresses: OutboundAddresses,
  ): Promise<S3Connection> {
    // Loaded on first use, because it is large.
    const commands = await import('@aws-sdk/client-s3');
    const url = new URL(origin ?? `https://s3.${region}.amazonaws.com`);
    if (!isListed) addresses.checkLiteral(url);
    const lookup = addresses.lookup(url, () => ({ ownerId: url.host, signal: AbortSignal.timeout(CONNECT_MS) }));
    const dial = { keepAlive: true, maxSockets: MAX_SOCKETS, ...(isListed ? {} : { lookup }) };
    const httpAgent = new HttpAgent(dial);
    const httpsAgent = new HttpsAgent({ ...dial, rejectUnauthorized: true }); // Whatever the environment says.
    const client = new commands.S3Client({
      region,
      ...(origin === undefined ? {} : { endpoint: origin }),
      credentials: {
        accessKeyId: key.id,
        secretAccessKey: key.secret.reveal(),
        ...(key.sessionToken === undefined ? {} : { sessionToken: key.sessionToken.reveal() }),
      },
      // Storages other than Amazon's rarely have a host name for each bucket.
      forcePathStyle: origin !== undefined,
      followRegionRedirects: origin === undefined,
      // The client would look for anything not given here in the environment and in the user's files.
      maxAttempts: 1,
      retryMode: 'standard',
      defaultsMode: 'standard',
      useFipsEndpoint: false,
      useDualstackEndpoint: false,
      useArnRegion: false,
      disableMultiregionAccessPoints: true,
      disableS3ExpressSessionAuth: true,
      userAgentAppId: 'gatehouse',
      // The signature covers the SHA-256 of the content; not every storage supports the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { httpAgent, httpsAgent, connectionTimeout: CONNECT_MS },
    });
    return new S3Connection(client, commands, origin === undefined, [httpAgent, httpsAgent]);
  }

  close(): void {
    this.client.destroy();
    for (const agent of this.agents) agent.destroy();
  }
}
