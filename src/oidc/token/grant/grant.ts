import type { ClientCertificate } from '../../../foundation/http/client-certificate.js';
import type { Form } from '../../../foundation/http/form.js';
import type { ClientGrantType } from '../../../project/client/client.entity.js';
import type { ExtGrantName } from '../../../project/client/ext-grant.js';
import type { ProofOfKey } from '../../../token/proof/proofs-of-keys.js';
import type { Entitlement } from '../../../token/token-issuer.js';
import type { AuthenticatedClient } from '../../client-auth/client-authenticator.js';
import type { Credentials } from '../../client-auth/credentials.js';

/** The parts of a request besides its form. */
export interface RequestFacts {
  /** The key of which the request proves possession. */
  readonly proof: ProofOfKey | undefined;
  /** The certificate that the client has shown in the TLS handshake. */
  readonly certificate: ClientCertificate | undefined;
  readonly address: string;
}

/** A grant of a registered client, which the endpoint has authenticated and found entitled to this grant. */
export interface ClientGrant {
  readonly type: string;
  readonly actsFor: 'client';
  /** The grant type that the client must be registered for. */
  readonly registeredAs: ClientGrantType | ExtGrantName;
  /**
   * `facts`: what the request has proved and shown, for what is redeemed and was bound to it. The endpoint binds the
   * access token.
   * @throws OAuthError; the effects of a refusal are committed by then
   */
  exchange(form: Form, client: AuthenticatedClient, facts: RequestFacts): Promise<Entitlement>;
}

/** A grant of a service user, with credentials of its own. */
export interface ServiceGrant {
  readonly type: string;
  readonly actsFor: 'service-user';
  exchange(form: Form, credentials: Credentials | undefined, address: string): Promise<Entitlement>;
}

export type Grant = ClientGrant | ServiceGrant;

/** The grants that the token endpoint knows: an explicit list, from which discovery is built. */
export const GRANTS = Symbol('GRANTS');
