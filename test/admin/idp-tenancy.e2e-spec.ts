import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueName } from '../support/builders.js';
import type { World } from '../support/world.js';
import { callerWith, type IdpApi, type Level, refusalIn } from './idp-api.js';
import { CONFIG, ownersOfProviders } from './idp-owners.js';

let world: World;
let owners: Record<Level, IdpApi>;

beforeAll(async () => {
  ({ world, owners } = await ownersOfProviders());
});
afterAll(() => world.close());

describe('Identity providers of others [ADM-004, ADM-005]', () => {
  let mine: IdpApi;
  let theirs: IdpApi;
  let ofTheirs: string;
  let ofInstance: string;

  beforeAll(async () => {
    mine = owners.management;
    theirs = await callerWith(world, 'management', ['ORG_OWNER'], await world.cast.orgB);
    ofTheirs = await theirs.addOidc();
    ofInstance = await owners.admin.addOidc();
  });

  const requests = (id: string): ReadonlyArray<readonly [string, string, unknown?]> => [
    ['PUT', `idps/${id}`, { name: 'mine now' }],
    ['PUT', `idps/${id}/oidc_config`, CONFIG],
    ['POST', `idps/${id}/_deactivate`],
    ['POST', `idps/${id}/_reactivate`],
    ['POST', `idps/${id}/_test`],
    ['DELETE', `idps/${id}`],
  ];

  it('are neither found nor changed, and the answer is that of an id that does not exist', async () => {
    const before = await world.contents();
    for (const [index, [method, path, body]] of [
      ...requests(ofTheirs),
      ['GET', `idps/${ofTheirs}`] as const,
    ].entries()) {
      const [, unknown] = [...requests('1'), ['GET', 'idps/1'] as const][index]!;
      const reply = await mine.ask(method, path, body);
      expect(refusalIn(reply)).toEqual([404, 5, 'idp.not_found']);
      expect(reply.text).toBe((await mine.ask(method, unknown, body)).text);
    }
    expect(await world.contents()).toBe(before);
    expect(await mine.names([{ idpIdQuery: { id: ofTheirs } }])).toEqual([]);
  });

  it('are not reached by the header of their organization, nor by naming them in the body', async () => {
    for (const [method, path, body] of requests(ofTheirs))
      expect((await mine.about(theirs.ownerId).ask(method, path, body)).status).toBe(403);
    const own = await mine.addOidc();
    const smuggled = await mine.ask('PUT', `idps/${own}`, {
      name: uniqueName('own'),
      idpId: ofTheirs,
      ownerId: theirs.ownerId,
      resourceOwner: theirs.ownerId,
    });
    expect(smuggled.status).toBe(200);
    expect((await theirs.get(ofTheirs))['name']).not.toMatch(/^own/);
    expect((await mine.get(own))['details']).toMatchObject({ resourceOwner: mine.ownerId });
  });

  it('of the instance are seen by an organization, and not changed', async () => {
    expect(await mine.get(ofInstance)).toMatchObject({ id: ofInstance, owner: 'IDP_OWNER_TYPE_SYSTEM' });
    for (const [method, path, body] of requests(ofInstance))
      expect(refusalIn(await mine.ask(method, path, body))).toEqual([404, 5, 'idp.not_found']);
  });

  it('of an organization are not those of the instance, for any caller', async () => {
    for (const [method, path, body] of [...requests(ofTheirs), ['GET', `idps/${ofTheirs}`] as const]) {
      expect(refusalIn(await owners.admin.ask(method, path, body))).toEqual([404, 5, 'idp.not_found']);
    }
    expect(await owners.admin.names([{ idpIdQuery: { id: ofTheirs } }])).toEqual([]);
  });

  it('are managed by an owner of the instance who names the organization in the header', async () => {
    const api = owners.admin.at('management').about(theirs.ownerId);
    const id = await api.addJwt();
    expect(await theirs.get(id)).toMatchObject({
      owner: 'IDP_OWNER_TYPE_ORG',
      details: { resourceOwner: theirs.ownerId },
    });
    expect((await api.ask('DELETE', `idps/${id}`)).status).toBe(200);
  });

  it('may have the same name: it belongs to its owner', async () => {
    const name = uniqueName('common');
    for (const api of [owners.admin, mine, theirs]) await api.addOidc({ name });
  });
});
