import { describe, expect, it } from '@jest/globals';
import { PageSettings, type PageDefaults } from './page-settings.js';

const acme: PageDefaults = { get: () => Promise.resolve({ name: 'Acme', defaultLanguage: 'de' }) };
const away: PageDefaults = { get: () => Promise.reject(new Error('The database is away.')) };
const reader = (acceptLanguage?: string) => ({ headers: { 'accept-language': acceptLanguage } });

describe('Language and brand of a page', () => {
  it('are what the request asks for, else what the reader asks for, else the default', async () => {
    const settings = new PageSettings(acme);
    expect(await settings.forReader(reader('en'), ['de'])).toEqual({ language: 'de', brand: 'Acme' });
    expect(await settings.forReader(reader('en'), ['xx'])).toEqual({ language: 'en', brand: 'Acme' });
    expect(await settings.forReader(reader())).toEqual({ language: 'de', brand: 'Acme' });
  });

  it('are there without a database too, so that an error page never fails itself', async () => {
    const settings = new PageSettings(away);
    expect(await settings.forReader(reader('de'))).toEqual({ language: 'de', brand: 'Gatehouse' });
    expect(await settings.forReader(reader())).toEqual({ language: 'en', brand: 'Gatehouse' });
  });
});
