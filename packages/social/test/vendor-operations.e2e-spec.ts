import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Stage, somebody } from './support/stage.js';
import { CLIENT_ID, CLIENT_SECRET, TENANT } from './support/vendors.js';

/** The operations of the described API for vendors (`AddGoogleProvider` …), over the kinds of this package. */

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.set();
});
afterAll(() => stage.close());

const OPTIONS = {
  isLinkingAllowed: true,
  isCreationAllowed: true,
  isAutoCreation: true,
  isAutoUpdate: false,
  autoLinking: 'AUTO_LINKING_OPTION_UNSPECIFIED',
};
const CLIENT = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
const SCOPES = ['openid', 'extra'];

async function add(path: string, body: Record<string, unknown>): Promise<string> {
  const { id } = await stage.admin.call<{ id: string }>('POST', `/admin/v1/idps/${path}`, body);
  await stage.world.changesToArrive();
  return id;
}

interface Shown {
  readonly name: string;
  readonly type: string;
  readonly config: Record<string, unknown>;
}

async function shown(id: string): Promise<Shown> {
  return (await stage.admin.call<{ idp: Shown }>('GET', `/admin/v1/idps/templates/${id}`)).idp;
}

const endpointsAt = (base: string): object => ({
  authorizationEndpoint: `${base}/login/oauth/authorize`,
  tokenEndpoint: `${base}/login/oauth/access_token`,
  userEndpoint: `${base}/api/v3/user`,
});

describe('A provider that an operation of its vendor adds', () => {
  it.each([
    ['google', 'PROVIDER_TYPE_GOOGLE', 'google', {}],
    ['azure', 'PROVIDER_TYPE_AZURE_AD', 'azureAd', { tenant: { tenantId: TENANT }, emailVerified: false }],
    ['github', 'PROVIDER_TYPE_GITHUB', 'github', {}],
    ['github_es', 'PROVIDER_TYPE_GITHUB_ES', 'githubEs', endpointsAt('https://git.acme.example')],
    ['gitlab', 'PROVIDER_TYPE_GITLAB', 'gitlab', {}],
    ['gitlab_self_hosted', 'PROVIDER_TYPE_GITLAB_SELF_HOSTED', 'gitlabSelfHosted', { issuer: 'https://git.example' }],
    [
      'oauth',
      'PROVIDER_TYPE_OAUTH',
      'oauth',
      { ...endpointsAt('https://sso.acme.example'), idAttribute: 'id', usePkce: false },
    ],
  ])('is read and changed in the same words: %s', async (path, type, member, own) => {
    const sent = { name: path, ...CLIENT, ...own, scopes: SCOPES, providerOptions: OPTIONS };
    const id = await add(path, sent);
    const config = { clientId: CLIENT_ID, ...own, scopes: SCOPES };
    expect(await shown(id)).toMatchObject({ name: path, type, config: { options: OPTIONS, [member]: config } });
    const method = path.startsWith('gitlab') ? 'POST' : 'PUT';
    const change = { ...sent, id, name: `${path} 2`, clientSecret: '', scopes: ['openid'] };
    expect(await stage.admin.verdict(method, `/admin/v1/idps/${path}/${id}`, change)).toBe('200');
    expect(await shown(id)).toMatchObject({
      name: `${path} 2`,
      type,
      config: { options: OPTIONS, [member]: { ...config, scopes: ['openid'] } },
    });
    expect(await stage.admin.verdict(method, `/admin/v1/idps/${path}/${id}`, change)).toBe('400 idp.unchanged');
    expect(await stage.admin.verdict('DELETE', `/admin/v1/idps/templates/${id}`)).toBe('200');
    expect(await stage.admin.verdict('GET', `/admin/v1/idps/templates/${id}`)).toBe('404 idp.not_found');
  });

  it('signs users in, with the secret that a change left as it was', async () => {
    const endpoints = endpointsAt(stage.vendors.at('github'));
    const body = { name: 'GHES', ...CLIENT, ...endpoints, scopes: ['read:org'], providerOptions: OPTIONS };
    const id = await add('github_es', body);
    await stage.admin.call('PUT', `/admin/v1/idps/github_es/${id}`, {
      ...body,
      name: 'GHES of Acme',
      clientSecret: '',
    });
    await stage.world.changesToArrive();
    const asked = new URL(await stage.leave(stage.elsewhere(), id)).searchParams.get('scope');
    expect(asked).toBe('read:user user:email read:org');
    const ann = somebody();
    expect(await stage.visit(id, ann)).toBe(302);
    expect((await stage.linked(id)).map(({ subject }) => subject)).toEqual([ann.subject]);
  });

  it('keeps the settings that the words of the vendor do not have', async () => {
    const id = await stage.add('google', { hostedDomains: ['acme.example'] }, { name: 'Workspace' });
    const change = { name: 'Workspace 2', clientId: CLIENT_ID, clientSecret: '', scopes: SCOPES };
    await stage.admin.call('PUT', `/admin/v1/idps/google/${id}`, change);
    const { idp } = await stage.admin.call<{ idp: object }>('GET', `/admin/v1/idps/${id}`);
    expect(idp).toMatchObject({
      providerOptions: OPTIONS,
      extensionConfig: { settings: { hostedDomains: ['acme.example'], scopes: SCOPES } },
    });
  });

  it('is changed by the operations of its own vendor alone', async () => {
    const id = await stage.add('google', {}, { name: 'Not GitHub' });
    const change = { name: 'x', ...CLIENT, scopes: SCOPES };
    expect(await stage.admin.verdict('PUT', `/admin/v1/idps/github/${id}`, change)).toBe('400 idp.other_type');
    expect(
      await stage.admin.verdict('PUT', `/admin/v1/idps/generic_oidc/${id}`, { ...change, issuer: 'https://a.b' }),
    ).toBe('400 idp.other_type');
    expect((await shown(id)).name).toBe('Not GitHub');
  });
});

describe('Addresses of Microsoft', () => {
  it('are not taken for verified by a switch', async () => {
    const body = { name: 'All verified', ...CLIENT, tenant: { tenantId: TENANT }, emailVerified: true, scopes: SCOPES };
    expect(await stage.admin.verdict('POST', '/admin/v1/idps/azure', body)).toBe('400 emailVerified');
  });

  it.each(['AZURE_AD_TENANT_TYPE_ORGANISATIONS', 'AZURE_AD_TENANT_TYPE_CONSUMERS', 'AZURE_AD_TENANT_TYPE_COMMON'])(
    'may be of many tenants: %s',
    async (tenantType) => {
      const id = await add('azure', { name: tenantType, ...CLIENT, tenant: { tenantType }, scopes: SCOPES });
      expect((await shown(id)).config['azureAd']).toMatchObject({ tenant: { tenantType } });
    },
  );
});
