import type { IssuerConfig } from '../foundation/config/config.js';
import type { IdpType } from './idp.entity.js';

const PATHS: Readonly<Record<IdpType, string>> = {
  oidc: '/ui/login/login/externalidp/callback',
  jwt: '/ui/login/login/jwt/authorize',
};

/** The redirect URI that an administrator enters at the provider. */
export function callbackUrl(type: IdpType, { publicUrl }: IssuerConfig): string {
  return publicUrl + PATHS[type];
}
