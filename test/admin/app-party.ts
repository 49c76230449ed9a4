import type { AdminApi } from '../support/admin-api.js';
import { RelyingParty } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import type { AddedApp } from './project-support.js';

/** A relying party for an application that was added at `path`. */
export async function relyingPartyOf(
  { world, ownerOfA }: { readonly world: World; readonly ownerOfA: AdminApi },
  path: string,
  { appId, clientId, clientSecret: secret }: AddedApp,
): Promise<RelyingParty> {
  const { app } = await ownerOfA.call('GET', `${path}/${appId}`);
  const authMethod = { BASIC: 'client_secret_basic', POST: 'client_secret_post', NONE: 'none' }[
    String(app.oidcConfig.authMethodType).replace('OIDC_AUTH_METHOD_TYPE_', '')
  ];
  const client = {
    id: appId,
    clientId,
    secret,
    key: undefined,
    authMethod,
    redirectUri: app.oidcConfig.redirectUris[0],
    responseType: 'code',
  };
  return new RelyingParty(world, client as ConstructorParameters<typeof RelyingParty>[1]);
}
