import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as client from '../../src/client/index.js';
import {
  type AnyOperation,
  addHumanUser,
  addMachineKey,
  addMachineUser,
  bulkRemoveUserMetadata,
  bulkSetUserMetadata,
  connect,
  each,
  exportData,
  type Gatehouse,
  GatehouseError,
  getInstanceLabelFilePreview,
  getLoginSettingsV2,
  getMyOrg,
  getMyUser,
  getUserByID,
  isRefusal,
  issueToken,
  type ListOperation,
  listEvents,
  listUserMetadata,
  listUsers,
  listUsersV2,
  lockUser,
  raw,
  setInstanceLabelFile,
  updateUserName,
} from '../../src/client/index.js';
import { keyFile, serviceKey, tokenFile } from '../../src/client/node.js';
import { callerWith } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { png } from '../support/images.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let org: TestOrg;
let token: string;
/** The owner of the instance, about the organization. */
let gatehouse: Gatehouse;
let folder: string;

beforeAll(async () => {
  world = await startWorld({ realTime: true });
  org = await world.add.org();
  token = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api.token;
  gatehouse = connect({ url: world.origin, token, organization: org.id });
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-keys-'));
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const addPerson = async (on = gatehouse): Promise<string> => {
  const userName = uniqueName('person');
  const email = { email: `${userName}@birkenhof.example`, isEmailVerified: true };
  return (await addHumanUser(on, { userName, profile: { firstName: 'Ilse', lastName: 'Brandt' }, email })).userId;
};

/** Counts what is sent, by the ends of the paths. */
function counting(): { readonly sent: string[]; readonly fetch: client.Fetch } {
  const sent: string[] = [];
  return {
    sent,
    fetch: (url, init) => {
      sent.push(new URL(url).pathname);
      return fetch(url, init);
    },
  };
}

describe('A call of an operation', () => {
  it('takes members of the path, the query and the body as one object, and answers what is documented', async () => {
    const id = await addPerson();
    const userName = uniqueName('renamed');
    await updateUserName(gatehouse, { userId: id, userName });
    const { user } = await getUserByID(gatehouse, { id });
    expect([user?.userName, user?.human?.profile?.firstName, user?.state]).toEqual([
      userName,
      'Ilse',
      'USER_STATE_INITIAL',
    ]);
    const metadata = ['a', 'b', 'c'].map((key) => ({ key, value: 'eA==' }));
    await bulkSetUserMetadata(gatehouse, { id, metadata });
    await bulkRemoveUserMetadata(gatehouse, { id, keys: ['a', 'c'] });
    const left = await listUserMetadata(gatehouse, { id });
    expect(left.result.map(({ key }) => key)).toEqual(['b']);
    const { settings } = await getLoginSettingsV2(gatehouse, { ctx: { instance: true } });
    expect(settings).toMatchObject({ allowUsernamePassword: true });
  });

  it('is about the organization of the connection, or its own, or the caller’s', async () => {
    const other = await world.add.org();
    const names = await Promise.all([
      getMyOrg(gatehouse),
      getMyOrg(gatehouse, {}, { organization: other.id }),
      getMyOrg(connect({ url: world.origin, token })),
    ]);
    expect(names.slice(0, 2).map((one) => one.org?.id)).toEqual([org.id, other.id]);
    expect([org.id, other.id]).not.toContain(names[2].org?.id);
  });

  it('sends forms and files, and answers pictures', async () => {
    const bytes = png({ width: 3, height: 2 });
    await setInstanceLabelFile(gatehouse, {
      image: 'logo',
      file: new Blob([new Uint8Array(bytes)], { type: 'image/png' }),
    });
    const picture = await getInstanceLabelFilePreview(gatehouse, { image: 'logo' });
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(Buffer.from(bytes));
    expect(picture.type).toBe('image/png');

    const call = issueToken(gatehouse, { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x' });
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(isRefusal(error, issueToken, 'invalid_client')).toBe(true);
  });

  it('gives the response itself for what is larger than memory', async () => {
    const answer = await raw(gatehouse, exportData, { orgIds: [org.id], responseOutput: true });
    expect(answer).toBeInstanceOf(Response);
    expect(await answer.json()).toMatchObject({ orgs: [{ orgId: org.id }] });
  });
});

describe('A refusal', () => {
  it('is told by its operation and reason', async () => {
    const error: unknown = await getUserByID(gatehouse, { id: '404' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GatehouseError);
    expect(error).toMatchObject({ status: 404, reason: 'user.not_found', operation: getUserByID, fields: [] });
    expect(isRefusal(error, getUserByID)).toBe(true);
    expect(isRefusal(error, getUserByID, 'permission.missing', 'user.not_found')).toBe(true);
    expect(isRefusal(error, getUserByID, 'permission.missing')).toBe(false);
    expect(isRefusal(error, lockUser, 'user.not_found')).toBe(false);
    expect(isRefusal(new Error('user.not_found'), getUserByID)).toBe(false);
  });

  it('names the fields that are invalid', async () => {
    const call = addHumanUser(gatehouse, { userName: '', profile: {}, email: { email: 'x' } } as never);
    const error = (await call.catch((thrown: unknown) => thrown)) as GatehouseError;
    expect([error.status, error.reason]).toEqual([400, 'request.invalid']);
    expect(error.fields.map(({ field }) => field)).toEqual(expect.arrayContaining(['userName', 'profile.firstName']));
  });

  it('contains no token', async () => {
    const error = (await getMyUser(gatehouse, {}, { token: 'dead-token-word' }).catch(
      (thrown: unknown) => thrown,
    )) as Error;
    expect(error).toMatchObject({ status: 401, reason: 'token.dead' });
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain('dead-token-word');
  });
});

describe('A token', () => {
  it('of a function is asked for with each request, and once more when it is refused', async () => {
    const asked: Array<string | undefined> = [];
    const give = ({ refused }: client.TokenRequest): string => {
      asked.push(refused);
      return refused === undefined ? 'ended' : token;
    };
    await getMyUser(gatehouse, {}, { token: give });
    expect(asked).toEqual([undefined, 'ended']);
    const dead = (): string => 'ended';
    await expect(getMyUser(gatehouse, {}, { token: dead })).rejects.toMatchObject({ reason: 'token.dead' });
  });

  it('may have white space around it, and be read from a file, also from one that is replaced', async () => {
    const path = join(folder, 'admin.pat');
    const read = connect({ url: world.origin, token: tokenFile(path) });
    await expect(getMyUser(read)).rejects.toThrow('ENOENT');
    writeFileSync(path, 'ended\n');
    await expect(getMyUser(read)).rejects.toMatchObject({ reason: 'token.dead' });
    writeFileSync(path, `${token}\n`);
    expect(await getMyUser(read)).toMatchObject({ user: {} });
    await getMyUser(connect({ url: world.origin, token: `\t${token}\r\n` }));
    await getMyUser(gatehouse, {}, { token: `${token}\n` });
  });

  it.each(['', ' \n', 'Bearer secret-word', 'secret-word\nsecret-word', 'secret–word'])(
    'that cannot be one is refused before the first call, without showing it: %j',
    (wrong) => {
      const refused = expect(() => connect({ url: world.origin, token: wrong }));
      refused.toThrow(expect.objectContaining({ name: 'TypeError' }));
      refused.toThrow(/^The token (?:is empty|must be one word)(?!.*secret)/);
    },
  );

  it('of a key file comes by one request for all calls, and again when the service refuses it', async () => {
    const { userId } = await addMachineUser(gatehouse, { userName: uniqueName('robot'), name: 'Robot' });
    const { keyDetails } = await addMachineKey(gatehouse, { userId, type: 'KEY_TYPE_JSON' });
    const path = join(folder, 'robot.json');
    writeFileSync(path, Buffer.from(keyDetails, 'base64'));
    const { sent, fetch: counted } = counting();
    const give = keyFile(path, { url: world.origin, fetch: counted });
    const own = connect({ url: world.origin, token: give, fetch: counted });
    const users = await Promise.all(Array.from({ length: 8 }, () => getMyUser(own)));
    expect(new Set(users.map(({ user }) => user?.id))).toEqual(new Set([userId]));
    await getMyUser(own);
    expect(sent.filter((one) => one === '/oauth/v2/token')).toHaveLength(1);
    const first = await (give as (request: client.TokenRequest) => Promise<string>)({});
    const second = await (give as (request: client.TokenRequest) => Promise<string>)({ refused: first });
    expect(second).not.toBe(first);
  });

  it('of what is no key is refused without showing it', async () => {
    const path = join(folder, 'wrong.json');
    writeFileSync(path, '{"type":"serviceaccount","keyId":"1","userId":"2","key":"a-private-word"}');
    const call = getMyUser(gatehouse, {}, { token: keyFile(path, { url: world.origin }) });
    const error = (await call.catch((thrown: unknown) => thrown)) as Error;
    expect([error.name, error.cause]).toEqual(['TypeError', undefined]);
    expect(error.stack).not.toContain('a-private-word');
    expect(() => serviceKey({} as never, { url: world.origin })).toThrow('AddMachineKey');
    await expect(
      getMyUser(gatehouse, {}, { token: keyFile(join(folder, 'none'), { url: world.origin }) }),
    ).rejects.toThrow('ENOENT');
  });
});

describe('A list', () => {
  let people: Gatehouse;
  let ids: string[];
  beforeAll(async () => {
    const { id: organization } = await world.add.org();
    people = connect({ url: world.origin, token, organization });
    ids = await Promise.all(Array.from({ length: 7 }, () => addPerson(people)));
  });

  it('is read to its end, page by page', async () => {
    const { sent, fetch: counted } = counting();
    const found: string[] = [];
    for await (const { id } of each(people, listUsers, { query: { limit: 3 } }, { fetch: counted })) found.push(id);
    expect(found.sort()).toEqual(ids.sort());
    expect(sent).toHaveLength(3);
    const all: string[] = [];
    for await (const { userId } of each(people, listUsersV2, { query: { limit: 3 } })) all.push(userId);
    expect(all).toEqual(expect.arrayContaining(ids));
    expect(new Set(all).size).toBe(all.length);
  });

  it('begins where one says, and is read no further than one goes', async () => {
    const { sent, fetch: counted } = counting();
    let rest = 0;
    for await (const _ of each(people, listUsers, { query: { offset: '5' } })) rest += 1;
    expect(rest).toBe(2);
    for await (const _ of each(people, listUsers, { query: { limit: 2 } }, { fetch: counted })) break;
    expect(sent).toHaveLength(1);
  });

  it('of events is followed by positions', async () => {
    const { sent, fetch: counted } = counting();
    const seen: string[] = [];
    const input = {
      limit: 3,
      asc: true,
      eventTypes: ['user.human.added'],
      resourceOwner: (await getMyOrg(people)).org!.id,
    };
    for await (const event of each(people, listEvents, input, { fetch: counted })) seen.push(event.aggregate!.id);
    expect(seen.sort()).toEqual(ids.sort());
    expect(sent).toHaveLength(3);
  });

  const lists = Object.entries(client as unknown as Record<string, AnyOperation>).filter(
    ([, { traits, path }]) => traits?.items !== undefined && !path.includes('{'),
  );
  it.each(lists)('ends, with no entry twice: %s', async (name, operation) => {
    const whole: string[] = [];
    const parts: string[] = [];
    const list = operation as unknown as ListOperation<
      { query?: object; pagination?: object; limit?: number },
      object,
      string,
      string
    >;
    const { page } = operation.traits;
    const limited = page === undefined ? { limit: 2 } : { [page]: { limit: 2 } };
    try {
      for await (const one of each(gatehouse, list)) whole.push(JSON.stringify(one));
      for await (const one of each(gatehouse, list, limited)) {
        parts.push(JSON.stringify(one));
        if (parts.length > whole.length + 10) break;
      }
    } catch (error) {
      // Some are for people, or for installations with more than this one.
      expect([name, (error as GatehouseError).status]).toEqual([name, expect.any(Number)]);
      return;
    }
    expect(new Set(whole).size).toBe(whole.length);
    // Reading appends events and logs of its own.
    if (name !== 'listEvents') expect(parts).toHaveLength(whole.length);
  });
});
