import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answer, ORIGIN, withKey } from '../login/passkey-turns.js';
import { begin, errorsOf, pageOf } from '../login/turns.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { FLAGS } from '../support/authenticator.js';
import type { TestPerson } from '../support/builders.js';
import type { Reply } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { madeElsewhere, passkeyOf, personWith } from './passkey-documents.js';

const UNUSABLE = ['This passkey cannot be used here. Sign in another way.'];
const handle = (text: string): string => Buffer.from(text).toString('base64');

let world: World;
let api: AdminApi;
let web: RelyingParty;
let orgId: string;
let victim: TestPerson;

const bring = (people: readonly Json[], more: Json = {}): Promise<Reply> =>
  api.ask('POST', '/admin/v1/import', { dataOrgs: { orgs: [{ orgId, humanUsers: people }] }, ...more });
const messagesOf = (reply: Reply): string[] =>
  reply.json<{ errors: Array<{ message: string }> }>().errors.map(({ message }) => message);
const faultsOf = (reply: Reply): Array<[string, string]> =>
  (
    reply.json<{ details: Json[] }>().details[0]!['fieldViolations'] as Array<Record<'field' | 'description', string>>
  ).map(({ field, description }) => [field, description]);

/** The document is refused with one conflict, and nothing is written. */
async function expectConflict(people: readonly Json[], at: string, words: string): Promise<void> {
  const before = await world.contents();
  const reply = await bring(people);
  expect([reply.status, faultsOf(reply)]).toEqual([409, [[at, expect.stringContaining(words)]]]);
  expect(await world.contents()).toBe(before);
}

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
  api = (await callerWith(world, await world.cast.orgB, ['IAM_OWNER'])).api;
});
afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web = new RelyingParty(world, await world.cast.web1);
  orgId = (await world.add.org()).id;
  victim = await world.add.person({ orgId });
});

describe('A document gives nobody a key to an account that is here [PKY-029]', () => {
  it('refuses a new key of a user whom an earlier document brought, and adds none where conflicts are skipped', async () => {
    const own = passkeyOf(madeElsewhere('v'), { userHandle: handle('v') });
    const { userId, entry } = personWith([own]);
    await bring([entry]);
    const mallory = madeElsewhere('v');
    const more = {
      ...entry,
      user: { ...(entry['user'] as Json), passkeys: [own, passkeyOf(mallory, { userHandle: handle('v') })] },
    };
    const at = 'orgs[0].humanUsers[0].user.passkeys[1]';
    await expectConflict([more], at, 'is a new passkey or security key of an existing user');
    const skipped = await bring([more], { onConflict: 'skip' });
    expect(messagesOf(skipped)).toEqual(['is a new passkey or security key of an existing user']);
    const counted = await world.rows("SELECT 1 FROM auth_factor WHERE user_id = $1 AND kind = 'passkey'", [userId]);
    expect(counted).toHaveLength(1);
    expect(pageOf(await answer(web, await begin(web), mallory)).status).toBe(400);
  });

  it('refuses a user who differs from the stored one, and the key with it where conflicts are skipped', async () => {
    const { entry } = personWith([passkeyOf(madeElsewhere('m'), { userHandle: handle('m') })]);
    const claimed = { ...entry, userId: victim.id };
    expect((await bring([claimed])).status).toBe(409);
    const reply = await bring([claimed], { onConflict: 'skip' });
    expect(reply.json<{ errors: Array<{ type: string }> }>().errors.map(({ type }) => type)).toEqual([
      'human_user',
      'passkey',
    ]);
    expect(await world.rows('SELECT 1 FROM auth_factor WHERE user_id = $1', [victim.id])).toEqual([]);
  });

  it('refuses the credential id of a key of another user, and names its user', async () => {
    const device = await withKey(world, victim);
    const { entry } = personWith([passkeyOf(device, { userHandle: handle(victim.id) })]);
    const at = 'orgs[0].humanUsers[0].user.passkeys[0]';
    await expectConflict([entry], at, `which a key of the user ${victim.id} has here`);
    const reply = await bring([entry], { onConflict: 'skip' });
    expect(messagesOf(reply)).toEqual([expect.stringContaining('has the credential id')]);
    web.toAnswer(await answer(web, await begin(web), device));
  });

  it('refuses another public key, domain or kind for a key that its user has', async () => {
    const device = madeElsewhere('d');
    const own = passkeyOf(device, { userHandle: handle('d') });
    const { entry } = personWith([own]);
    await bring([entry]);
    const other = madeElsewhere('d');
    for (const changed of [
      { publicKey: other.coseKey.toString('base64') },
      { isSecondFactor: true },
      { userHandle: handle('e') },
    ]) {
      const passkeys = [{ ...own, ...changed }];
      const at = 'orgs[0].humanUsers[0].user.passkeys[0]';
      await expectConflict(
        [{ ...entry, user: { ...(entry['user'] as Json), passkeys } }],
        at,
        'conflicts with an existing passkey or security key',
      );
    }
  });

  it('refuses one credential id twice in a document', async () => {
    const key = passkeyOf(madeElsewhere('t'), { userHandle: handle('t') });
    const reply = await bring([personWith([key]).entry, personWith([key]).entry]);
    expect(faultsOf(reply)).toEqual([
      [
        'orgs[0].humanUsers[1].user.passkeys[0]',
        expect.stringContaining('which orgs[0].humanUsers[0].user.passkeys[0] has already'),
      ],
    ]);
  });
});

