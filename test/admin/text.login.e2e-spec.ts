import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { LoginTextService } from '../../src/text/login-text.service.js';
import { startWorld, type World } from '../support/world.js';
import { Callers } from './callers.js';
import { type FoundTexts, LEVELS, refusalOf, TextApi } from './text-api.js';

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
  await world.rows('DELETE FROM login_text');
});

const screenOf = (found: FoundTexts, screen: string): Record<string, string> => found[screen] as Record<string, string>;
const textAt = (found: FoundTexts, screen: string, field: string): string | undefined =>
  screenOf(found, screen)?.[field];

describe.each(LEVELS)('the texts of the login screens at %s', (prefix) => {
  const path = `${prefix}/login/de`;
  const owner = (): string => (prefix === ADMIN ? instanceId : orgA);

  it('answers the built-in texts, every screen with every field', async () => {
    const found = await api.read(`${prefix}/default/login/de`);
    expect(textAt(found, 'passwordText', 'passwordLabel')).toBe('Passwort');
    expect(Object.keys(found)).toHaveLength(37);
    expect([found.isDefault, found.details.resourceOwner]).toEqual([true, instanceId]);
    expect(await api.read(path)).toEqual(found);
  });

  it('returns the default language for a language without texts, and refuses invalid tags', async () => {
    expect(textAt(await api.read(`${prefix}/default/login/tlh`), 'passwordText', 'passwordLabel')).toBe('Password');
    for (const bad of ['constructor', '..%2fde', '%00']) {
      expect(refusalOf(await api.get(`${prefix}/default/login/${bad}`))).toEqual({
        status: 400,
        code: 3,
        fields: ['language'],
      });
      expect(refusalOf(await api.get(`${prefix}/login/${bad}`))).toEqual({
        status: 400,
        code: 3,
        fields: ['language'],
      });
      expect(refusalOf(await api.remove(`${prefix}/login/${bad}`))).toEqual({
        status: 400,
        code: 3,
        fields: ['language'],
      });
    }
  });

  it('reads back what was set, other fields empty, until it is reset', async () => {
    const set = await api.put(path, { loginText: { title: 'Hallo' }, footer_text: { tos: 'AGB' } });
    const { details } = set.json<{ details: FoundTexts['details'] }>();
    expect(details).toMatchObject({ resourceOwner: owner(), sequence: expect.stringMatching(/^[1-9]/) });
    const stored = await api.read(path);
    expect([stored.isDefault, stored.details]).toEqual([false, details]);
    expect([
      textAt(stored, 'loginText', 'title'),
      textAt(stored, 'footerText', 'tos'),
      textAt(stored, 'loginText', 'description'),
    ]).toEqual(['Hallo', 'AGB', '']);
    // A screen that was never set is absent: infrastructure tools compare what there is with what they have written.
    expect(Object.keys(stored).sort()).toEqual(['details', 'footerText', 'isDefault', 'loginText']);
    expect((await api.remove(path)).status).toBe(200);
    expect((await api.read(path)).isDefault).toBe(true);
    expect([(await api.remove(path)).status, (await api.remove(path)).json()['code']]).toEqual([404, 5]);
  });

  it('replaces all texts, writes nothing when nothing changes, and removes the row when all is empty', async () => {
    const first = (await api.put(path, { loginText: { title: 'Hallo' } })).text;
    expect((await api.put(path, { loginText: { title: 'Hallo', description: '' }, logoutText: {} })).text).toBe(first);
    await api.put(path, { logoutText: { title: 'Ende' } });
    expect(textAt(await api.read(path), 'loginText', 'title')).toBeUndefined();
    const [event] = await world.rows<{ payload: unknown }>(
      "SELECT payload FROM event WHERE type LIKE '%customtext.set' ORDER BY position DESC LIMIT 1",
    );
    expect(event!.payload).toEqual({
      template: 'Login',
      language: 'de',
      texts: { loginText: { title: '' }, logoutText: { title: 'Ende' } },
    });
    await api.put(path, {});
    expect(await world.rows('SELECT 1 FROM login_text')).toEqual([]);
  });

  it.each([
    ['loginText', 'title', 200],
    ['loginText', 'description', 500],
    ['passwordText', 'minLength', 100],
    ['linkingUserPromptText', 'otherButtonText', 100],
  ])('%s.%s holds %i characters and no more: reference, appendix A.4', async (screen, field, max) => {
    expect((await api.put(path, { [screen]: { [field]: '🙂'.repeat(max) } })).status).toBe(200);
    expect(refusalOf(await api.put(path, { [screen]: { [field]: '🙂'.repeat(max + 1) } }))).toEqual({
      status: 400,
      code: 3,
      fields: [`${screen}.${field}`],
    });
  });

  it.each([
    ['a screen that is a text', { loginText: 'x' }, 'loginText'],
    ['a text that is a number', { loginText: { title: 1 } }, 'loginText.title'],
    ['NUL', { loginText: { title: '\0' } }, 'loginText.title'],
  ])('refuses %s', async (_, body, field) => {
    expect(refusalOf(await api.put(path, body))).toEqual({ status: 400, code: 3, fields: [field] });
  });

  it.each(['tlh', 'und', 'de-CH'])('refuses to set %s, which is not supported', async (language) => {
    expect(refusalOf(await api.put(`${prefix}/login/${language}`, {}))).toEqual({
      status: 400,
      code: 3,
      fields: ['language'],
    });
  });

  it('stores one set of texts when two are set at once', async () => {
    const replies = await Promise.all(['Eins', 'Zwei', 'Drei'].map((title) => api.put(path, { loginText: { title } })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await world.rows('SELECT 1 FROM login_text')).toHaveLength(1);
  });
});

describe('which login texts hold', () => {
  it('is decided field by field: the organization, the instance, the built-in file', async () => {
    await api.put(`${ADMIN}/login/de`, { loginText: { title: 'Instanz', description: 'Instanz' } });
    await api.put(`${MANAGEMENT}/login/de`, { loginText: { title: 'Organisation' } });
    const texts = world.get(LoginTextService);
    const own = await texts.resolve(orgA, 'de-AT');
    expect([own.loginText.title, own.loginText.description, own.loginText.nextButtonText]).toEqual([
      'Organisation',
      'Instanz',
      'Weiter',
    ]);
    expect((await texts.resolve(orgB, 'de')).loginText.title).toBe('Instanz');
    expect((await texts.resolve(orgA, 'en')).loginText.title).toBe('Sign in');
    expect(textAt(await api.read(`${MANAGEMENT}/login/de`, api.owner, orgB), 'loginText', 'title')).toBe('Instanz');
    expect(textAt(await api.read(`${MANAGEMENT}/default/login/de`), 'loginText', 'title')).toBe('Instanz');
    expect(textAt(await api.read(`${ADMIN}/default/login/de`), 'loginText', 'title')).toBe('Anmelden');
  });

  it('is an affair of the organization alone [ADM-004]', async () => {
    const { pat } = await new Callers(world).service(['ORG_OWNER']);
    expect((await api.put(`${MANAGEMENT}/login/de`, { loginText: { title: 'Mine' } }, pat)).status).toBe(200);
    expect([403, 404]).toContain(
      (await api.put(`${MANAGEMENT}/login/de`, { loginText: { title: 'Mine' } }, pat, orgB)).status,
    );
    expect((await api.put(`${ADMIN}/login/de`, { loginText: { title: 'Mine' } }, pat)).status).toBe(403);
    expect(textAt(await api.read(`${MANAGEMENT}/login/de`, api.owner, orgB), 'loginText', 'title')).toBe('Anmelden');
  });

  it('is journaled away with its organization', async () => {
    await api.put(`${MANAGEMENT}/login/de`, { loginText: { title: 'B' } }, api.owner, orgB);
    await world.transaction((tx) => world.get(LoginTextService).removeAllOf(tx, orgB, 'test'));
    expect(await world.rows('SELECT 1 FROM login_text')).toEqual([]);
    const [event] = await world.rows<{ type: string; payload: unknown }>(
      'SELECT type, payload FROM event ORDER BY position DESC LIMIT 1',
    );
    expect(event).toEqual({ type: 'org.customtext.template.removed', payload: { template: 'Login', language: 'de' } });
  });
});
