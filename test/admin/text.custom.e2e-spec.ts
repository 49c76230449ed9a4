import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { MESSAGE_KINDS, TEMPLATE_FIELDS } from '../../src/text/message-catalogue/message-text.js';
import { listOf } from '../../src/text/template.js';
import { TextService } from '../../src/text/text.service.js';
import { send } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';
import { Callers } from './callers.js';
import { type FoundTexts, LEVELS, PARTS, refusalOf, TextApi } from './text-api.js';

const WORDS = [
  'init',
  'passwordreset',
  'verifyemail',
  'verifyphone',
  'verifysmsotp',
  'verifyemailotp',
  'domainclaimed',
  'passwordless_registration',
  'password_change',
  'invite_user',
];
const [ADMIN, MANAGEMENT] = LEVELS;

let world: World;
let api: TextApi;
let instanceId: string;
let orgA: string;
let orgB: string;

beforeAll(async () => {
  world = await startWorld();
  api = await TextApi.of(world);
  instanceId = (await world.get(InstanceService).get()).id;
  orgA = (await world.cast.orgA).id;
  orgB = (await world.cast.orgB).id;
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.rows('DELETE FROM message_text');
});

const partsOf = (found: FoundTexts): Record<string, unknown> =>
  Object.fromEntries(PARTS.map((part) => [part, found[part]]));
const resolved = async (orgId: string, language = 'de'): Promise<Record<string, unknown>> => ({
  ...(await world.get(TextService).resolve('init', orgId, language)).text,
});
const events = async (): Promise<Array<{ type: string; aggregate_id: string; payload: Record<string, unknown> }>> =>
  world.rows("SELECT type, aggregate_id, payload FROM event WHERE type LIKE '%customtext%' ORDER BY position DESC");