describe('A user handle finds nobody [PKY-030]', () => {
  it('is refused in a document if it is the id of another user, who is here or in the document', async () => {
    const at = 'orgs[0].humanUsers[0].user.passkeys[0]';
    const words = 'has a user handle that is the id of another user';
    const like = (userId: string): Json => passkeyOf(madeElsewhere(userId), { userHandle: handle(userId) });
    await expectConflict([personWith([like(victim.id)]).entry], at, words);
    const other = personWith([]);
    await expectConflict([personWith([like(other.userId)]).entry, other.entry], at, words);
  });

  it('must be the stored one in an answer, whoever else has it', async () => {
    const device = madeElsewhere('mine');
    const { entry } = personWith([passkeyOf(device, { userHandle: handle('mine') })]);
    await bring([entry]);
    for (const said of [victim.id, 'moved-1', 'MINE', '']) {
      const client = web.elsewhere();
      const userHandle = said === '' ? undefined : Buffer.from(said).toString('base64url');
      expect(errorsOf(pageOf(await answer(client, await begin(client), device, { userHandle })))).toEqual(UNUSABLE);
    }
    web.toAnswer(await answer(web, await begin(web), device));
  });
});

describe('An imported key is checked like one that was made here', () => {
  it('its counter, from where the other service left it [PKY-012]', async () => {
    const device = madeElsewhere('c', FLAGS.present | FLAGS.verified);
    const key = passkeyOf(device, { userHandle: handle('c'), counter: 41, isBackupEligible: false });
    await bring([personWith([key]).entry]);
    for (const counter of [0, 40, 41]) {
      const client = web.elsewhere();
      expect(errorsOf(pageOf(await answer(client, await begin(client), device, { counter })))).toEqual(UNUSABLE);
    }
    web.toAnswer(await answer(web, await begin(web), device, { counter: 42 }));
  });

  it('the verification of its user, whatever the other service demanded [PKY-005]', async () => {
    const device = madeElsewhere('u', FLAGS.present | FLAGS.backupEligible);
    await bring([personWith([passkeyOf(device, { userHandle: handle('u') })]).entry]);
    expect(pageOf(await answer(web, await begin(web), device)).status).toBe(400);
  });
});

describe('Keys of another domain', () => {
  it('are left out and named, and their users imported; the case of the domain does not matter [PKY-032]', async () => {
    const { userId, entry } = personWith([
      passkeyOf(madeElsewhere('1'), { rpId: 'ID.Test', userHandle: handle('1') }),
      passkeyOf(madeElsewhere('1'), { rpId: 'test', name: 'Old phone', userHandle: handle('1') }),
      passkeyOf(madeElsewhere('1'), {
        rpId: 'evil.id.test',
        name: 'Stick',
        isSecondFactor: true,
        userHandle: handle('1'),
      }),
    ]);
    const reply = await bring([entry]);
    expect(messagesOf(reply)).toEqual([
      expect.stringMatching(
        /^"Old phone" works at test alone, and here it is id\.test \(PASSKEY_RP_ID\)\. It is left out\./,
      ),
      expect.stringContaining('"Stick" works at evil.id.test alone'),
    ]);
    expect(
      await world.rows('SELECT rp_id FROM auth_key k JOIN auth_factor f ON f.id = k.factor_id WHERE f.user_id = $1', [
        userId,
      ]),
    ).toEqual([{ rp_id: 'id.test' }]);
    const before = await world.contents();
    expect(messagesOf(await bring([entry]))).toHaveLength(2);
    expect(await world.contents()).toBe(before);
  });

  it('are all left out where the service has an address instead of a domain [PKY-032]', async () => {
    const addressed = await startWorld();
    try {
      const caller = (await callerWith(addressed, await addressed.cast.orgB, ['IAM_OWNER'])).api;
      const { entry } = personWith([passkeyOf(madeElsewhere('1'))]);
      const home = (await addressed.add.org()).id;
      const reply = await caller.ask('POST', '/admin/v1/import', {
        dataOrgs: { orgs: [{ orgId: home, humanUsers: [entry] }] },
      });
      expect(messagesOf(reply)).toEqual([expect.stringContaining('this service has no domain')]);
    } finally {
      await addressed.close();
    }
  });
});

