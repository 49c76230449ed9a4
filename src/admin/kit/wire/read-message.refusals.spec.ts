import { describe, expect, it } from '@jest/globals';
import { cpuMsOf } from '../../../../test/support/effort.js';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { Count, Flag, Part, Parts, Reserves, Text, Texts } from './fields.js';
import { Everything, fieldsIn, problemsOf, read, Strict } from './read-message.fixture.js';
import { readMessage } from './read-message.js';

describe('Refusing values of the wrong type [ADM-011]', () => {
  const NOT_TEXT = [123, true, {}, [], ['a']];
  it.each<[keyof Everything, readonly unknown[]]>([
    ['firstName', NOT_TEXT],
    ['nickName', NOT_TEXT],
    ['byName', NOT_TEXT],
    ['tagNames', ['openid', 1, true, {}]],
    ['isActive', ['true', 'false', 1, 0, {}, [], '']],
    ['limit', [-1, 1.5, 1e21, '', 'x', '-1', '1.5', '1e3', ' 1', '0x10', '4294967296', 4_294_967_296, true, {}, []]],
    [
      'sequence',
      [-1, 1.5, '', 'x', '-1', '1.0', '18446744073709551616', '1'.repeat(21), 9_007_199_254_740_992, true, {}, []],
    ],
    ['colours', ['COLOUR_RED', 1, {}]],
    [
      'from',
      [
        0,
        '',
        'yesterday',
        '2026-01-31',
        '2026-01-31T12:00:00',
        '2026-13-01T00:00:00Z',
        '2026-01-31T25:00:00Z',
        '2026-02-30T00:00:00Z',
        '20260131T120000Z',
        '+102026-01-31T12:00:00Z',
        {},
        [],
      ],
    ],
    [
      'lifetime',
      [3600, '', '3600', '3600 s', '1h', '10m', '-1s', '+1s', 's', '.5s', '1e3s', `${'9'.repeat(13)}s`, {}, []],
    ],
    ['value', [1, 'a b', 'ü', '%%%', '=', 'A', 'AAAAA', 'AA===', 'A=AA', {}, []]],
    ['homeAddress', ['x', 1, true, []]],
    ['others', ['x', {}, 1]],
    ['anything', ['x', 1, true, []]],
  ])('%s', (field, values) => {
    for (const value of values) expect([value, fieldsIn({ [field]: value })]).toEqual([value, [field]]);
  });

  it.each<[string, unknown, string]>([
    ['tagNames', [1], 'tagNames[0]'],
    ['tagNames', ['a', null], 'tagNames[1]'],
    ['tagNames', [[]], 'tagNames[0]'],
    ['colours', ['COLOUR_RED', 'x'], 'colours[1]'],
    ['others', [{ street: 'a' }, 'x'], 'others[1]'],
    ['others', [null], 'others[0]'],
    ['others', [{ street: 1 }], 'others[0].street'],
    ['homeAddress', { street: 'a', next: { street: {} } }, 'homeAddress.next.street'],
  ])('names the entry: %s of %j', (field, value, named) => {
    expect(fieldsIn({ [field]: value })).toEqual([named]);
  });

  it.each([[[]], ['text'], [1], [true], [null], [undefined]])('refuses %j as a whole message', (json) => {
    expect(problemsOf(Everything, json)).toEqual({ body: ['must be an object'] });
  });

  it('refuses names and numbers that an enumeration does not have [ADM-012]', () => {
    const names = 'must be one of COLOUR_UNSPECIFIED, COLOUR_RED, COLOUR_BLUE';
    for (const colour of ['COLOUR_GREEN', 'colour_red', 'red', '', 2, 99, -1, 1.5, 2_147_483_648, '1', [], {}, true]) {
      expect([colour, problemsOf(Everything, { colour })]).toEqual([colour, { colour: [names] }]);
    }
    expect(read({ colour: 7 }).colour).toBe('blue');
    expect(read({ colour: null }).colour).toBe('unspecified');
  });

  it('refuses NUL and lone surrogates everywhere, and keeps every other code point as it is [ADM-013, ADM-014]', () => {
    for (const bad of ['a\0b', '\0', '\ud800', '\udc00x', 'x\ud83d']) {
      expect(fieldsIn({ nickName: bad, tagNames: ['a', bad], homeAddress: { street: bad } })).toEqual([
        'nickName',
        'tagNames[1]',
        'homeAddress.street',
      ]);
      expect(fieldsIn({ anything: { a: [{ b: bad }] } })).toEqual(['anything']);
      expect(fieldsIn({ anything: { [bad]: 1 } })).toEqual(['anything']);
    }
    for (const good of ['\uffff', '\u202e', 'e\u0301'.repeat(500), '\u2028', 'é', 'e\u0301', '😀', ' a ', ''])
      expect(read({ nickName: good }).nickName).toBe(good);
  });

  it('refuses a field that is sent in both spellings, of which either could win', () => {
    expect(problemsOf(Everything, { nickName: 'a', nick_name: 'b' })).toEqual({ nickName: ['must be sent only once'] });
    expect(fieldsIn({ homeAddress: { street: 'a' }, home_address: { street: 'a' } })).toEqual(['homeAddress']);
    expect(read({ nickName: null, nick_name: 'b' }).nickName).toBe('b');
  });

  it('refuses two alternatives at once, and names them', () => {
    expect(problemsOf(Everything, { byName: 'a', byMail: 'b' })).toEqual({
      byMail: ['must not be sent together with byName'],
    });
    expect(read({ byName: 'a', byMail: null }).byName).toBe('a');
  });

  it('refuses what is nested deeper than any request is', () => {
    const nested = (depth: number): object =>
      depth === 0 ? { street: 'a' } : { street: 'a', next: nested(depth - 1) };
    expect(fieldsIn({ homeAddress: nested(10) })).toEqual([]);
    expect(fieldsIn({ homeAddress: nested(30) })[0]).toMatch(/^homeAddress(\.next){16}$/);
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`) as unknown;
    expect(problemsOf(Everything, { anything: deep })).toEqual({
      anything: ['must not be nested more than 16 levels deep'],
    });
    expect(fieldsIn({ homeAddress: { street: 'a', unknown: deep } })).toEqual([]);
  });
});

describe('Refusing values that break a rule', () => {
  it('counts code points, not units of UTF-16 [ADM-010]', () => {
    expect(fieldsIn({ firstName: '😀😀😀😀' })).toEqual([]);
    expect(problemsOf(Everything, { firstName: '😀😀😀😀a' })).toEqual({ firstName: ['must have 0 to 4 characters'] });
    expect(problemsOf(Strict, { name: 'é'.repeat(201), colour: 1, address: { street: 'a' } })).toEqual({
      name: ['must have 1 to 200 characters'],
    });
  });

  it('counts bytes for fields that are limited in bytes', () => {
    expect(problemsOf(Strict, { name: 'a', colour: 1, address: { street: 'a' }, secret: 'ééé' })).toEqual({
      secret: ['must have at most 4 bytes'],
    });
  });

  it('names every broken field at once, the first in the message', () => {
    expect(problemsOf(Strict, { email: 'nobody', secret: 5 })).toEqual({
      secret: ['must be a string'],
      name: ['must have 1 to 200 characters'],
      colour: ['must be one of COLOUR_RED, COLOUR_BLUE'],
      address: ['is required'],
      email: ['must be an e-mail address'],
    });
    expect(() => readMessage(Strict, { secret: 5 })).toThrow('secret: must be a string');
  });

  it('names broken fields of parts by their path', () => {
    expect(
      problemsOf(Everything, {
        others: [{ street: 'a' }, { street: '' }],
        homeAddress: { street: 'a', next: { street: 'abcdef' } },
      }),
    ).toEqual({
      'others[1].street': ['must have 1 to 5 characters'],
      'homeAddress.next.street': ['must have 1 to 5 characters'],
    });
  });

  it('holds the limits of lists, and the rules of their entries', () => {
    expect(problemsOf(Everything, { tagNames: ['a', 'b', 'c'] })).toEqual({
      tagNames: ['must have at most 2 entries'],
    });
    expect(problemsOf(Everything, { tagNames: ['', 'abcd'] })).toEqual({
      tagNames: ['each entry must have 1 to 3 characters'],
    });
    expect(problemsOf(Everything, { others: Array.from({ length: 1_001 }, () => ({ street: 'a' })) })).toEqual({
      others: ['must have at most 1000 entries'],
    });
  });

  it('does not judge a field again that it could not even read', () => {
    expect(problemsOf(Everything, { firstName: 5, tagNames: ['ok', 7], others: 'x', value: '%' })).toEqual({
      firstName: ['must be a string'],
      'tagNames[1]': ['must be a string'],
      others: ['must be a list'],
      value: ['must be base64'],
    });
  });

  it('answers a thousand violations at most', () => {
    const others = Array.from({ length: 700 }, () => ({ street: 7, next: { street: 7 } }));
    expect(Object.keys(problemsOf(Everything, { others }))).toHaveLength(1_000);
  });

  it.each<[string, unknown]>([
    ['a list of a million entries', { tagNames: Array.from({ length: 1_000_000 }, () => 'a') }],
    ['a list of a hundred thousand messages', { others: Array.from({ length: 100_000 }, () => ({})) }],
    [
      'a thousand messages of a thousand messages',
      { lists: Array.from({ length: 1_000 }, () => ({ others: Array.from({ length: 100 }, () => ({})) })) },
    ],
    ['a thousand broken messages', { others: Array.from({ length: 1_000 }, () => ({ street: '' })) }],
  ])('refuses %s without looking at all of it [ADM-015]', async (_, json) => {
    class Nested {
      @Parts(1, () => Everything) readonly lists!: Everything[];
    }
    const cpuMs = await cpuMsOf(() => {
      expect(Object.keys({ ...problemsOf(Everything, json), ...problemsOf(Nested, json) }).length).toBeGreaterThan(0);
    });
    expect(cpuMs).toBeLessThan(200);
  });

  it('holds the limits of numbers, bytes and durations', () => {
    expect(problemsOf(Everything, { limit: 1_001, value: 'AQIDBAU=', lifetime: '315576000001s' })).toEqual({
      limit: ['must be 0 to 1000'],
      value: ['must have 0 to 4 bytes'],
      lifetime: ['must be a duration from 0s to 315576000000s, in whole seconds'],
    });
    expect(fieldsIn({ lifetime: '0.5s' })).toEqual(['lifetime']);
    expect(read({ lifetime: '5.000s' }).lifetime).toBe(5);
  });

  it('takes base64 with and without padding, and the alphabet of URLs', () => {
    for (const value of ['-_8=', '-_8', '+/8=', '+/8'])
      expect(read({ value }).value).toEqual(Buffer.from([0xfb, 0xff]));
  });

  it('demands a list that replaces another, in either spelling, and takes an empty one [ADM-088]', () => {
    class Replacing {
      @Texts(1, { replaces: true, min: 1, max: 5 }) readonly roleKeys!: string[];
    }
    const missing = { roleKeys: ['must be sent, because it replaces what is there; an empty list removes all'] };
    for (const json of [{}, { roleKey: ['a'] }, { roleKeys: null }, { role_keys: null }])
      expect(problemsOf(Replacing, json)).toEqual(missing);
    for (const json of [{ roleKeys: [] }, { role_keys: ['a'] }]) expect(problemsOf(Replacing, json)).toEqual({});
  });

  it('refuses what is nearly the name of a member that was not sent, where that would lose its setting [ADM-099]', async () => {
    class Inner {
      @Texts(1) readonly redirectHosts!: string[];
    }
    @Reserves({ 9: 'force_mfas' })
    class Setting {
      @Flag(1) readonly forceMfa!: boolean;
      @Count(2) readonly maxPasswordAttempts!: number;
      @Part(3, () => Inner) readonly limits?: Inner;
      @Text(4) readonly policyId!: string;
    }
    const asked = (json: object): string[] => {
      try {
        readMessage(Setting, json, { sets: true, spelled: { policyId: '1' } });
        return [];
      } catch (error) {
        return (error as DomainError).violations.map(({ field, description }) => `${field} ${description}`);
      }
    };
    const meant = (name: string, member: string): string => `${name} is not known here; did you mean ${member}?`;
    for (const name of ['forceMFA', 'force-mfa', 'Force_Mfa', 'forceMaf', 'forceMfs'])
      expect(asked({ [name]: true })).toEqual([meant(name, 'forceMfa')]);
    expect(asked({ maxPasswordAttemp: 3 })).toEqual([meant('maxPasswordAttemp', 'maxPasswordAttempts')]);
    expect(asked({ limits: { redirectHost: [] } })).toEqual([meant('limits.redirectHost', 'redirectHosts')]);
    for (const other of ['forceMfas', 'force_mfas', 'forcing', 'details', 'max', 'id', 'policyIds', '__proto__', ''])
      expect([other, ...asked({ [other]: true })]).toEqual([other]);
    expect(asked({ forceMFA: true, force_mfa: false })).toEqual([]);
    expect(readMessage(Setting, { forceMFA: true }).forceMfa).toBe(false);
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`maxPasswordAttempz${n}x`, n]));
    expect(await cpuMsOf(() => expect(asked(many)).toEqual([]))).toBeLessThan(1_000);
  });
});
