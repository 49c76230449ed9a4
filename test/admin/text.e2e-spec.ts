import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { type Reply, send } from '../support/http.js';
import { bearer } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { Callers } from './callers.js';

const PATH = '/admin/v1/text/default/message/init/';

let world: World;
let pat: string;

beforeAll(async () => {
  world = await startWorld();
  ({ pat } = await new Callers(world).service(['IAM_OWNER']));
});
afterAll(() => world.close());

async function ask(language: string, at = world, token = pat): Promise<Reply> {
  return send(at.origin, { path: PATH + language, headers: bearer(token) });
}

const textOf = (reply: Reply): Record<string, unknown> =>
  reply.json<{ customText: Record<string, unknown> }>().customText;

describe('GET /admin/v1/text/default/message/init/{language}', () => {
  it('answers the built-in text with every field, template fields as they are', async () => {
    const reply = await ask('en');
    const instance = await world.get(InstanceService).get();
    expect(reply.json()).toEqual({
      customText: {
        details: {
          sequence: '0',
          creationDate: instance.creationDate.toISOString(),
          changeDate: instance.creationDate.toISOString(),
          resourceOwner: instance.id,
        },
        title: 'Welcome to Gatehouse',
        preHeader: 'Set up your account',
        subject: 'Set up your account',
        greeting: 'Hello {{.FirstName}} {{.LastName}},',
        text: expect.stringContaining('{{.PreferredLoginName}}'),
        buttonText: 'Set up my account',
        footerText: expect.any(String),
        isDefault: true,
      },
    });
  });

  it.each(['de', 'DE', 'de-CH', 'de-Latn-AT-1996'])('answers %s in German: RFC 4647 §3.4', async (language) => {
    const reply = await ask(language);
    expect([reply.status, textOf(reply)['title'], textOf(reply)['isDefault']]).toEqual([
      200,
      'Willkommen bei Gatehouse',
      true,
    ]);
  });

  it.each(['zz', 'fa', 'und', 'tlh', 'da-DK'])(
    'answers %s, which has no text, in the default language of the instance',
    async (language) => {
      expect(textOf(await ask(language))).toEqual(textOf(await ask('en')));
    },
  );

  it.each([
    ['a path', '..%2f..%2fetc%2fpasswd'],
    ['a path with backslashes', '..%5c..%5cde'],
    ['two dots', '..'],
    ['two dots in escapes', '%2e%2e'],
    ['NUL', '%00'],
    ['a language and NUL', 'de%00'],
    ['a file', 'de.json'],
    ['10,000 characters', 'd'.repeat(10_000)],
    ['a tag of 201 characters', `de${'-abcdefgh'.repeat(22)}`],
    ['a name that every object has', 'constructor'],
    ['a prototype', '__proto__'],
    ['a number', '0'],
    ['a negative number', '-1'],
    ['a large number', '18446744073709551616'],
    ['digits of another script', encodeURIComponent('１２')],
    ['a broken escape', '%zz'],
    ['invalid UTF-8', '%ff'],
    ['a quote', "de'--"],
    ['a line end', 'de%0d%0aX-Evil:1'],
  ])('answers 400 with code 3 to %s [ADM-024, ADM-025]', async (_, language) => {
    const reply = await ask(language);
    expect([reply.status, reply.json()['code']]).toEqual([400, 3]);
    expect(reply.header('x-evil')).toBeUndefined();
  });

  it('names the broken field', async () => {
    const { message, details } = (await ask('constructor')).json<{ message: string; details: unknown[] }>();
    expect(message).toMatch(/^language: /);
    expect(details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'language', description: expect.any(String) }],
      },
    ]);
  });

  it('is answered in the default language that the instance was given', async () => {
    const german = await startWorld({ env: { DEFAULT_LANGUAGE: 'de' } });
    const token = (await new Callers(german).service(['IAM_OWNER'])).pat;
    expect(textOf(await ask('zz', german, token))['title']).toBe('Willkommen bei Gatehouse');
    expect(textOf(await ask('en', german, token))['title']).toBe('Welcome to Gatehouse');
    await german.close();
  });

  it('is 404 when the instance has no default text at all', async () => {
    const klingon = await startWorld({ env: { DEFAULT_LANGUAGE: 'tlh' } });
    const token = (await new Callers(klingon).service(['IAM_OWNER'])).pat;
    const reply = await ask('zz', klingon, token);
    expect([reply.status, reply.json()['code']]).toEqual([404, 5]);
    expect((await ask('de', klingon, token)).status).toBe(200);
    await klingon.close();
  });

  it('writes the details with the word of the operator', async () => {
    const other = await startWorld({ env: { URN_WORD: 'acme' } });
    const { details } = (await send(other.origin, { path: `${PATH}en` })).json<{
      details: Array<Record<string, unknown>>;
    }>();
    expect(details[0]?.['@type']).toBe('type.googleapis.com/acme.v1.ErrorDetail');
    await other.close();
  });
});
