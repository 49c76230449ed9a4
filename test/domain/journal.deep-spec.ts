import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrgService } from '../../src/org/org.service.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { ProjectService } from '../../src/project/project.service.js';
import { MachineKeys } from '../../src/user/machine-keys.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, PASSWORD } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let replica: World;

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world });
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

interface EventRow {
  readonly type: string;
  readonly sequence: string;
  readonly editor_id: string;
  readonly org_id: string;
  readonly created_at: Date;
  readonly payload: Record<string, unknown>;
}

const eventsOf = (type: string, id: string): Promise<EventRow[]> =>
  world.rows<EventRow>(
    'SELECT type, sequence, editor_id, org_id, created_at, payload FROM event WHERE aggregate_type = $1 AND aggregate_id = $2 ORDER BY sequence',
    [type, id],
  );

describe('Each change of an object', () => {
  it('appends one event with the next number, and the row keeps number and times', async () => {
    const { id: orgId } = await world.cast.orgA;
    const person = await world.add.person({ orgId });
    const created = world.clock.now();
    world.clock.advance('1m');
    const users = world.get(UserService);
    await world.add.profile(person.id, { nickName: 'Al' }, 'editor 1');
    world.clock.advance('1m');
    await world.transaction((tx) => users.changeState(tx, person.id, 'inactive', 'editor 2'));
    const events = await eventsOf('user', person.id);
    expect(events.map(({ type, sequence, editor_id: editor, org_id: org }) => [type, sequence, editor, org])).toEqual([
      ['user.human.added', '1', EDITOR, orgId],
      ['user.human.profile.changed', '2', 'editor 1', orgId],
      ['user.state.inactive', '3', 'editor 2', orgId],
    ]);
    const [row] = await world.rows<{ sequence: string; creation_date: Date; change_date: Date }>(
      'SELECT sequence, creation_date, change_date FROM user_account WHERE id = $1',
      [person.id],
    );
    expect(row).toEqual({ sequence: '3', creation_date: created, change_date: world.clock.now() });
    expect(events[2]!.created_at).toEqual(row!.change_date);
  });

  it('appends its event also for organizations, projects, applications and service users', async () => {
    const org = await world.add.org();
    const projectId = await world.add.project({ orgId: org.id }, ['reader']);
    const client = await world.add.client({ projectId });
    const service = await world.add.service({ orgId: org.id });
    await world.transaction(async (tx) => {
      await world.get(ClientService).regenerateSecret(tx, client.id, EDITOR);
      await world.get(MachineKeys).remove(tx, service.id, service.key.kid, EDITOR);
      await world.get(ProjectService).changeState(tx, projectId, 'inactive', EDITOR);
      await world.get(OrgService).changeState(tx, org.id, 'inactive', EDITOR);
    });
    const typesOf = async (type: string, id: string): Promise<string[]> =>
      (await eventsOf(type, id)).map((event) => event.type);
    expect(await typesOf('org', org.id)).toEqual(['org.added', 'org.domain.primary.set', 'org.deactivated']);
    expect(await typesOf('project', projectId)).toEqual(['project.added', 'project.role.added', 'project.deactivated']);
    expect(await typesOf('client', client.id)).toEqual(['client.oidc.added', 'client.secret.changed']);
    expect(await typesOf('user', service.id)).toEqual([
      'user.service.added',
      'user.service.secret.set',
      'user.service.key.added',
      'user.personal_access_token.added',
      'user.service.key.removed',
    ]);
  });

  it('is undone together with its event', async () => {
    const person = await world.add.person({ orgId: (await world.cast.orgA).id });
    const before = await world.contents();
    const failing = world.transaction(async (tx) => {
      await world.get(UserService).changeState(tx, person.id, 'locked', EDITOR);
      throw new Error('no after all');
    });
    await expect(failing).rejects.toThrow('no after all');
    expect(await world.contents()).toBe(before);
    expect(await eventsOf('user', person.id)).toHaveLength(1);
  });

  it('meets another one at the same moment, on two processes, and both get a number', async () => {
    const person = await world.add.person({ orgId: (await world.cast.orgA).id });
    const change = (at: World, nickName: string) => at.add.profile(person.id, { nickName });
    for (let round = 0; round < 10; round += 1)
      await Promise.all([change(world, `one ${round}`), change(replica, `two ${round}`)]);
    const events = await eventsOf('user', person.id);
    expect(events.map(({ sequence }) => Number(sequence))).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
    expect(await world.rows('SELECT sequence FROM user_account WHERE id = $1', [person.id])).toEqual([
      { sequence: '21' },
    ]);
  });

  it('that is refused leaves nothing', async () => {
    const { id: orgId } = await world.cast.orgA;
    const person = await world.add.person({ orgId });
    const before = await world.contents();
    const events = await world.rows('SELECT count(*) FROM event');
    await expect(
      world.transaction((tx) => world.get(UserService).changeState(tx, person.id, 'active', EDITOR)),
    ).rejects.toMatchObject({ kind: 'FailedPrecondition' });
    await expect(
      world.transaction((tx) => world.get(UserService).changeState(tx, '0', 'active', EDITOR)),
    ).rejects.toMatchObject({ kind: 'NotFound' });
    await expect(world.add.person({ orgId, userName: person.userName })).rejects.toMatchObject({
      kind: 'AlreadyExists',
    });
    await expect(world.add.org((await world.cast.orgA).domain)).rejects.toMatchObject({ kind: 'AlreadyExists' });
    expect(await world.contents()).toBe(before);
    expect(await world.rows('SELECT count(*) FROM event')).toEqual(events);
  });
});

describe('The journal', () => {
  it('holds no secret: no password, hash, key, token or client secret', async () => {
    const { id: orgId } = await world.cast.orgA;
    const client = await world.add.client({ projectId: await world.cast.projectP });
    const service = await world.add.service({ orgId });
    const person = await world.add.person({ orgId });
    await world.add.newPassword(person.id, 'Another-Horse-8');
    await new RelyingParty(world, client).tokens({ ...person, password: 'Another-Horse-8' });
    const [row] = await world.rows<{ text: string }>("SELECT string_agg(payload::text, ' ') AS text FROM event");
    for (const secret of [
      PASSWORD,
      'Another-Horse-8',
      '$argon2id$',
      client.secret!,
      service.secret,
      service.pat,
      'ghp_',
      'PRIVATE',
    ])
      expect(row!.text).not.toContain(secret);
    const hashes = await world.rows<{ hash: string }>(
      "SELECT encode(secret_hash, 'hex') AS hash FROM client WHERE secret_hash IS NOT NULL",
    );
    for (const { hash } of hashes) expect(row!.text).not.toContain(hash);
  });
});
