import { Secret } from '../../../src/foundation/config/secret.js';
import { GoogleStore } from '../../../src/migration/storage/google-store.js';
import { readServiceAccount, type ServiceAccount } from '../../../src/migration/storage/service-account.js';
import { BucketServer, type Kind } from '../../support/bucket-server.js';
import { NAME, reasonOf, StorePlace } from './store-cases.js';

/** A bucket server, and the store as the service opens it. */
export class GooglePlace extends StorePlace<Kind> {
  constructor(readonly server: BucketServer) {
    super();
  }

  async open(bucket = 'moves', tokenUri: string | undefined = this.server.tokenUri): Promise<GoogleStore> {
    const account = readServiceAccount(new Secret(this.server.accountBase64)) as ServiceAccount;
    return GoogleStore.open(bucket, account, {
      endpoint: this.server.origin,
      tokenUri,
      limits: this.limits,
    });
  }

  /** Whether the file is there, byte for byte. */
  holds(content: Buffer, name = NAME): boolean {
    return this.server.objects.get(`moves/${name}`)?.equals(content) ?? false;
  }
}

/** Each test has a server of its own, for they run at once. */
export const at = (work: (place: GooglePlace) => Promise<void>) => async (): Promise<void> => {
  const server = await BucketServer.start('moves');
  try {
    await work(new GooglePlace(server));
  } finally {
    await server.close();
  }
};

export async function refusalOf(work: Promise<unknown>): Promise<string> {
  return reasonOf(work, /PRIVATE KEY|assertion|Bearer/);
}
