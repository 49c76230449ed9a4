import { Secret } from '../../src/foundation/config/secret.js';
import type { IdpType } from '../../src/idp/idp.entity.js';
import { IdpService } from '../../src/idp/idp.service.js';
import type { NewJwtIdp, NewOidcIdp } from '../../src/idp/new-idp.js';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { paths } from '../../src/org/instance/paths.js';
import type { LoginPolicy } from '../../src/org/policy/login-policy.entity.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { begin, requestIdOf } from '../login/turns.js';
import type { Arrival, Browser } from '../support/browser.js';
import { EDITOR, uniqueName } from '../support/builders.js';
import { type Parameters, type Reply, toQuery } from '../support/http.js';
import type { RelyingParty } from '../support/relying-party.js';
import { CLIENT_ID, CLIENT_SECRET, type Claims, type Upstream } from '../support/upstream.js';
import type { World } from '../support/world.js';

/** Providers that are on this machine may be called. */
export const OUTBOUND = { OUTBOUND_ALLOW: '127.0.0.0/8' };

/** Whose a provider is: an organization's, or the instance's. */
async function ownerOf(world: World, orgId: string | undefined): Promise<{ level: 'instance' | 'org'; id: string }> {
  return orgId === undefined
    ? { level: 'instance', id: (await world.get(InstanceService).get()).id }
    : { level: 'org', id: orgId };
}

/** A provider, as an administrator adds it; answers its id. */
export async function addOidc(
  world: World,
  issuer: string,
  input: Partial<NewOidcIdp> = {},
  orgId?: string,
): Promise<string> {
  const owner = await ownerOf(world, orgId);
  const { id } = await world.transaction((tx) =>
    world.get(IdpService).addOidc(
      tx,
      owner,
      {
        name: uniqueName('Provider'),
        stylingType: 'unspecified',
        autoRegister: false,
        issuer,
        clientId: CLIENT_ID,
        clientSecret: new Secret(CLIENT_SECRET),
        scopes: [],
        displayNameMapping: 'unspecified',
        usernameMapping: 'unspecified',
        ...input,
      },
      EDITOR,
    ),
  );
  await world.changesToArrive();
  return id;
}

export async function addJwt(
  world: World,
  origin: string,
  input: Partial<NewJwtIdp> = {},
  orgId?: string,
): Promise<string> {
  const owner = await ownerOf(world, orgId);
  const { id } = await world.transaction((tx) =>
    world.get(IdpService).addJwt(
      tx,
      owner,
      {
        name: uniqueName('Proxy'),
        stylingType: 'unspecified',
        autoRegister: false,
        issuer: origin,
        jwtEndpoint: `${origin}/enter?kept=1`,
        keysEndpoint: `${origin}/keys`,
        headerName: 'x-jwt',
        ...input,
      },
      EDITOR,
    ),
  );
  await world.changesToArrive();
  return id;
}

export async function changeIdp(
  world: World,
  id: string,
  what: 'deactivate' | 'reactivate' | 'remove',
  orgId?: string,
): Promise<void> {
  const owner = await ownerOf(world, orgId);
  await world.transaction((tx) => world.get(IdpService)[what](tx, owner, id, EDITOR));
  await world.changesToArrive();
}

/** An organization's own login policy. */
export async function setPolicy(world: World, orgId: string, settings: Partial<LoginPolicy>): Promise<void> {
  await world.transaction((tx) => world.get(PolicyService).set(tx, 'login', orgId, settings, EDITOR));
  await world.changesToArrive();
}

/** The way to a provider, from the first page of a new sign-in. */
export async function startPath(rp: RelyingParty, idpId: string, over: Parameters = {}): Promise<string> {
  const requestId = requestIdOf(await begin(rp, over));
  return `${paths.externalStart}?${toQuery({ authRequestID: requestId, idpConfigID: idpId })}`;
}

/** As far as the provider: the address to which the browser is sent there. */
export async function leave(rp: RelyingParty, idpId: string, over: Parameters = {}): Promise<string> {
  const arrival = await rp.browser.get(await startPath(rp, idpId, over));
  if (arrival.redirect === undefined)
    throw new Error(
      `The browser was not sent to the provider, but to ${arrival.page.path}: ${arrival.page.status} ${arrival.page.text.slice(0, 300)}`,
    );
  return arrival.redirect;
}

/** Back with an answer. */
export async function comeBack(browser: Browser, answer: Parameters): Promise<Arrival> {
  return browser.get(`${paths.externalCallback}?${toQuery(answer)}`);
}

export async function comeBackOnce(browser: Browser, answer: Parameters): Promise<Reply> {
  return browser.request('GET', `${paths.externalCallback}?${toQuery(answer)}`);
}

/** To the provider and back as a user. */
export async function visit(
  rp: RelyingParty,
  upstream: Upstream,
  idpId: string,
  about: Claims,
  over: Parameters = {},
): Promise<Arrival> {
  return comeBack(rp.browser, upstream.answerTo(await leave(rp, idpId, over), about));
}

/** Links a user to an account at a provider, as an administrator does. */
export async function link(world: World, idpId: string, userId: string, orgId: string, subject: string): Promise<void> {
  const { IdpLinks } = await import('../../src/idp/idp-links.js');
  await world.transaction((tx) =>
    world.get(IdpLinks).add(tx, { idpId, userId, orgId, externalUserId: subject, displayName: subject }, EDITOR),
  );
}

/** Who is linked with whom at a provider. */
export async function linksOf(
  world: World,
  idpId: string,
): Promise<Array<{ userId: string; externalUserId: string; displayName: string }>> {
  return world.rows(
    'SELECT user_id AS "userId", external_user_id AS "externalUserId", display_name AS "displayName" FROM idp_link WHERE idp_id = $1 ORDER BY 2',
    [idpId],
  );
}

export type { IdpType };
