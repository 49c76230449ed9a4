import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/admin-api.js';
import { type Stage, setStage } from '../project-support.js';

const V1 = '/management/v1/configuration';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.world.close());

describe('A name in a configuration', () => {
  it('is only a name, also where every object has a member that is called so [ADM-115]', async () => {
    const { ownerOfA, orgA } = stage;
    const projects = ['__proto__', 'constructor', 'toString'];
    for (const name of projects) await ownerOfA.call('POST', '/management/v1/projects', { name });
    const roles = { polluted: { displayName: 'Role' } };
    const given = Object.fromEntries(projects.map((name) => [name, { projectRoleCheck: true, roles }]));
    const configuration = { organizations: { [orgA.domain]: { projects: given } } };
    const { changes } = await ownerOfA.call<{ changes: unknown[] }>('POST', `${V1}/_plan`, { configuration });
    expect(changes).toHaveLength(6);
    const { position } = await ownerOfA.call('POST', `${V1}/_apply`, { configuration });
    expect(({} as Json)['roles']).toBeUndefined();
    const pulled = await ownerOfA.call('POST', `${V1}/_pull`, { withoutInstance: true });
    const there = pulled['configuration'].organizations[orgA.domain].projects as Json;
    expect(Object.keys(there).sort()).toEqual([...projects].sort());
    const { undo } = await ownerOfA.call<{ undo: Json }>('GET', `${V1}/applied/${position as string}`);
    const undone = (undo as { organizations: Record<string, Json> }).organizations[orgA.domain]!['projects'] as Json;
    expect(Object.entries(undone).sort(([one], [other]) => (one < other ? -1 : 1))).toEqual(
      [...projects].sort().map((name) => [name, { projectRoleCheck: false, roles: { polluted: null } }]),
    );
  });
});

describe('Words that nobody knows', () => {
  it('cost as little however long or many they are [ADM-113]', async () => {
    const words = [['x'.repeat(900_000)], Array.from({ length: 60_000 }, (_, index) => `unknown${index}`)];
    for (const names of words) {
      const login = Object.fromEntries(names.map((name) => [name, 1]));
      const { refusals } = await stage.viewerOfA.call<{ refusals: Array<{ field: string }> }>('POST', `${V1}/_plan`, {
        configuration: { instance: { policies: { login } } },
      });
      expect(refusals.length).toBe(Math.min(names.length, 100));
      expect(refusals[0]!.field.length).toBeLessThan(100);
    }
  });
});