describe.each(LEVELS)('the texts of messages at %s', (prefix) => {
  const owner = (): string => (prefix === ADMIN ? instanceId : orgA);

  // Each kind at one level: both are one class, made twice.
  const kinds = WORDS.filter((_, place) => place % 2 === LEVELS.indexOf(prefix));
  it.each(kinds)('%s: what was set is read back, and gone after the reset', async (word) => {
    const path = `${prefix}/message/${word}/de`;
    const builtIn = await api.read(`${prefix}/default/message/${word}/de`);
    expect([builtIn.isDefault, builtIn.details.resourceOwner]).toEqual([true, instanceId]);
    expect(await api.read(path)).toEqual(builtIn);

    const own = { text: `Neu, {{.FirstName}} (${word})` };
    const set = await api.put(path, own);
    expect(set.json()).toEqual({
      details: {
        sequence: expect.stringMatching(/^[1-9]\d*$/),
        creationDate: expect.any(String),
        changeDate: expect.any(String),
        resourceOwner: owner(),
      },
    });
    const stored = await api.read(path);
    expect(partsOf(stored)).toEqual({ ...Object.fromEntries(PARTS.map((part) => [part, ''])), ...own });
    expect([stored.isDefault, stored.details]).toEqual([false, set.json()['details']]);

    const reset = await api.remove(path);
    expect([reset.status, reset.json<{ details: { resourceOwner: string } }>().details.resourceOwner]).toEqual([
      200,
      owner(),
    ]);
    expect(await api.read(path)).toEqual(builtIn);
  });

  it('keeps the date of creation, counts events, and writes nothing when nothing changes', async () => {
    const path = `${prefix}/message/init/de`;
    const first = (await api.put(path, { title: 'Eins' })).json<{ details: FoundTexts['details'] }>().details;
    world.clock.advance('1m');
    const again = (await api.put(path, { title: 'Eins' })).json<{ details: FoundTexts['details'] }>().details;
    expect(again).toEqual(first);
    const changed = (await api.put(path, { title: 'Zwei' })).json<{ details: FoundTexts['details'] }>().details;
    expect([BigInt(changed.sequence) - BigInt(first.sequence), changed.creationDate]).toEqual([1n, first.creationDate]);
    expect(Date.parse(changed.changeDate) - Date.parse(first.changeDate)).toBe(60_000);
  });

  it('journals what changed, by name, and who did it', async () => {
    const level = prefix === ADMIN ? 'instance' : 'org';
    await api.put(`${prefix}/message/passwordreset/fr`, { title: 'Un', subject: 'Deux' });
    await api.put(`${prefix}/message/passwordreset/fr`, { title: 'Un', greeting: 'Trois' });
    await api.remove(`${prefix}/message/passwordreset/fr`);
    expect((await events()).slice(0, 3)).toEqual([
      {
        type: `${level}.customtext.template.removed`,
        aggregate_id: owner(),
        payload: { template: 'PasswordReset', language: 'fr' },
      },
      {
        type: `${level}.customtext.set`,
        aggregate_id: owner(),
        payload: { template: 'PasswordReset', language: 'fr', texts: { subject: '', greeting: 'Trois' } },
      },
      {
        type: `${level}.customtext.set`,
        aggregate_id: owner(),
        payload: { template: 'PasswordReset', language: 'fr', texts: { title: 'Un', subject: 'Deux' } },
      },
    ]);
  });

  it('removes the stored text when every part is empty', async () => {
    const path = `${prefix}/message/init/de`;
    expect((await api.put(path, {})).json<{ details: FoundTexts['details'] }>().details).toMatchObject({
      sequence: '0',
      resourceOwner: owner(),
    });
    await api.put(path, { title: 'Eins' });
    expect((await api.put(path, { title: '' })).status).toBe(200);
    expect((await api.read(path)).isDefault).toBe(true);
    expect(await world.rows('SELECT 1 FROM message_text')).toEqual([]);
    expect((await events())[0]!.type).toMatch(/\.customtext\.template\.removed$/);
  });

  it.each(['de', 'de-CH', 'tlh'])(
    'answers 404 to the reset of %s, which is not custom, also the second time',
    async (language) => {
      const path = `${prefix}/message/init/${language}`;
      const replies = [await api.remove(path), await api.remove(path)];
      for (const reply of replies) {
        expect([
          reply.status,
          reply.json()['code'],
          reply.json<{ details: Array<{ id: string }> }>().details[0]?.id,
        ]).toEqual([404, 5, 'text.not_custom']);
      }
    },
  );

  it('stores one text when two are set at once', async () => {
    const path = `${prefix}/message/init/de`;
    const replies = await Promise.all(['Eins', 'Zwei', 'Drei', 'Vier'].map((title) => api.put(path, { title })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const last = [...replies].sort((a, b) => Number(sequenceOf(b)) - Number(sequenceOf(a)))[0]!;
    expect((await api.read(path)).details.sequence).toBe(sequenceOf(last));
    expect(await world.rows('SELECT 1 FROM message_text')).toHaveLength(1);
  });

  it('answers one of two resets at once with 404', async () => {
    const path = `${prefix}/message/init/de`;
    await api.put(path, { title: 'Eins' });
    const replies = await Promise.all([api.remove(path), api.remove(path)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it.each(['DE', 'de'])('stores %s as de', async (language) => {
    await api.put(`${prefix}/message/init/${language}`, { title: 'Eins' });
    expect((await api.read(`${prefix}/message/init/de`))['title']).toBe('Eins');
    expect((await api.read(`${prefix}/message/init/de-CH`))['title']).toBe('Eins');
  });

  it.each(['und', 'tlh', 'de-CH', 'constructor', '__proto__', '..%2fde', '%00', 'd'.repeat(201)])(
    'refuses to set %s, which is not supported',
    async (language) => {
      expect(refusalOf(await api.put(`${prefix}/message/init/${language}`, { title: 'Eins' }))).toEqual({
        status: 400,
        code: 3,
        fields: ['language'],
      });
    },
  );

  it.each([
    ['title', '{{.Password}}', 'must not use {{.Password}}; allowed are {{.Code}}, {{.Expiry}}, {{.UserName}}'],
    ['text', 'a {{.Code.x}} b', 'contains a {{ that does not start a template field'],
    ['greeting', '{{range .}}', 'contains a {{ that does not start a template field'],
    ['buttonText', '{{.Code', 'contains a {{ that does not start a template field'],
    ['footerText', '{{.Domain}}', 'must not use {{.Domain}}'],
  ])('refuses %s with %j, and lists the allowed fields [LOG-017]', async (part, text, description) => {
    const reply = await api.put(`${prefix}/message/init/de`, { [part]: text });
    expect(refusalOf(reply)).toEqual({ status: 400, code: 3, fields: [part] });
    expect(reply.json()['message']).toContain(description);
    expect(await world.rows('SELECT 1 FROM message_text')).toEqual([]);
  });

  it('names every broken field at once', async () => {
    const reply = await api.put(`${prefix}/message/init/tlh`, { title: '{{.A}}', text: '{{' });
    expect(refusalOf(reply).fields).toEqual(['language', 'title', 'text']);
  });

  it.each([
    ['init', 'title', 2_000, 'ä'.repeat(1_000), 'ä'.repeat(1_000) + 'b'],
    ['init', 'greeting', 4_000, 'a'.repeat(4_000), 'a'.repeat(4_001)],
    ['init', 'text', 40_000, '€'.repeat(13_333), '€'.repeat(13_334)],
    ['init', 'buttonText', 4_000, 'a'.repeat(4_000), 'a'.repeat(4_001)],
    ['init', 'footerText', 8_000, 'ä'.repeat(4_000), 'ä'.repeat(4_001)],
    ['verifyphone', 'text', 800, '🙂'.repeat(800), '🙂'.repeat(801)],
    ['verifysmsotp', 'text', 800, 'ä'.repeat(800), 'ä'.repeat(801)],
    ['password_change', 'footerText', 8_000, 'ä'.repeat(8_000), 'ä'.repeat(8_001)],
    ['invite_user', 'footerText', 8_000, '🙂'.repeat(8_000), '🙂'.repeat(8_001)],
  ])('%s: %s holds %i and no more', async (word, part, _, longest, tooLong) => {
    const path = `${prefix}/message/${word}/de`;
    expect((await api.put(path, { [part]: longest })).status).toBe(200);
    expect((await api.read(path))[part]).toBe(longest);
    expect(refusalOf(await api.put(path, { [part]: tooLong }))).toEqual({ status: 400, code: 3, fields: [part] });
  });

  it.each([
    ['NUL', { title: 'a\0b' }],
    ['a lone surrogate', { title: '\ud800' }],
    ['a number', { title: 1 }],
    ['a list', { title: ['a'] }],
  ])('refuses a text with %s [ADM-011, ADM-013, ADM-014]', async (_, body) => {
    expect(refusalOf(await api.put(`${prefix}/message/init/de`, body))).toEqual({
      status: 400,
      code: 3,
      fields: ['title'],
    });
  });

  it('ignores members that are not its own, and takes the language of the path [ADM-016, ADM-017]', async () => {
    const body =
      '{"language":"fr","pre_header":"Vor","ownerId":"x","kind":"inviteUser","isDefault":true,"sequence":"9","__proto__":{"title":"x"}}';
    expect((await api.put(`${prefix}/message/init/de`, JSON.parse(body))).status).toBe(200);
    expect(await world.rows('SELECT owner_id, kind, language, title, pre_header FROM message_text')).toEqual([
      { owner_id: owner(), kind: 'init', language: 'de', title: '', pre_header: 'Vor' },
    ]);
  });

  it('serves the misspelt path like the right one, and reports that it is deprecated', async () => {
    const reply = await api.get(`${prefix}/deafult/message/passwordreset/de`);
    expect(reply.text).toBe((await api.get(`${prefix}/default/message/passwordreset/de`)).text);
    expect(reply.header('deprecation')).toMatch(/^@\d+$/);
    expect((await api.get(`${prefix}/deafult/message/init/de`)).status).toBe(404);
    const refused = await send(world.origin, { path: `${prefix}/deafult/message/passwordreset/de` });
    expect([refused.status, refused.header('deprecation')]).toEqual([401, reply.header('deprecation')]);
  });
});

describe('which text holds', () => {
  it('is decided part by part: the organization, the instance, the built-in file', async () => {
    const builtIn = partsOf(await api.read(`${ADMIN}/default/message/init/de`));
    expect(await resolved(orgA)).toEqual(builtIn);
    await api.put(`${ADMIN}/message/init/de`, { title: 'Instanz', subject: 'Instanz' });
    await api.put(`${MANAGEMENT}/message/init/de`, { subject: 'Organisation', greeting: 'Organisation' });
    expect(await resolved(orgA)).toEqual({
      ...builtIn,
      title: 'Instanz',
      subject: 'Organisation',
      greeting: 'Organisation',
    });
    expect(await resolved(orgB)).toEqual({ ...builtIn, title: 'Instanz', subject: 'Instanz' });
    expect(await resolved(orgA, 'fr')).toEqual(partsOf(await api.read(`${ADMIN}/default/message/init/fr`)));
  });

  it('shows an organization without its own text that of the instance, laid over the built-in one', async () => {
    const builtIn = await api.read(`${ADMIN}/default/message/init/de`);
    await api.put(`${ADMIN}/message/init/de`, { title: 'Instanz' });
    for (const path of ['message/init/de', 'default/message/init/de']) {
      const found = await api.read(`${MANAGEMENT}/${path}`);
      expect(partsOf(found)).toEqual({ ...partsOf(builtIn), title: 'Instanz' });
      expect([found.isDefault, found.details.resourceOwner]).toEqual([true, instanceId]);
    }
    expect(await api.read(`${ADMIN}/default/message/init/de`)).toEqual(builtIn);
  });

  it.each(['tlh', '', 'not a tag', 'und'])(
    'is that of the default language for a user with the language %j',
    async (language) => {
      await api.put(`${MANAGEMENT}/message/init/en`, { title: 'Ours' });
      const { text, language: found } = await world.get(TextService).resolve('init', orgA, language);
      expect([text.title, found]).toEqual(['Ours', 'en']);
    },
  );

  it('is journaled away with its organization', async () => {
    await api.put(`${MANAGEMENT}/message/init/de`, { title: 'A' }, api.owner, orgB);
    await api.put(`${MANAGEMENT}/message/invite_user/fr`, { title: 'A' }, api.owner, orgB);
    await world.transaction((tx) => world.get(TextService).removeAllOf(tx, orgB, 'test'));
    expect(await world.rows('SELECT 1 FROM message_text')).toEqual([]);
    expect((await events()).slice(0, 2).map(({ payload }) => payload)).toEqual([
      { template: 'InviteUser', language: 'fr' },
      { template: 'InitCode', language: 'de' },
    ]);
  });
});

it('the description of each operation that sets a text lists the template fields of its kind', async () => {
  const { paths } = (await send(world.origin, { path: '/docs-json' })).json<{
    paths: Record<string, { put?: { description: string } }>;
  }>();
  for (const prefix of LEVELS)
    for (const [index, kind] of MESSAGE_KINDS.entries())
      expect(paths[`${prefix}/message/${WORDS[index]!}/{language}`]!.put!.description).toContain(
        `\`${listOf(TEMPLATE_FIELDS[kind])}\``,
      );
});

describe('who may', () => {
  const caller = async (
    role: 'ORG_OWNER' | 'ORG_OWNER_VIEWER' | 'IAM_OWNER_VIEWER' | 'IAM_ORG_MANAGER',
  ): Promise<string> => (await new Callers(world).service([role])).pat;
  const statuses = async (prefix: string, token: string): Promise<number[]> => [
    (await api.get(`${prefix}/message/init/de`, token)).status,
    (await api.put(`${prefix}/message/init/de`, { title: 'Eins' }, token)).status,
    (await api.post(`${prefix}/message/init/de/_preview`, {}, token)).status,
    (await api.remove(`${prefix}/message/init/de`, token)).status,
  ];

  it.each([
    ['ORG_OWNER', [403, 403, 403, 403], [200, 200, 200, 200]],
    ['ORG_OWNER_VIEWER', [403, 403, 403, 403], [200, 403, 200, 403]],
    ['IAM_OWNER_VIEWER', [200, 403, 200, 403], [200, 403, 200, 403]],
    ['IAM_ORG_MANAGER', [200, 403, 200, 403], [200, 200, 200, 200]],
  ] as const)('%s', async (role, ofInstance, ofOrg) => {
    const token = await caller(role);
    expect(await statuses(ADMIN, token)).toEqual(ofInstance);
    expect(await statuses(MANAGEMENT, token)).toEqual(ofOrg);
  });

  it('does not return the texts of an organization to managers of another [ADM-004, ADM-005]', async () => {
    const token = await caller('ORG_OWNER');
    await api.put(`${MANAGEMENT}/message/init/de`, { title: 'Of B' }, api.owner, orgB);
    expect((await api.read(`${MANAGEMENT}/message/init/de`, token))['title']).not.toBe('Of B');
    for (const orgId of [orgB, 'unknown']) {
      const replies = [
        await api.get(`${MANAGEMENT}/message/init/de`, token, orgId),
        await api.put(`${MANAGEMENT}/message/init/de`, { title: 'Mine' }, token, orgId),
        await api.remove(`${MANAGEMENT}/message/init/de`, token, orgId),
        await api.post(`${MANAGEMENT}/message/init/de/_preview`, {}, token, orgId),
      ];
      for (const reply of replies) expect([403, 404]).toContain(reply.status);
    }
    expect((await api.read(`${MANAGEMENT}/message/init/de`, api.owner, orgB))['title']).toBe('Of B');
  });
});

function sequenceOf(reply: { json<T>(): T }): string {
  return reply.json<{ details: { sequence: string } }>().details.sequence;
}
