import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'node-html-parser';
import { messageLanguages } from '../../src/text/message-catalogue/catalogue.js';
import { LEVELS, refusalOf, TextApi } from '../admin/text-api.js';
import { startWorld, type World } from '../support/world.js';

const [ADMIN, MANAGEMENT] = LEVELS;
const MAILS = [
  'init',
  'passwordreset',
  'verifyemail',
  'verifyemailotp',
  'domainclaimed',
  'passwordless_registration',
  'password_change',
  'invite_user',
];

interface Preview {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly language: string;
}

let world: World;
let api: TextApi;

beforeAll(async () => {
  world = await startWorld();
  api = await TextApi.of(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.rows('DELETE FROM message_text');
});

async function preview(path: string, body: unknown = {}, prefix: string = ADMIN): Promise<Preview> {
  const reply = await api.post(`${prefix}/message/${path}/_preview`, body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json<Preview>();
}

/** As people read it: tags away, escapes undone. */
const readable = (html: string): string => parse(html).querySelector('body')!.structuredText;

describe('POST …/text/message/{kind}/{language}/_preview', () => {
  it.each(LEVELS)('%s: renders the text that would be sent, with sample values', async (prefix) => {
    const { subject, html, text, language } = await preview('init/de', {}, prefix);
    expect([subject, language]).toEqual(['Richten Sie Ihr Konto ein', 'de']);
    expect(html).toMatch(/^<!doctype html>\n<html lang="de" dir="ltr">/);
    expect(text).toContain('K7QX2M');
    expect(readable(html)).toContain('K7QX2M');
    expect(readable(html)).toContain('Guten Tag Given Family,');
    expect(text).toContain(`Mein Konto einrichten: ${world.issuer}/ui/login`);
  });

  it.each([
    ['init', '3 days'],
    ['invite_user', '3 days'],
    ['passwordreset', '1 hour'],
    ['verifyemail', '1 hour'],
    ['verifyemailotp', '5 minutes'],
  ])('says of %s how long its code is really valid: %s', async (kind, duration) => {
    const { text } = await preview(`${kind}/en`);
    expect(text).toContain(`The code is valid for: ${duration}.`);
  });

  it('shows what is sent in the body, and for the rest what is stored', async () => {
    await api.put(`${ADMIN}/message/init/en`, { title: 'Of the instance', greeting: 'Hey' });
    await api.put(`${MANAGEMENT}/message/init/en`, { subject: 'Of the organization' });
    const { subject, html, text } = await preview(
      'init/en',
      { greeting: 'Dear {{.FirstName}}!', text: 'One\nTwo' },
      MANAGEMENT,
    );
    expect(subject).toBe('Of the organization');
    expect(text).toMatch(/^Dear Given!\n\nOne\nTwo\n\nSet up my account: /);
    expect(readable(html)).toContain('Of the instance');
    expect(
      parse(html)
        .querySelectorAll('p')
        .map((p) => p.textContent),
    ).toEqual(expect.arrayContaining(['One', 'Two']));
    expect(await world.rows('SELECT 1 FROM message_text')).toHaveLength(2);
  });

  // Three messages in each language, and each message in several.
  it.each([...messageLanguages].map((language, index) => [language, index] as const))(
    '%s: fills every field of a message',
    async (language, index) => {
      for (const word of [MAILS[index % MAILS.length]!, MAILS[(index + 3) % MAILS.length]!]) {
        const { subject, html, text } = await preview(`${word}/${language}`);
        for (const part of [subject, html, text])
          expect([word, part]).toEqual([word, expect.not.stringMatching(/\{\{|\}\}|undefined|\[object/)]);
        expect(subject).not.toBe('');
      }
      {
        const word = index % 2 === 0 ? 'verifyphone' : 'verifysmsotp';
        const { subject, html, text } = await preview(`${word}/${language}`);
        expect([word, subject, html, text]).toEqual([
          word,
          '',
          '',
          expect.not.stringMatching(/\{\{|\}\}|undefined|^$/),
        ]);
      }
    },
  );

  it('ends a short message with a one-time code as browsers want it', async () => {
    expect((await preview('verifysmsotp/de')).text).toMatch(
      /^40718263 ist .* Gültig: 5 Minuten\. .*\n@127\.0\.0\.1 #40718263$/,
    );
  });

  it('takes markup and templates in a text for text [LOG-015, LOG-017]', async () => {
    const nasty = '<script>alert(1)</script><img src=//evil.test/p onerror=x> & "quotes" &amp; ${7*7}';
    const { html, text } = await preview('init/en', {
      title: nasty,
      greeting: nasty,
      text: nasty,
      buttonText: nasty,
      footerText: nasty,
    });
    expect(text).toContain(nasty);
    expect(parse(html).querySelectorAll('script, img')).toEqual([]);
    expect(parse(html).querySelector('h1')!.textContent).toBe(nasty);
  });

  it.each([
    ['an unknown kind', 'unknown/en', {}, 'kind'],
    ['an unsupported language', 'init/tlh', {}, 'language'],
    ['an unknown template field', 'init/en', { title: '{{.Password}}' }, 'title'],
    ['a text that is too long', 'init/en', { title: 'a'.repeat(2_001) }, 'title'],
  ])('refuses %s', async (_, path, body, field) => {
    expect(refusalOf(await api.post(`${ADMIN}/message/${path}/_preview`, body))).toEqual({
      status: 400,
      code: 3,
      fields: [field],
    });
  });
});
