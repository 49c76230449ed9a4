import { describe, expect, it } from '@jest/globals';
import { Projection } from '../resource/projection.js';
import { readResource } from '../resource/read-resource.js';
import { writeResource } from '../resource/write-resource.js';
import { USER } from '../schema/user.schema.js';
import { type Account, toAccount } from './account.js';
import { shownOf } from './shown-user.js';

const ALL = Projection.of(USER, { attributes: [], excludedAttributes: [] });
const account = (json: object): Account => toAccount(readResource(USER, { userName: 'u@mail.test', ...json }));

describe('the account of a resource', () => {
  it.each<[string, object, Partial<Account>]>([
    [
      'takes its names',
      { name: { givenName: 'A', familyName: 'B' } },
      { firstName: 'A', lastName: 'B', displayName: 'A B' },
    ],
    [
      'takes missing names from the whole name',
      { name: { formatted: 'Anna Maria Arendt' } },
      { firstName: 'Anna Maria', lastName: 'Arendt' },
    ],
    [
      'takes missing names from the name that is shown',
      { displayName: 'Anna Arendt' },
      { firstName: 'Anna', lastName: 'Arendt' },
    ],
    [
      'takes a missing family name from the rest',
      { displayName: 'Anna', name: { givenName: 'A' } },
      { firstName: 'A', lastName: 'Anna' },
    ],
    ['takes missing names from the user name', {}, { firstName: 'u', lastName: 'u', displayName: 'u u' }],
    [
      'takes the primary address',
      { emails: [{ value: 'a@x.test' }, { value: 'b@x.test', primary: true }] },
      { email: 'b@x.test' },
    ],
    [
      'takes the first address otherwise',
      { emails: [{ value: 'a@x.test' }, { value: 'b@x.test' }] },
      { email: 'a@x.test' },
    ],
    ['takes a user name that is an address', {}, { email: 'u@mail.test' }],
    [
      'takes the primary number',
      {
        phoneNumbers: [
          { value: '+49 1234', type: 'mobile' },
          { value: '+43 (1) 234', primary: true },
        ],
      },
      { phone: '+431234' },
    ],
    [
      'takes a mobile number otherwise',
      { phoneNumbers: [{ value: '+491111' }, { value: '+492222', type: 'Mobile' }] },
      { phone: '+492222' },
    ],
    ['takes no number without its country', { phoneNumbers: [{ value: '030 1234', primary: true }] }, { phone: '' }],
    ['takes no fax', { phoneNumbers: [{ value: '+491111', type: 'fax' }] }, { phone: '' }],
    ['takes a language tag', { preferredLanguage: 'pt-BR' }, { preferredLanguage: 'pt-BR' }],
    ['takes no list of languages', { preferredLanguage: 'en-US,en;q=0.9' }, { preferredLanguage: '' }],
    ['takes a time zone', { timezone: 'Europe/Paris' }, { timeZone: 'Europe/Paris' }],
    ['takes no time zone that is none', { timezone: 'Middle-earth/Bree' }, { timeZone: '' }],
    ['takes a page', { profileUrl: 'https://example.com/a' }, { profileUrl: 'https://example.com/a' }],
    ['takes no address of another scheme', { profileUrl: 'javascript:alert(1)' }, { profileUrl: '' }],
  ])('%s', (_, json, expected) => {
    expect(account(json)).toMatchObject(expected);
  });

  it('needs a user name and an address', () => {
    for (const json of [{ userName: undefined }, { userName: 'no address' }])
      expect(() => account(json)).toThrow(expect.objectContaining({ scimType: 'invalidValue' }));
  });
});

describe('what is shown of a user', () => {
  const json = {
    userName: 'u@mail.test',
    name: { formatted: 'Dr A B', givenName: 'A', familyName: 'B', honorificPrefix: 'Dr' },
    emails: [
      { value: 'Home@X.test', type: 'home' },
      { value: 'Work@X.test', display: 'Work', type: 'work', primary: true },
    ],
    phoneNumbers: [{ value: '+49 (30) 123', type: 'work' }],
    preferredLanguage: 'en-US,en;q=0.9',
    title: 'T',
  };
  const said = readResource(USER, json);
  const became: Account = { ...toAccount(said), email: 'Work@x.test' };
  const shown = (now: Partial<Account>): object => {
    const { schemas: _, ...written } = writeResource(USER, shownOf(said, became, { ...became, ...now }), ALL);
    return written;
  };

  it('is what the directory said, in its own spelling', () => {
    expect(shown({})).toEqual(json);
  });

  it('is the account where somebody has changed it since', () => {
    expect(shown({ email: 'new@x.test' })).toEqual({
      ...json,
      emails: [json.emails[0], { value: 'new@x.test', type: 'work', primary: true }],
    });
    expect(shown({ phone: '+491' })).toEqual({ ...json, phoneNumbers: [{ value: '+491', type: 'work' }] });
    const { phoneNumbers: _, ...withoutPhone } = json;
    expect(shown({ phone: '' })).toEqual(withoutPhone);
    expect(shown({ firstName: 'New' })).toEqual({
      ...json,
      name: { givenName: 'New', familyName: 'B', honorificPrefix: 'Dr' },
    });
    expect(shown({ preferredLanguage: 'de' })).toEqual({ ...json, preferredLanguage: 'de' });
    expect(shown({ displayName: 'D', nickName: 'N' })).toEqual({ ...json, displayName: 'D', nickName: 'N' });
  });

  it('is the account alone where no directory has said anything', () => {
    const { schemas: _, ...written } = writeResource(USER, shownOf(readResource(USER, {}), {}, became), ALL);
    expect(written).toEqual({
      userName: 'u@mail.test',
      name: { givenName: 'A', familyName: 'B' },
      displayName: 'A B',
      emails: [{ value: 'Work@x.test', primary: true }],
      phoneNumbers: [{ value: '+4930123', primary: true }],
    });
  });
});
