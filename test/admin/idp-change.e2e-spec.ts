import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueName } from '../support/builders.js';
import type { World } from '../support/world.js';
import { type IdpApi, idOf, LEVELS, type Level, oidc, optionsWith, refusalIn } from './idp-api.js';
import { CONFIG, changed, eventsOf, JWT_CONFIG, ownersOfProviders, PREFIXES } from './idp-owners.js';

let world: World;
let owners: Record<Level, IdpApi>;

beforeAll(async () => {
  ({ world, owners } = await ownersOfProviders());
});
afterAll(() => world.close());

describe.each(LEVELS)('Identity providers, %s', (level) => {
  const prefix = PREFIXES[level];
  let api: IdpApi;

  beforeAll(() => {
    api = owners[level];
  });

  it('changes name, look and registration', async () => {
    const id = await api.addOidc();
    const before = await api.get(id);
    const reply = await api.ask('PUT', `idps/${id}`, { name: `${level} renamed`, autoRegister: false });
    expect(reply.json()).toEqual(changed(api));
    const after = await api.get(id);
    expect(after).toEqual({
      ...before,
      name: `${level} renamed`,
      stylingType: 'STYLING_TYPE_UNSPECIFIED',
      autoRegister: false,
      providerOptions: optionsWith(false),
      details: after['details'],
    });
    expect(after['details']).toMatchObject({
      ...reply.json<{ details: object }>().details,
      creationDate: (before['details'] as { creationDate: string }).creationDate,
    });
    expect((await eventsOf(world, id)).at(-1)).toMatchObject({
      type: `${prefix}.idp.config.changed`,
      payload: { idpConfigId: id, name: `${level} renamed`, stylingType: 'unspecified', autoRegister: false },
    });
  });

  it('changes the OIDC configuration; an empty secret keeps the old one', async () => {
    const id = await api.addOidc();
    const secret = async (): Promise<unknown> =>
      (await world.rows('SELECT client_secret FROM idp WHERE id = $1', [id]))[0];
    const old = await secret();
    expect((await api.ask('PUT', `idps/${id}/oidc_config`, CONFIG)).json()).toEqual(changed(api));
    expect(await api.get(id)).toMatchObject({ oidcConfig: CONFIG });
    expect(await secret()).toEqual(old);
    expect((await eventsOf(world, id)).at(-1)?.payload).toEqual({
      idpConfigId: id,
      issuer: CONFIG.issuer,
      clientId: 'other',
      scopes: CONFIG.scopes,
      idpDisplayNameMapping: 'email',
      usernameMapping: 'preferred_username',
    });
    world.plant('another-secret-77');
    expect(
      (await api.ask('PUT', `idps/${id}/oidc_config`, { ...CONFIG, clientSecret: 'another-secret-77' })).status,
    ).toBe(200);
    expect(await secret()).not.toEqual(old);
    expect((await eventsOf(world, id)).at(-1)).toMatchObject({
      type: `${prefix}.idp.oidc.config.changed`,
      payload: { idpConfigId: id, clientSecretChanged: true },
    });
  });

  it('changes the JWT configuration', async () => {
    const id = await api.addJwt();
    expect((await api.ask('PUT', `idps/${id}/jwt_config`, JWT_CONFIG)).json()).toEqual(changed(api));
    expect(await api.get(id)).toMatchObject({ jwtConfig: JWT_CONFIG });
    expect((await eventsOf(world, id)).at(-1)).toMatchObject({
      type: `${prefix}.idp.jwt.config.changed`,
      payload: JWT_CONFIG,
    });
  });

  it('refuses a change that changes nothing, and writes nothing', async () => {
    const input = oidc();
    const id = idOf(await api.ask('POST', 'idps/oidc', input));
    const jwtId = await api.addJwt(JWT_CONFIG);
    const before = await world.contents();
    const replies = [
      await api.ask('PUT', `idps/${id}`, {
        name: input['name'],
        stylingType: input['stylingType'],
        autoRegister: true,
      }),
      await api.ask('PUT', `idps/${id}/oidc_config`, input),
      await api.ask('PUT', `idps/${id}/oidc_config`, { ...input, clientSecret: '' }),
      await api.ask('PUT', `idps/${jwtId}/jwt_config`, JWT_CONFIG),
    ];
    expect(replies.map(refusalIn)).toEqual(Array(4).fill([400, 9, 'idp.unchanged']));
    expect(await world.contents()).toBe(before);
  });

  it('refuses the configuration of the other type', async () => {
    const [oidcId, jwtId] = [await api.addOidc(), await api.addJwt()];
    expect(refusalIn(await api.ask('PUT', `idps/${oidcId}/jwt_config`, JWT_CONFIG))).toEqual([
      400,
      9,
      'idp.other_type',
    ]);
    expect(refusalIn(await api.ask('PUT', `idps/${jwtId}/oidc_config`, CONFIG))).toEqual([400, 9, 'idp.other_type']);
  });

  it('loses none of two changes at once, whatever they change [ADM-034]', async () => {
    const id = await api.addOidc();
    const before = (await api.get(id))['details'] as { sequence: string };
    const replies = await Promise.all([
      api.ask('PUT', `idps/${id}`, { name: `${level} both` }),
      api.ask('PUT', `idps/${id}/oidc_config`, CONFIG),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const after = await api.get(id);
    expect(after).toMatchObject({ name: `${level} both`, oidcConfig: CONFIG });
    expect(Number((after['details'] as { sequence: string }).sequence)).toBe(Number(before.sequence) + 2);
  });

  it('deactivates and reactivates, each once in a row', async () => {
    const id = await api.addOidc();
    expect(refusalIn(await api.ask('POST', `idps/${id}/_reactivate`))).toEqual([400, 9, 'idp.not_inactive']);
    expect((await api.ask('POST', `idps/${id}/_deactivate`)).json()).toEqual(changed(api));
    expect((await api.get(id))['state']).toBe('IDP_STATE_INACTIVE');
    expect(refusalIn(await api.ask('POST', `idps/${id}/_deactivate`))).toEqual([400, 9, 'idp.not_active']);
    expect((await api.ask('POST', `idps/${id}/_reactivate`, { state: 'ignored' })).status).toBe(200);
    expect((await api.get(id))['state']).toBe('IDP_STATE_ACTIVE');
    expect((await eventsOf(world, id)).slice(-2).map(({ type }) => type)).toEqual([
      `${prefix}.idp.config.deactivated`,
      `${prefix}.idp.config.reactivated`,
    ]);
  });

  it('deactivates once if several requests do so at the same time', async () => {
    const id = await api.addOidc();
    const replies = await Promise.all(Array.from({ length: 8 }, () => api.ask('POST', `idps/${id}/_deactivate`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(400)]);
  });

  it('removes, once; its name is free again', async () => {
    const name = uniqueName('gone');
    const id = await api.addOidc({ name });
    const replies = await Promise.all(Array.from({ length: 4 }, () => api.ask('DELETE', `idps/${id}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect(replies.find(({ status }) => status === 200)!.json()).toEqual(changed(api));
    expect(refusalIn(await api.ask('GET', `idps/${id}`))).toEqual([404, 5, 'idp.not_found']);
    expect((await eventsOf(world, id)).at(-1)).toMatchObject({ type: `${prefix}.idp.config.removed` });
    await api.addOidc({ name });
  });
});
