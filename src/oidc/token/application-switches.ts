import type { ClientCertificate } from '../../foundation/http/client-certificate.js';
import type { Client } from '../../project/client/client.js';
import type { ReadProof } from '../../token/proof/dpop-proof.js';
import type { Confirmation } from '../../token/proof/presented-token.js';
import { ProofRefused } from '../../token/proof/proof-refused.js';
import type { ProofOfKey } from '../../token/proof/proofs-of-keys.js';
import type { Entitlement } from '../../token/token-issuer.js';
import { refusal } from '../oidc.errors.js';

/** The parts of a request that applications may demand. */
export interface Fulfilled {
  /** The request's proof of possession of a key. */
  readonly proof: ReadProof | undefined;
  /** The certificate that its client has shown in the TLS handshake. */
  readonly certificate: ClientCertificate | undefined;
}

/**
 * What the operator demands of every request of an application, whatever it asks for: in one place, so that no grant
 * forgets one.
 * @throws OAuthError invalid_request without the certificate to which access tokens must be bound (RFC 8705 §3.4), and
 * with neither proof nor certificate where one of them must bind them
 * @throws ProofRefused `missing` for a request without proof where access tokens must be bound (RFC 9449 §5.2); `alg`
 * for an algorithm that the profile of the application excludes
 */
export function checkSwitches(client: Client, { proof, certificate }: Fulfilled): void {
  const { dpopBoundAccessTokens, tlsBoundAccessTokens } = client.settings;
  if (tlsBoundAccessTokens && !certificate) throw refusal.certificateRequired();
  if (dpopBoundAccessTokens && !proof) throw new ProofRefused('missing');
  if (client.mustBindTokens && !proof && !certificate) throw refusal.bindingRequired();
  checkAlgorithm(client, proof);
}

/**
 * What the access token of a request is bound to: the key of its proof, and a certificate where the client has to bind
 * its tokens and does so in no other way, or where it has exchanged a token that is bound to it. A certificate alone is
 * no wish: proxies that ask everybody for one are common.
 */
export function confirmationOf(
  { client, exchanged }: Pick<Entitlement, 'client' | 'exchanged'>,
  proof: ProofOfKey | undefined,
  certificate: ClientCertificate | undefined,
): Confirmation | undefined {
  const bindsByCertificate =
    client?.settings.tlsBoundAccessTokens === true ||
    (client?.isStrict === true && !proof) ||
    exchanged?.keepsCertificate === true;
  const bound = bindsByCertificate ? certificate : undefined;
  if (!proof && !bound) return undefined;
  return { ...(proof && { jkt: proof.thumbprint }), ...(bound && { 'x5t#S256': bound.thumbprint }) };
}

/** @throws ProofRefused `alg` */
export function checkAlgorithm(client: Client, proof: ReadProof | undefined): void {
  if (proof && !client.takesAlgorithm(proof.algorithm)) throw new ProofRefused('alg');
}
