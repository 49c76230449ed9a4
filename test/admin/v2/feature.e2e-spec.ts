import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callerWith } from '../../support/admin-api.js';
import { addPerson, type Stage, setStage } from '../project-support.js';

const PATH = '/v2/features';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.world.close());

const on = { enabled: true, source: 'SOURCE_SYSTEM' };
const off = { enabled: false, source: 'SOURCE_SYSTEM' };
/** What holds at both levels, and at that of the instance alone. */
const SYSTEM = { loginDefaultOrg: true, userSchema: false, oidcTokenExchange: true, permissionCheckV2: true };
const INSTANCE = { ...SYSTEM, debugOidcParentError: false, consoleUseV2UserApi: false };
const SESSIONS = { oidcSingleV1SessionTermination: true, enableBackChannelLogout: true };

const LEVELS = [
  ['system', SYSTEM],
  ['instance', INSTANCE],
] as const;

describe('Features of the second generation', () => {
  it.each(LEVELS)('say how the service behaves: %s', async (level, switches) => {
    const found = await stage.iamOwner.call('GET', `${PATH}/${level}`);
    const shown = Object.fromEntries(
      Object.entries({ ...switches, ...SESSIONS }).map(([name, value]) => [name, value ? on : off]),
    );
    expect(found).toEqual({
      details: { sequence: '0', resourceOwner: expect.any(String) },
      ...shown,
      improvedPerformance: { executionPaths: [], source: 'SOURCE_SYSTEM' },
      loginV2: { required: false, source: 'SOURCE_SYSTEM' },
    });
  });

  it.each(LEVELS)('are confirmed by the values that hold, and reset: %s', async (level, switches) => {
    const body = { ...switches, ...SESSIONS, improvedPerformance: [], loginV2: { required: false, baseUri: '' } };
    const before = await stage.iamOwner.call('GET', `${PATH}/${level}`);
    expect(await stage.iamOwner.verdict('PUT', `${PATH}/${level}`, body)).toBe('200');
    expect(await stage.iamOwner.verdict('PUT', `${PATH}/${level}`, {})).toBe('200');
    expect(await stage.iamOwner.verdict('DELETE', `${PATH}/${level}`)).toBe('200');
    expect(await stage.iamOwner.call('GET', `${PATH}/${level}`)).toEqual(before);
  });

  it.each(LEVELS)('are refused other values, each by the name of its switch: %s', async (level, switches) => {
    for (const [name, value] of Object.entries({ ...switches, ...SESSIONS }))
      expect(await stage.iamOwner.verdict('PUT', `${PATH}/${level}`, { [name]: !value })).toBe(`400 ${name}`);
    const improvedPerformance = ['IMPROVED_PERFORMANCE_PROJECT'];
    const loginV2 = { required: true, baseUri: 'https://login.test' };
    expect(await stage.iamOwner.verdict('PUT', `${PATH}/${level}`, { improvedPerformance, loginV2 })).toBe(
      '400 improvedPerformance, loginV2.required, loginV2.baseUri',
    );
  });

  it('of organizations and users are none, and are asked for where those are [ADM-101]', async () => {
    const person = await addPerson(stage, stage.orgA);
    for (const [path, refusal] of [
      [`${PATH}/organization/${stage.orgA.id}`, '404 org.not_found'],
      [`${PATH}/user/${person.id}`, '404 user.not_found'],
    ] as const) {
      const details = { sequence: '0', resourceOwner: stage.orgA.id };
      for (const method of ['GET', 'PUT', 'DELETE']) {
        expect(await stage.ownerOfA.call(method, path, method === 'PUT' ? {} : undefined)).toEqual({ details });
        expect(await stage.ownerOfB.verdict(method, path, method === 'PUT' ? {} : undefined)).toBe(refusal);
      }
      expect(await stage.viewerOfA.verdict('GET', path)).toBe('200');
      expect(await stage.viewerOfA.verdict('DELETE', path)).toBe('403 permission.missing');
    }
  });

  it('of the instance are for its managers', async () => {
    const { api: viewer } = await callerWith(stage.world, stage.orgA, ['IAM_OWNER_VIEWER']);
    for (const [level] of LEVELS) {
      expect(await viewer.verdict('GET', `${PATH}/${level}`)).toBe('200');
      expect(await viewer.verdict('PUT', `${PATH}/${level}`, {})).toBe('403 permission.missing');
      expect(await stage.ownerOfA.verdict('GET', `${PATH}/${level}`)).toBe('403 permission.missing');
      expect(await stage.ownerOfA.verdict('DELETE', `${PATH}/${level}`)).toBe('403 permission.missing');
    }
    expect(await viewer.verdict('PUT', '/admin/v1/features/login_default_org')).toBe('403 permission.missing');
    expect(await stage.iamOwner.verdict('PUT', '/admin/v1/features/login_default_org')).toBe('200');
  });
});
