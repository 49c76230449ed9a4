import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { Idp } from '../../src/idp/idp.entity.js';
import { IdpService } from '../../src/idp/idp.service.js';
import { IdpLinks } from '../../src/idp/idp-links.js';
import type { IdpOwner } from '../../src/idp/idp-owner.js';
import { IdpSecrets } from '../../src/idp/idp-secrets.js';
import { LoginPolicyIdps } from '../../src/idp/login-policy-idps.js';
import type { NewJwtIdp, NewOidcIdp } from '../../src/idp/new-idp.js';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { EDITOR, type TestPerson, uniqueName } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let instance: IdpOwner;
let org: IdpOwner;

const jwtIdp = (): NewJwtIdp => ({
  name: uniqueName('jwt'),
  stylingType: 'unspecified',
  autoRegister: false,
  jwtEndpoint: 'https://a.test',
  issuer: 'https://a.test',
  keysEndpoint: 'https://a.test/keys',
});
const oidcIdp = (secret: string): NewOidcIdp => ({
  name: uniqueName('oidc'),
  stylingType: 'unspecified',
  autoRegister: false,
  issuer: 'https://a.test',
  clientId: 'a',
  clientSecret: new Secret(secret),
  scopes: [],
  displayNameMapping: 'unspecified',
  usernameMapping: 'unspecified',
});

beforeAll(async () => {
  world = await startWorld();
  instance = { level: 'instance', id: (await world.get(InstanceService).get()).id };
  org = { level: 'org', id: (await world.cast.orgA).id };
  await world.rows('INSERT INTO login_policy (owner_id) VALUES ($1) ON CONFLICT DO NOTHING', [org.id]);
});
afterAll(() => world.close());

const add = async (owner: IdpOwner): Promise<string> =>
  (await world.transaction((tx) => world.get(IdpService).addJwt(tx, owner, jwtIdp(), EDITOR))).id;
const person = (): Promise<TestPerson> => world.add.person({ orgId: org.id, userName: uniqueName('linked') });
const link = (idpId: string, { id, orgId }: TestPerson, externalUserId: string) =>
  world.transaction((tx) =>
    world.get(IdpLinks).add(tx, { idpId, externalUserId, userId: id, orgId, displayName: 'x' }, EDITOR),
  );
const countOf = async (table: string, column: string, value: string): Promise<number> =>
  Number(
    (await world.rows<{ count: string }>(`SELECT count(*) FROM ${table} WHERE ${column} = $1`, [value]))[0]!.count,
  );

/** The events that name a provider, by aggregate and type. */
async function eventsOf(idpId: string): Promise<string[]> {
  const rows = await world.rows<{ line: string }>(
    `SELECT aggregate_id || ' ' || type || ' ' || org_id AS line FROM event WHERE payload->>'idpConfigId' = $1 ORDER BY position`,
    [idpId],
  );
  return rows.map(({ line }) => line);
}

