import { createHash } from 'node:crypto';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import type { TestPerson } from '../support/builders.js';
import { base64Of, CERTIFICATES, SUBJECT } from '../support/certificates.js';
import type { Headers, Reply } from '../support/http.js';
import { RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

export const OFFLINE = 'openid offline_access';

const PROXIES = {
  CLIENT_CERT_HEADER: 'X-Client-Cert',
  CLIENT_CERT_VERIFY_HEADER: 'X-Client-Verify',
  MTLS_URL: 'https://mtls.op.test',
};

/** A service behind a proxy that verifies certificates, and an application that authenticates by one. */
export class CertificateStage {
  private constructor(
    readonly world: World,
    /** The same service, where the tests are not a proxy that it trusts. */
    readonly elsewhere: World,
    readonly alice: TestPerson,
    readonly bank: RelyingParty,
  ) {}

  static async set(): Promise<CertificateStage> {
    const world = await startWorld({ env: { ...PROXIES, TRUSTED_PROXIES: '127.0.0.0/8' } });
    const elsewhere = await startWorld({ replicaOf: world, env: { ...PROXIES, TRUSTED_PROXIES: '192.0.2.0/24' } });
    const bank = await party(world, { accessTokenType: 'jwt' });
    return new CertificateStage(world, elsewhere, await world.cast.alice, bank);
  }

  async close(): Promise<void> {
    await this.elsewhere.close();
    await this.world.close();
  }
}

/** An application that authenticates by the name of its certificate, and binds its tokens to it. */
export async function party(world: World, settings: Partial<ClientSettings> = {}): Promise<RelyingParty> {
  const client = await world.add.client({
    projectId: await world.cast.projectP,
    authMethod: 'tls_client_auth',
    tlsClientNameType: 'subject_dn',
    tlsClientName: SUBJECT,
    tlsBoundAccessTokens: true,
    grantTypes: ['authorization_code', 'refresh_token', 'device_code'],
    ...settings,
  });
  return new RelyingParty(world, client);
}

/** What a proxy sends along; without a verdict it has not verified the chain. */
export function shown(pem: string, verdict: string | null = 'SUCCESS'): Headers {
  const certificate = { 'X-Client-Cert': encodeURIComponent(pem) };
  return verdict === null ? certificate : { ...certificate, 'X-Client-Verify': verdict };
}

export const thumbprintOf = (pem: string): string =>
  createHash('sha256')
    .update(Buffer.from(base64Of(pem), 'base64'))
    .digest('base64url');

export async function redeem(rp: RelyingParty, code: string, headers: Headers, at?: World): Promise<Reply> {
  return rp.redeem(code, {}, at, headers);
}

export async function tokensWith(rp: RelyingParty, person: TestPerson, pem = CERTIFICATES.first): Promise<Tokens> {
  return tokensOf(await redeem(rp, await rp.code(person, { scope: OFFLINE }), shown(pem)));
}
