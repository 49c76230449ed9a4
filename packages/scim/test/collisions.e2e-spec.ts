import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, startWorld, type TestOrg, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import { addDirectory, type Directory, patchOf } from './support/directory.js';

let world: World;
let org: TestOrg;
let owner: AdminApi;
let directory: Directory;

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
  org = await world.add.organization();
  owner = await world.manager(['ORG_OWNER'], org);
  directory = await addDirectory(world, org);
});
afterAll(() => world.close());

const rename = (value: string): object => patchOf({ op: 'replace', path: 'displayName', value });
/** PostgreSQL looks for deadlocks after so long. */
const DEADLOCK_MS = 1_000;

/** Statuses of the answers, and how long the slowest took. */
async function together(...requests: ReadonlyArray<() => Promise<{ readonly status: number }>>) {
  const begun = performance.now();
  const replies = await Promise.all(requests.map(async (request) => request()));
  return { statuses: replies.map(({ status }) => status), milliseconds: performance.now() - begun };
}

describe('SCM-018: a manager removes what the directory changes at the same moment', () => {
  it.each(['Users', 'Groups'])('%s: nobody waits for a deadlock, and what is gone is not found', async (endpoint) => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = endpoint === 'Users' ? await directory.add() : await directory.addGroup();
      const path = `/management/v1/${endpoint.toLowerCase()}/${id}`;
      const { statuses, milliseconds } = await together(
        () => directory.ask('PATCH', `/${endpoint}/${id}`, rename(`a${round}${id}`)),
        () => owner.call('DELETE', path).then(() => ({ status: 204 })),
        () => directory.ask('PATCH', `/${endpoint}/${id}`, rename(`b${round}${id}`)),
      );
      for (const status of statuses) expect([200, 204, 404]).toContain(status);
      expect(milliseconds).toBeLessThan(DEADLOCK_MS);
    }
  });
});

describe('SCM-001: an ID that cannot be stored', () => {
  it('is that of nobody, also in a bulk request', async () => {
    const operations = ['/Users/a\0', '/Groups/a\0', '/Users/\ud800'].map((path) => ({ method: 'DELETE', path }));
    const { Operations } = await directory.call<{ Operations: ReadonlyArray<{ status: string }> }>('POST', '/Bulk', {
      Operations: operations,
    });
    expect(Operations.map(({ status }) => status)).toEqual(['404', '404', '404']);
    for (const path of ['/Users/%00', '/Groups/a%00']) expect((await directory.ask('GET', path)).status).toBe(404);
    const group = await directory.addGroup();
    const removal = await directory.patchGroup(group.id, { op: 'remove', path: 'members[value eq "a\\u0000"]' });
    expect(removal.status).toBe(400);
    expect(removal.text).toContain('noTarget');
  });
});
