import { describe, expect, it } from '@jest/globals';
import { ENGLISH_LOGIN_TEXTS } from '../../text/login-catalogue/catalogue.js';
import { messageLanguages } from '../../text/message-catalogue/catalogue.js';
import { loginLanguages, textsFor } from '../catalogue/catalogue.js';
import { PLACES, withCustomTexts } from './custom-texts.js';

type Tree = { readonly [key: string]: Tree | string };
const at = (tree: Tree, place: string): unknown =>
  place.split('.').reduce<unknown>((found, key) => (found as Tree | undefined)?.[key], tree);

describe('What an organization has written for the pages', () => {
  it('is shown in every language that it can be written in', () => {
    expect([...loginLanguages].sort()).toEqual([...messageLanguages].sort());
  });

  it('takes the place of texts that exist, each once', () => {
    for (const [custom, page] of PLACES) {
      expect([custom, typeof at(ENGLISH_LOGIN_TEXTS, custom)]).toEqual([custom, 'string']);
      expect([page, typeof at(textsFor('en') as unknown as Tree, page)]).toEqual([page, 'string']);
    }
    expect(new Set(PLACES.map(([, page]) => page)).size).toBe(PLACES.length);
  });

  it('leaves everything else as it is', () => {
    const texts = withCustomTexts({ loginText: { title: 'Hello {client} <b>' } }, 'de');
    expect(texts.loginName.title).toBe('Hello {client} <b>');
    expect(texts.loginName.label).toBe(textsFor('de').loginName.label);
    expect(textsFor('de').loginName.title).not.toContain('Hello');
    expect(withCustomTexts({}, 'en')).toBe(textsFor('en'));
  });
});
