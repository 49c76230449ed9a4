import type { IssuerConfig } from '../foundation/config/config.js';
import { paths, type ServicePath } from '../org/instance/paths.js';
import type { Idp } from './idp.entity.js';

/** Where browsers return from a provider of an extension's kind: to a path of its own (RFC 9700 §4.4.2). */
export function extCallbackPath(idpId: string): ServicePath {
  return `${paths.externalCallback}/${idpId}`;
}

/** The redirect URI that an administrator enters at the provider. */
export function callbackUrl({ id, type }: Pick<Idp, 'id' | 'type'>, { publicUrl }: IssuerConfig): string {
  switch (type) {
    case 'oidc':
      return publicUrl + paths.externalCallback;
    case 'jwt':
      return publicUrl + paths.jwtAuthorize;
    default:
      // Only characters that would end the segment are encoded: providers compare the address as it was entered.
      return publicUrl + extCallbackPath(id.replace(/[/?#%\\]/g, encodeURIComponent));
  }
}