describe('A provider that is removed', () => {
  it("takes everybody's links and the entries of every login policy along, with an event for each, in one transaction", async () => {
    const id = await add(instance);
    const other = await add(instance);
    const [alice, bob] = [await person(), await person()];
    for (const [who, sub] of [
      [alice, 'a1'],
      [alice, 'a2'],
      [bob, 'b'],
    ] as const)
      await link(id, who, sub);
    await link(other, alice, 'a1');
    const listed = world.get(LoginPolicyIdps);
    await world.transaction((tx) => listed.add(tx, instance, instance, id, EDITOR));
    await world.transaction((tx) => listed.add(tx, org, instance, id, EDITOR));
    const before = await eventsOf(id);

    await world.transaction((tx) => world.get(IdpService).remove(tx, instance, id, EDITOR));

    expect([
      await countOf('idp', 'id', id),
      await countOf('idp_link', 'idp_id', id),
      await countOf('login_policy_idp', 'idp_id', id),
    ]).toEqual([0, 0, 0]);
    const after = (await eventsOf(id)).slice(before.length);
    expect(after.slice(0, -1).sort()).toEqual(
      [
        `${alice.id} user.human.externalidp.cascade.removed ${org.id}`,
        `${alice.id} user.human.externalidp.cascade.removed ${org.id}`,
        `${bob.id} user.human.externalidp.cascade.removed ${org.id}`,
        `${instance.id} policy.login.idpprovider.cascade.removed ${instance.id}`,
        `${org.id} policy.login.idpprovider.cascade.removed ${org.id}`,
      ].sort(),
    );
    expect(after.at(-1)).toBe(`${instance.id} iam.idp.config.removed ${instance.id}`);
    expect(await countOf('idp_link', 'idp_id', other)).toBe(1);
  });

  it('stays whole when its removal fails', async () => {
    const id = await add(org);
    await link(id, await person(), 'c');
    const before = await world.contents();
    await expect(
      world.transaction(async (tx) => {
        await world.get(IdpService).remove(tx, org, id, EDITOR);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await world.contents()).toBe(before);
  });

  it('takes thousands of links along, and however many one user has', async () => {
    const id = await add(org);
    const { id: userId } = await person();
    await world.rows(
      `WITH people AS (INSERT INTO user_account (id, org_id, kind, user_name, user_name_key) SELECT 'many-' || n, $2, 'human', 'many-' || n, 'many-' || n FROM generate_series(1, 2500) n RETURNING id)
       INSERT INTO idp_link (idp_id, external_user_id, user_id) SELECT $1, id, id FROM people UNION ALL SELECT $1, 'n' || n, $3 FROM generate_series(1, 20) n`,
      [id, org.id, userId],
    );
    await world.transaction((tx) => world.get(IdpService).remove(tx, org, id, EDITOR));
    const [row] = await world.rows<{ count: string }>(
      `SELECT count(*) FROM event WHERE type = 'user.human.externalidp.cascade.removed' AND payload->>'idpConfigId' = $1`,
      [id],
    );
    expect(row!.count).toBe('2520');
  });
});

describe('An owner who is removed', () => {
  it('removes all of its providers, and no others', async () => {
    const gone: IdpOwner = { level: 'org', id: (await world.add.org()).id };
    const [one, two, kept] = [await add(gone), await add(gone), await add(org)];
    await link(one, await person(), 'd');
    await world.transaction((tx) => world.get(IdpService).removeAllOf(tx, gone, EDITOR));
    expect([await countOf('idp', 'owner_id', gone.id), await countOf('idp', 'id', kept)]).toEqual([0, 1]);
    for (const id of [one, two])
      expect((await eventsOf(id)).at(-1)).toBe(`${gone.id} org.idp.config.removed ${gone.id}`);
  });
});

describe('A link', () => {
  it('belongs to one user, byte for byte as the provider names them [IDP-029]', async () => {
    const [id, other] = [await add(instance), await add(instance)];
    const [alice, bob] = [await person(), await person()];
    await link(id, alice, 'sub');
    await expect(link(id, bob, 'sub')).rejects.toMatchObject({ kind: 'AlreadyExists', reason: 'idp.link_taken' });
    await expect(link(id, alice, 'sub')).rejects.toMatchObject({ reason: 'idp.link_taken' });
    for (const sub of ['Sub', 'sub ', 'SUB']) await link(id, bob, sub);
    await link(other, bob, 'sub');
    expect((await eventsOf(id)).filter((line) => line.includes('externalidp.added'))).toHaveLength(4);
  });

  it('is not created for a removed user', async () => {
    await expect(link(await add(instance), { ...(await person()), id: 'gone' }, 'sub')).rejects.toMatchObject({
      kind: 'FailedPrecondition',
      reason: 'idp.link_user_gone',
    });
  });

  it('goes with its user, with an event for each', async () => {
    const id = await add(instance);
    const alice = await person();
    for (const sub of ['x', 'y', 'z']) await link(id, alice, sub);
    await world.transaction((tx) => world.get(IdpLinks).removeAllOfUser(tx, alice.id, EDITOR));
    expect(await countOf('idp_link', 'user_id', alice.id)).toBe(0);
    expect(
      (await eventsOf(id)).filter((line) => line === `${alice.id} user.human.externalidp.cascade.removed ${org.id}`),
    ).toHaveLength(3);
  });
});

describe('The secret of a provider', () => {
  it('opens in its place alone', async () => {
    const idps = world.get(IdpService);
    const [first, second] = await Promise.all(
      ['one-secret-1', 'two-secret-2'].map((secret) =>
        world.transaction((tx) => idps.addOidc(tx, org, oidcIdp(secret), EDITOR)),
      ),
    );
    const row = await idps.get([org.id], first!.id);
    const secrets = world.get(IdpSecrets);
    expect(secrets.openClientSecret(row)).toBe('one-secret-1');
    expect(() => secrets.openClientSecret(Object.assign(new Idp(), row, { id: second!.id }))).toThrow('cannot be read');
    expect(() => secrets.openClientSecret(Object.assign(new Idp(), row, { ownerId: instance.id }))).toThrow(
      'cannot be read',
    );
  });

  it('is sealed under a new master key with the next start, and needs the old one no longer', async () => {
    const { id } = await world.transaction((tx) =>
      world.get(IdpService).addOidc(tx, instance, oidcIdp('survives-2718'), EDITOR),
    );
    const key = { MASTER_KEY: 'the master key that comes next' };
    const young = await startWorld({
      replicaOf: world,
      env: { ...key, MASTER_KEY_PREVIOUS: world.config.secrets.masterKey!.reveal() },
    });
    await young.close();
    const alone = await startWorld({ replicaOf: world, env: key });
    try {
      const idps = alone.get(IdpService);
      expect(alone.get(IdpSecrets).openClientSecret(await idps.get([instance.id], id))).toBe('survives-2718');
    } finally {
      await alone.close();
    }
  });
});
