import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { protoFilesOf } from '../../src/process/description/proto-files.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { uniqueName } from '../support/builders.js';
import { send } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { addGrant, addProject, type Stage, setStage } from './project-support.js';

let stage: Stage;
let acme: World;

beforeAll(async () => {
  [stage, acme] = await Promise.all([setStage(), startWorld({ env: { URN_WORD: 'acme-id' } })]);
});
afterAll(async () => {
  await stage.world.close();
  await acme.close();
});

describe('A path with the word of the installation (URN_WORD)', () => {
  it('is served with the word as with its placeholder, in any case and with a query', async () => {
    const { api } = await callerWith(acme, await acme.add.org(), ['ORG_OWNER']);
    const { result } = await api.call<{ result: string[] }>('POST', '/auth/v1/permissions/service/me/_search', {});
    expect(result).toContain('org.read');
    for (const path of ['acme-id/me/_search', 'ACME-ID/me/_search/', 'acme-id/me/_search?x=1']) {
      expect((await api.call('POST', `/auth/v1/permissions/${path}`, {}))['result']).toEqual(result);
    }
    expect(await api.verdict('POST', '/auth/v1/permissions/other/me/_search', {})).toMatch(/^404/);
  });

  it('refuses another method, and callers without a token, like any other path', async () => {
    const path = '/auth/v1/permissions/acme-id/me/_search';
    expect((await send(acme.origin, { path, headers: bearer('x') })).status).toBe(405);
    expect((await send(acme.origin, { path, method: 'POST' })).status).toBe(401);
  });

  it('is in the documentation with the word', async () => {
    const { paths } = (await send(acme.origin, { path: '/docs-json' })).json<{ paths: Record<string, unknown> }>();
    expect(Object.keys(paths).filter((path) => path.includes('/permissions/'))).toEqual([
      '/auth/v1/permissions/acme-id/me/_search',
    ]);
  });
});

describe('A value that clients of another vendor call otherwise', () => {
  const jwtIdp = (stylingType: string | number): Record<string, unknown> => ({
    name: uniqueName('jwt'),
    stylingType,
    jwtEndpoint: 'https://proxy.test/jwt',
    issuer: 'urn:proxy',
    keysEndpoint: 'https://proxy.test/keys',
    headerName: 'x-jwt',
  });
  const stylings = async (api: AdminApi): Promise<unknown[]> =>
    Promise.all(
      ['STYLING_TYPE_GOOGLE', 'STYLING_TYPE_VENDOR', 1].map(async (stylingType) => {
        const { idpId } = await api.call('POST', '/management/v1/idps/jwt', jwtIdp(stylingType));
        return (await api.call('GET', `/management/v1/idps/${idpId}`))['idp'].stylingType;
      }),
    );

  it('is read by either name and by its number, and answered by ours', async () => {
    expect(await stylings(stage.ownerOfA)).toEqual(Array(3).fill('STYLING_TYPE_VENDOR'));
    expect(await stage.ownerOfA.verdict('POST', '/management/v1/idps/jwt', jwtIdp('STYLING_TYPE_OTHER'))).toBe(
      '400 stylingType',
    );
  });

  it('is answered and documented by theirs where the installation has their word', async () => {
    expect(await stylings((await callerWith(acme, await acme.add.org(), ['ORG_OWNER'])).api)).toEqual(
      Array(3).fill('STYLING_TYPE_GOOGLE'),
    );
    const { text } = await send(acme.origin, { path: '/docs-json' });
    expect([text.includes('"STYLING_TYPE_GOOGLE"'), text.includes('"STYLING_TYPE_VENDOR"')]).toEqual([true, false]);
    const files = await protoFilesOf('acme-id');
    expect(files.get('acme_id/v1/types.proto')).toContain('STYLING_TYPE_GOOGLE = 1;');
  });
});

describe('Other routes that clients know', () => {
  it('POST …/policies/login/auth_factors/_search lists what multi_factors lists', async () => {
    const [one, other] = await Promise.all(
      ['multi', 'auth'].map(async (word) =>
        stage.ownerOfA.call('POST', `/management/v1/policies/login/${word}_factors/_search`, {}),
      ),
    );
    expect(other!['result']).toEqual(one!['result']);
    expect(await stage.nobodyOfA.verdict('POST', '/management/v1/policies/login/auth_factors/_search', {})).toBe(
      '403 permission.missing',
    );
  });

  it('GET …/granted_projects/{}/grants/{}/roles/_search lists the roles, and takes the range from the query in either spelling', async () => {
    const { ownerOfA, ownerOfB, nobodyOfA, orgB } = stage;
    const projectId = await addProject(ownerOfA, ['a', 'b', 'c']);
    const grantId = await addGrant(ownerOfA, projectId, orgB, ['a', 'b', 'c']);
    const path = `/management/v1/granted_projects/${projectId}/grants/${grantId}/roles/_search`;
    const keys = async (query: string): Promise<string[]> =>
      (await ownerOfB.call('GET', `${path}${query}`))['result'].map(({ key }: { key: string }) => key);
    expect(await keys('')).toEqual(['a', 'b', 'c']);
    expect(await keys('?query.offset=1&query.limit=1&query.asc=true')).toEqual(['b']);
    expect(await keys('?query.asc=false')).toEqual(['c', 'b', 'a']);
    expect(await ownerOfB.verdict('GET', `${path}?query.limit=x`)).toBe('400 query.limit');
    expect(await ownerOfB.verdict('GET', `${path}?query=1`)).toBe('400 query');
    expect(await ownerOfB.verdict('GET', `${path}?query.limit=1&query.limit=2`)).toBe('400 query.limit');
    expect(await nobodyOfA.verdict('GET', path)).toBe('403 permission.missing');
  });
});