describe('A malformed key refuses the document, and is named [PKY-031]', () => {
  const good = passkeyOf(madeElsewhere('f'));
  it.each<[string, Json, string, string]>([
    ['no base64', { credentialId: '*' }, 'credentialId', 'must be base64 of 1 to 1023 bytes'],
    ['an empty id', { credentialId: '' }, 'credentialId', 'must be base64 of 1 to 1023 bytes'],
    [
      'an id of 1,024 bytes',
      { credentialId: Buffer.alloc(1_024).toString('base64') },
      'credentialId',
      'must be base64 of 1 to 1023 bytes',
    ],
    [
      'a public key of 1 MB',
      { publicKey: Buffer.alloc(1_000_000).toString('base64') },
      'publicKey',
      'must be base64 of 1 to 2048 bytes',
    ],
    [
      'a public key that is none',
      { publicKey: 'AAAA' },
      'publicKey',
      'must be a COSE key: one CBOR map of numbers to numbers and bytes',
    ],
    [
      'an unknown algorithm',
      { publicKey: Buffer.from('a2010203382e', 'hex').toString('base64') },
      'publicKey',
      'must be of one of the algorithms -8, -7, -257',
    ],
    ['a negative counter', { counter: -1 }, 'counter', 'must be an integer of 0 to 4294967295'],
    ['a counter of 33 bits', { counter: 4_294_967_296 }, 'counter', 'must be an integer of 0 to 4294967295'],
    [
      'a name that turns the text',
      { name: 'a\u202Eb' },
      'name',
      'must have 1 to 100 characters, and no control characters',
    ],
    [
      'a name of 101 characters',
      { name: 'x'.repeat(101) },
      'name',
      'must have 1 to 100 characters, and no control characters',
    ],
    ['a model that is no UUID', { aaguid: '<script>' }, 'aaguid', 'must be a UUID'],
    [
      'a handle of 65 bytes',
      { userHandle: Buffer.alloc(65).toString('base64') },
      'userHandle',
      'must be base64 of 0 to 64 bytes',
    ],
    ['a domain that is an address', { rpId: 'https://id.test' }, 'rpId', 'must be a domain, such as id.example.com'],
    ['no domain', { rpId: '' }, 'rpId', 'must have 1 to 253 characters'],
    [
      'a backup of what cannot be backed up',
      { isBackupEligible: false, isBackedUp: true },
      'isBackedUp',
      'must not be true of a key that is not backup eligible',
    ],
    ['flags that are texts', { isBackupEligible: 'no' }, 'isBackupEligible', 'must be true or false'],
    ['members that nobody knows', { privateKey: 'AA==' }, 'privateKey', expect.any(String) as unknown as string],
  ])('%s', async (_, change, field, words) => {
    const before = await world.contents();
    const reply = await bring([personWith([{ ...good, ...change }]).entry]);
    expect([reply.status, faultsOf(reply)]).toEqual([
      400,
      [[`orgs[0].humanUsers[0].user.passkeys[0].${field}`, words]],
    ]);
    expect(await world.contents()).toBe(before);
  });

  it('more than twenty', async () => {
    const keys = Array.from({ length: 21 }, () => passkeyOf(madeElsewhere('f')));
    expect(faultsOf(await bring([personWith(keys).entry]))).toEqual([
      ['orgs[0].humanUsers[0].user.passkeys', 'must have at most 20 entries'],
    ]);
  });

  it('also if it is of another domain', async () => {
    const reply = await bring([personWith([{ ...good, rpId: 'other.test', publicKey: 'AAAA' }]).entry]);
    expect(reply.status).toBe(400);
  });
});

describe('Keys come in and go out with an owner of the instance alone [PKY-033]', () => {
  it.each([
    'IAM_OWNER_VIEWER',
    'IAM_ORG_MANAGER',
    'IAM_USER_MANAGER',
    'IAM_ADMIN_IMPERSONATOR',
    'ORG_OWNER',
    'ORG_USER_MANAGER',
  ])('not with %s, who exports and imports nothing', async (role) => {
    const { api: weaker } = await callerWith(world, await world.add.org(), [role]);
    const { entry } = personWith([passkeyOf(madeElsewhere('w'))]);
    const document = { dataOrgs: { orgs: [{ orgId, humanUsers: [entry] }] } };
    expect((await weaker.ask('POST', '/admin/v1/import', document)).status).toBe(403);
    expect((await weaker.ask('POST', '/admin/v1/export', { withPasskeys: true })).status).toBe(403);
  });

  it('nor by the operation with which an owner of an organization imports a user, where they mean nothing', async () => {
    const { api: owner } = await callerWith(world, await world.add.org(), ['ORG_OWNER']);
    const { entry } = personWith([passkeyOf(madeElsewhere('w'))]);
    const reply = await owner.ask('POST', '/management/v1/users/human/_import', entry['user'] as Json);
    const { userId } = reply.json<{ userId: string }>();
    expect(await world.rows('SELECT 1 FROM auth_factor WHERE user_id = $1', [userId])).toEqual([]);
  });
});
