import { expect } from '@jest/globals';
import { OutboundConfig } from '../../../src/foundation/config/config.js';
import { Secret } from '../../../src/foundation/config/secret.js';
import { NameResolver } from '../../../src/foundation/outbound/name-resolver.js';
import { OutboundAddresses } from '../../../src/foundation/outbound/outbound-addresses.js';
import type { S3Place } from '../../../src/migration/storage/place.js';
import { endpointOf } from '../../../src/migration/storage/s3-endpoint.js';
import { S3Store } from '../../../src/migration/storage/s3-store.js';
import { type S3Kind, S3Server } from '../../support/s3-server.js';
import { NAME, PART, reasonOf, StorePlace } from './store-cases.js';

/** A storage, and a file in it as the service has it. */
export class S3TestPlace extends StorePlace<S3Kind> {
  region = '';
  secret: string;
  sessionToken: string | undefined;
  /** What the operator has listed. */
  listed: readonly string[];

  constructor(readonly server: S3Server) {
    super();
    this.secret = server.secretAccessKey;
    this.listed = [server.origin];
  }

  async open(bucket = 'moves', endpoint = this.server.origin): Promise<S3Store> {
    const place: S3Place = {
      kind: 's3',
      bucket,
      path: NAME,
      endpoint,
      ssl: false,
      region: this.region,
      key: {
        id: this.server.accessKeyId,
        secret: new Secret(this.secret),
        sessionToken: this.sessionToken === undefined ? undefined : new Secret(this.sessionToken),
      },
    };
    const addresses = new OutboundAddresses(Object.assign(new OutboundConfig(), { allow: [] }), new NameResolver());
    return S3Store.open(place, endpointOf(place, this.listed), addresses, this.limits);
  }

  /** Whether the file is there, byte for byte. */
  holds(content: Buffer, name = NAME): boolean {
    return this.server.objects.get(`moves/${name}`)?.content.equals(content) ?? false;
  }

  /** Neither a file nor parts of one. */
  expectNothing(): void {
    expect([this.server.objects.size, this.server.uploads.size]).toEqual([0, 0]);
  }
}

/** Each test has a server of its own, for they run at once. */
export const at = (work: (place: S3TestPlace) => Promise<void>) => async (): Promise<void> => {
  const server = await S3Server.start('moves');
  server.minPartBytes = PART;
  try {
    await work(new S3TestPlace(server));
  } finally {
    await server.close();
  }
};

export async function refusalOf(work: Promise<unknown>): Promise<string> {
  return reasonOf(work, /GATEHOUSETESTKEY|AWS4|Signature=/);
}
