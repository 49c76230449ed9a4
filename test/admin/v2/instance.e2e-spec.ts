import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callerWith } from '../../support/admin-api.js';
import { type Stage, setStage } from '../project-support.js';

const PATH = '/v2/instances';
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown as string;

let stage: Stage;
let place: string;
let instance: { readonly id: string; readonly name: string; readonly version: string };
let host: string;

beforeAll(async () => {
  stage = await setStage();
  ({ instance } = await stage.iamOwner.call('GET', '/admin/v1/instances/me'));
  place = `${PATH}/${instance.id}`;
  host = new URL(stage.world.origin).hostname;
});
afterAll(() => stage.world.close());

describe('The instance in the second generation', () => {
  it('is that of the first, alone in its list, with the host of the public URL as its domain', async () => {
    const { id, name, version } = instance;
    const domain = { instanceId: id, creationDate: DATE, domain: host, primary: true, generated: false };
    const shown = { id, name, version, changeDate: DATE, creationDate: DATE, state: 'STATE_RUNNING' };
    const { instance: found } = await stage.iamOwner.call('GET', place);
    expect(found).toEqual({ ...shown, customDomains: [domain] });
    expect(await stage.iamOwner.call('POST', `${PATH}/_search`, {})).toEqual({
      instances: [found],
      pagination: { totalResult: '1', appliedLimit: '100' },
    });
    expect((await stage.iamOwner.call('POST', `${place}/custom_domains/_search`, {})).domains).toEqual([domain]);
    expect((await stage.iamOwner.call('POST', `${place}/trusted_domains/_search`, {})).trustedDomain).toEqual([]);
    const first = await stage.iamOwner.call('POST', '/admin/v1/domains/_search', {});
    expect(first.result).toMatchObject([{ domain: host, primary: true, generated: false }]);
    expect((await stage.iamOwner.call('POST', '/admin/v1/trusted_domains/_search', {})).result).toEqual([]);
  });

  it('and its domain are found by their filters', async () => {
    const found = async (path: string, list: string, filters: object): Promise<number> =>
      (await stage.iamOwner.call<Record<string, unknown[]>>('POST', path, { ...filters }))[list]!.length;
    const instances = async (...filters: object[]) => found(`${PATH}/_search`, 'instances', { filters });
    expect(await instances({ inIdsFilter: { ids: [instance.id] } })).toBe(1);
    expect(await instances({ inIdsFilter: { ids: ['1'] } })).toBe(0);
    expect(await instances({ customDomainsFilter: { domains: ['other.test', host] } })).toBe(1);
    expect(await instances({ customDomainsFilter: { domains: ['other.test'] } })).toBe(0);
    const text = { domain: host.slice(1, 4).toUpperCase(), method: 'TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE' };
    const domains = async (...filters: object[]) => found(`${place}/custom_domains/_search`, 'domains', { filters });
    expect(await domains({ domainFilter: text }, { primaryFilter: true }, { generatedFilter: false })).toBe(1);
    expect(await domains({ primaryFilter: false })).toBe(0);
    expect(await domains({ domainFilter: { domain: 'other' } })).toBe(0);
    const inFirst = async (...queries: object[]) => found('/admin/v1/domains/_search', 'result', { queries });
    expect(
      await inFirst(
        { domainQuery: text },
        { primaryQuery: { primary: true } },
        { generatedQuery: { generated: false } },
      ),
    ).toBe(1);
    expect(await inFirst({ generatedQuery: { generated: true } })).toBe(0);
  });

  it('is renamed, which the first generation shows as well', async () => {
    expect(await stage.iamOwner.call('POST', place, { instanceName: 'Birkenhof' })).toEqual({ changeDate: DATE });
    expect((await stage.iamOwner.call('GET', '/admin/v1/instances/me')).instance).toMatchObject({ name: 'Birkenhof' });
    expect(await stage.iamOwner.verdict('POST', place, { instanceName: '' })).toBe('400 instanceName');
    await stage.iamOwner.call('POST', place, { instanceName: instance.name });
  });

  it('keeps its address, which is in the configuration, and is not deleted', async () => {
    const { iamOwner } = stage;
    expect([
      await iamOwner.verdict('POST', `${place}/custom_domains`, { customDomain: 'new.test' }),
      await iamOwner.verdict('DELETE', `${place}/custom_domains/${host}`),
      await iamOwner.verdict('POST', `${place}/trusted_domains`, { trustedDomain: 'new.test' }),
      await iamOwner.verdict('DELETE', `${place}/trusted_domains/new.test`),
      await iamOwner.verdict('DELETE', place),
    ]).toEqual([
      '400 instance.domains_configured',
      '400 instance.domains_configured',
      '400 instance.no_trusted_domains',
      '400 instance.no_trusted_domains',
      '400 instance.kept',
    ]);
  });

  it('is the only one', async () => {
    for (const [method, path, body] of [
      ['GET', `${PATH}/1`],
      ['POST', `${PATH}/1`, { instanceName: 'Other' }],
      ['DELETE', `${PATH}/1`],
      ['POST', `${PATH}/1/custom_domains/_search`, {}],
      ['POST', `${PATH}/1/custom_domains`, { customDomain: 'new.test' }],
      ['POST', `${PATH}/1/trusted_domains/_search`, {}],
      ['POST', `${PATH}/1/trusted_domains`, { trustedDomain: 'new.test' }],
    ] as const)
      expect([path, await stage.iamOwner.verdict(method, path, body)]).toEqual([path, '404 instance.not_found']);
  });

  it('is read by managers of the instance who may, and changed by its owners', async () => {
    const { api: viewer } = await callerWith(stage.world, stage.orgA, ['IAM_OWNER_VIEWER']);
    expect(await viewer.verdict('GET', place)).toBe('200');
    expect(await viewer.verdict('POST', place, { instanceName: 'Mine' })).toBe('403 permission.missing');
    for (const path of [`${PATH}/_search`, '/admin/v1/domains/_search', `${place}/custom_domains/_search`])
      expect(await stage.ownerOfA.verdict('POST', path, {})).toBe('403 permission.missing');
    expect(await stage.ownerOfA.verdict('POST', place, { instanceName: 'Mine' })).toBe('403 permission.missing');
  });
});
