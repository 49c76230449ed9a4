import { describe, expect, it } from '@jest/globals';
import { type LoginLanguage, textsFor } from './catalogue/catalogue.js';
import { chosenLanguage, type PageDefaults, type PageOwner, PageSettings } from './page-settings.js';
import { PLAIN_LOOK } from './part/look.js';

const acme: PageDefaults = {
  defaultLanguage: () => Promise.resolve('de'),
  of: ({ orgId }: PageOwner, language: LoginLanguage) =>
    Promise.resolve({ name: orgId ?? 'Acme', look: PLAIN_LOOK, texts: textsFor(language) }),
};
const away: PageDefaults = {
  defaultLanguage: () => Promise.reject(new Error('The database is away.')),
  of: () => Promise.reject(new Error('The database is away.')),
};
const reader = (acceptLanguage?: string, url = '/ui/login/login', method = 'GET') => ({
  method,
  url,
  headers: { 'accept-language': acceptLanguage },
});

describe('Language and look of a page', () => {
  it('are those that the request asks for, or else the browser, or else the default', async () => {
    const settings = new PageSettings(acme);
    expect(await settings.forReader(reader('en'), { uiLocales: ['de'] })).toMatchObject({
      language: 'de',
      brand: 'Acme',
    });
    expect(await settings.forReader(reader('en'), { uiLocales: ['xx'], orgId: 'Other' })).toMatchObject({
      language: 'en',
      brand: 'Other',
    });
    expect(await settings.forReader(reader())).toMatchObject({ language: 'de', brand: 'Acme', texts: textsFor('de') });
  });

  it('are first of all what the reader has chosen on the page', async () => {
    const settings = new PageSettings(acme);
    expect(await settings.forReader(reader('en', '/x?ui_locales=en'), { uiLocales: ['de'] })).toMatchObject({
      language: 'en',
    });
    expect(await settings.forReader(reader('en', '/x?ui_locales=de', 'POST'))).toMatchObject({ language: 'en' });
    expect([chosenLanguage(['de', 'en']), chosenLanguage(['xx']), chosenLanguage([])]).toEqual([
      'de',
      undefined,
      undefined,
    ]);
  });

  it('are available without a database, so that an error page can always be shown', async () => {
    const settings = new PageSettings(away);
    expect(await settings.forReader(reader('de'))).toMatchObject({
      language: 'de',
      brand: 'Gatehouse',
      look: PLAIN_LOOK,
    });
    expect(await settings.forReader(reader())).toMatchObject({ language: 'en', brand: 'Gatehouse' });
  });

  it('include links to the same page in other languages, with the parameters of our own links only', async () => {
    const settings = new PageSettings(acme);
    const switchAt = async (url: string, method = 'GET') =>
      (await settings.forReader(reader('en', url, method))).languageSwitch;
    expect(await switchAt('/ui/login/login?authRequestID=1&password=secret&ui_locales=de')).toEqual({
      action: '/ui/login/login',
      fields: { authRequestID: '1' },
    });
    for (const url of ['//evil.test/', '/x/../%2e', `/x?state=${'a'.repeat(4001)}`])
      expect(await switchAt(url)).toBeUndefined();
    expect(await switchAt('/ui/login/login', 'POST')).toBeUndefined();
  });
});
