import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { link } from '../idp/external.js';
import { uniqueName } from '../support/builders.js';
import type { World } from '../support/world.js';
import { type IdpApi, idOf, LEVELS, type Level, optionsWith, refusalIn, SECRET } from './idp-api.js';
import { eventsOf, ownersOfProviders } from './idp-owners.js';

let world: World;
let owners: Record<Level, IdpApi>;

beforeAll(async () => {
  ({ world, owners } = await ownersOfProviders());
});
afterAll(() => world.close());

const OPTIONS = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true, isAutoUpdate: true };
const OIDC = {
  issuer: 'https://accounts.example.com',
  clientId: 'gatehouse',
  scopes: ['openid', 'email'],
  isIdTokenMapping: true,
  usePkce: true,
};
const JWT = {
  issuer: 'https://proxy.example.com',
  jwtEndpoint: 'https://proxy.example.com/sign-in',
  keysEndpoint: 'https://proxy.example.com/keys',
  headerName: 'x-jwt',
};
const GOOGLE = { name: 'Google', clientId: 'a', clientSecret: SECRET, scopes: [] };

describe.each(LEVELS)('Identity providers with their whole configuration, %s', (level) => {
  let api: IdpApi;

  beforeAll(() => {
    api = owners[level];
  });

  const added = async (type: string, body: object): Promise<string> =>
    idOf(await api.ask('POST', `idps/${type}`, { name: uniqueName('whole'), ...body }), 'id');
  const shown = async (id: string): Promise<Record<string, unknown>> =>
    (await api.ask('GET', `idps/templates/${id}`)).json<{ idp: Record<string, unknown> }>().idp;
  const secretOf = async (id: string): Promise<unknown> =>
    (await world.rows('SELECT client_secret FROM idp WHERE id = $1', [id]))[0];

  it('are changed at once: name, options and configuration; the secret, the look and the mappings stay', async () => {
    const id = await added('generic_oidc', {
      ...OIDC,
      clientSecret: SECRET,
      usernameMapping: 'OIDC_MAPPING_FIELD_EMAIL',
      stylingType: 'STYLING_TYPE_VENDOR',
    });
    const secret = await secretOf(id);
    const change = { ...OIDC, name: `${level} whole`, issuer: 'https://other.example.com', isIdTokenMapping: false };
    expect((await api.ask('PUT', `idps/generic_oidc/${id}`, { ...change, providerOptions: OPTIONS })).status).toBe(200);
    const { name, clientId, scopes, issuer, usePkce } = { ...change };
    expect(await shown(id)).toMatchObject({
      name,
      type: 'PROVIDER_TYPE_OIDC',
      state: 'IDP_STATE_INACTIVE',
      config: { options: OPTIONS, oidc: { issuer, clientId, scopes, usePkce, isIdTokenMapping: false } },
    });
    expect(await api.get(id)).toMatchObject({
      stylingType: 'STYLING_TYPE_VENDOR',
      oidcConfig: { usernameMapping: 'OIDC_MAPPING_FIELD_EMAIL' },
    });
    expect(await secretOf(id)).toEqual(secret);
    expect((await eventsOf(world, id)).slice(-2).map(({ type }) => type.replace(/^\w+\./, ''))).toEqual([
      'idp.config.changed',
      'idp.oidc.config.changed',
    ]);
  });

  it('keep their options where none are sent, and are not changed by what they are already', async () => {
    const id = await added('generic_jwt', JWT);
    const change = { ...JWT, name: uniqueName('jwt'), headerName: 'x-other' };
    expect((await api.ask('PUT', `idps/generic_jwt/${id}`, change)).status).toBe(200);
    expect(await shown(id)).toMatchObject({
      config: { options: optionsWith(false), jwt: { ...JWT, headerName: 'x-other' } },
    });
    expect(refusalIn(await api.ask('PUT', `idps/generic_jwt/${id}`, change))).toEqual([400, 9, 'idp.unchanged']);
    expect(refusalIn(await api.ask('PUT', `idps/generic_oidc/${id}`, { ...OIDC, name: 'x' }))).toEqual([
      400,
      9,
      'idp.other_type',
    ]);
    expect((await shown(id))['name']).toBe(change.name);
  });

  it('are listed by id, name and owner, and deleted', async () => {
    const id = await added('generic_jwt', { ...JWT, name: `${level} to delete` });
    const list = async (query: object): Promise<string[]> =>
      (await api.ask('POST', 'idps/templates/_search', { queries: [query] }))
        .json<{ result?: Array<{ id: string }> }>()
        .result!.map((one) => one.id);
    expect(await list({ idpIdQuery: { id } })).toEqual([id]);
    expect(await list({ idpNameQuery: { name: `${level} to delete` } })).toEqual([id]);
    expect((await api.ask('DELETE', `idps/templates/${id}`)).status).toBe(200);
    expect(refusalIn(await api.ask('GET', `idps/templates/${id}`))).toEqual([404, 5, 'idp.not_found']);
  });

  it('of a vendor are refused without the extension that knows it', async () => {
    expect(refusalIn(await api.ask('POST', 'idps/google', GOOGLE))).toEqual([400, 9, 'idp.kind_unavailable']);
  });
});

describe('Identity providers of others, with their whole configuration [ADM-004]', () => {
  it('are not changed or deleted; of the instance they are seen', async () => {
    const { admin, management } = owners;
    const id = idOf(await admin.ask('POST', 'idps/generic_jwt', { name: uniqueName('theirs'), ...JWT }), 'id');
    expect((await management.ask('GET', `idps/templates/${id}`)).status).toBe(200);
    const change = { ...JWT, name: 'mine now' };
    for (const [method, path] of [
      ['PUT', `idps/generic_jwt/${id}`],
      ['DELETE', `idps/templates/${id}`],
    ] as const)
      expect(refusalIn(await management.ask(method, path, change))).toEqual([404, 5, 'idp.not_found']);
  });

  it('that a stronger person is linked with are renamed, and not pointed elsewhere', async () => {
    const { management } = owners;
    const id = idOf(await management.ask('POST', 'idps/generic_jwt', { name: uniqueName('linked'), ...JWT }), 'id');
    const strong = await world.add.person({ orgId: management.ownerId });
    const [instance] = await world.rows<{ id: string }>('SELECT id FROM instance');
    await world.add.member(strong.id, ['IAM_OWNER'], {
      level: 'instance',
      objectId: instance!.id,
      orgId: instance!.id,
    });
    await link(world, id, strong.id, management.ownerId, 'strong');
    const renamed = { ...JWT, name: uniqueName('renamed') };
    expect((await management.ask('PUT', `idps/generic_jwt/${id}`, renamed)).status).toBe(200);
    const pointed = { ...renamed, name: uniqueName('pointed'), keysEndpoint: 'https://mine.example.com/keys' };
    expect(refusalIn(await management.ask('PUT', `idps/generic_jwt/${id}`, pointed))).toEqual([
      403,
      7,
      'permission.user_too_strong',
    ]);
    const kept = (await management.ask('GET', `idps/templates/${id}`)).json<{ idp: object }>();
    expect(kept.idp).toMatchObject({ name: renamed.name, config: { jwt: JWT } });
  });
});
