import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../error/domain-error.js';
import {
  Bytes,
  Choice,
  Choices,
  Count,
  Filter,
  Flag,
  Long,
  Moment,
  Part,
  Parts,
  Span,
  Struct,
  Text,
  Texts,
} from './fields.js';
import { readMessage } from './read-message.js';
import { type ValueOf, wireEnum } from './wire-enum.js';

const COLOUR = wireEnum('Colour', {
  COLOUR_UNSPECIFIED: [0, 'unspecified'],
  COLOUR_RED: [1, 'red'],
  COLOUR_BLUE: [7, 'blue'],
});

class Address {
  @Text(1, { min: 1, max: 5 }) readonly street!: string;
  @Part(2, () => Address) readonly next?: Address | undefined;
}

class Everything {
  @Text(1, { max: 4 }) readonly firstName!: string;
  @Text(2, { optional: true }) readonly nickName?: string | undefined;
  @Texts(3, { min: 1, max: 3, maxItems: 2 }) readonly tagNames!: string[];
  @Flag(4) readonly isActive!: boolean;
  @Flag(5, { optional: true }) readonly maybeActive?: boolean | undefined;
  @Count(6, { max: 1_000 }) readonly limit!: number;
  @Long(7) readonly sequence!: bigint;
  @Choice(8, COLOUR) readonly colour!: ValueOf<typeof COLOUR>;
  @Choices(9, COLOUR) readonly colours!: Array<ValueOf<typeof COLOUR>>;
  @Moment(10) readonly from?: Date | undefined;
  @Span(11) readonly lifetime?: number | undefined;
  @Bytes(12, { max: 4 }) readonly value!: Buffer;
  @Part(13, () => Address) readonly homeAddress?: Address | undefined;
  @Parts(14, () => Address) readonly others!: Address[];
  @Struct(15) readonly anything?: object | undefined;
  @Text(16, { oneof: 'by' }) readonly byName?: string | undefined;
  @Text(17, { oneof: 'by' }) readonly byMail?: string | undefined;
}

class Strict {
  @Text(1, { min: 1, max: 200 }) readonly name!: string;
  @Choice(2, COLOUR, { required: true }) readonly colour!: ValueOf<typeof COLOUR>;
  @Part(3, () => Address, { required: true }) readonly address!: Address;
  @Text(4, { maxBytes: 4 }) readonly secret!: string;
  @Text(5, { form: { fits: (text) => text.includes('@'), says: 'must be an e-mail address' } }) readonly email!: string;
}

class NameFilter {
  @Text(1, { max: 4 }) readonly text!: string;
}

class BothFilter {
  @Parts(1, () => Search) readonly queries!: Search[];
}

@Filter()
class Search {
  @Part(1, () => NameFilter, { oneof: 'query' }) readonly byName?: NameFilter;
  @Part(2, () => BothFilter, { oneof: 'query' }) readonly byBoth?: BothFilter;
}

class Searching {
  @Parts(1, () => Search) readonly queries!: Search[];
}

@Filter()
class Choosing {
  @Text(1) readonly owner!: string;
  @Part(2, () => Address) readonly address?: Address;
  @Text(3, { oneof: 'since' }) readonly day?: string;
}

const read = (json: unknown) => readMessage(Everything, json);

/** Each broken field and what is wrong with it. */
function problemsOf(
  message: new () => object,
  json: unknown,
  spelled?: Record<string, string>,
): Record<string, string[]> {
  try {
    readMessage(message, json, spelled);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect([error.kind, error.reason]).toEqual(['InvalidArgument', 'request.invalid']);
    const grouped = Map.groupBy(error.violations, ({ field }) => field);
    return Object.fromEntries(
      [...grouped].map(([field, violations]) => [field, violations.map(({ description }) => description)]),
    );
  }
  return {};
}

const fieldsIn = (json: unknown): string[] => Object.keys(problemsOf(Everything, json));

describe('Reading a message', () => {
  it('gives what was not sent its zero value, and leaves what is optional undefined', () => {
    expect({ ...read({}) }).toEqual({
      firstName: '',
      nickName: undefined,
      tagNames: [],
      isActive: false,
      maybeActive: undefined,
      limit: 0,
      sequence: 0n,
      colour: 'unspecified',
      colours: [],
      from: undefined,
      lifetime: undefined,
      value: Buffer.alloc(0),
      homeAddress: undefined,
      others: [],
      anything: undefined,
      byName: undefined,
      byMail: undefined,
    });
  });

  it('tells an optional field that was sent empty from one that was not sent', () => {
    expect(read({ nickName: '', maybeActive: false, byName: '' })).toMatchObject({
      nickName: '',
      maybeActive: false,
      byName: '',
    });
  });

  it('reads every kind of field', () => {
    const address = { street: 'a', next: { street: 'b' } };
    expect(
      read({
        firstName: 'Ada',
        tagNames: ['a', 'b'],
        isActive: true,
        limit: 5,
        sequence: '18446744073709551615',
        colour: 'COLOUR_RED',
        colours: ['COLOUR_BLUE', 1],
        from: '2026-01-31T12:00:00+01:00',
        lifetime: '3600s',
        value: 'AQID',
        homeAddress: address,
        others: [address],
        anything: { a: [1, { b: null }] },
      }),
    ).toMatchObject({
      firstName: 'Ada',
      tagNames: ['a', 'b'],
      isActive: true,
      limit: 5,
      sequence: 18_446_744_073_709_551_615n,
      colour: 'red',
      colours: ['blue', 'red'],
      from: new Date('2026-01-31T11:00:00Z'),
      lifetime: 3_600,
      value: Buffer.from([1, 2, 3]),
      homeAddress: address,
      others: [address],
      anything: { a: [1, { b: null }] },
    });
  });

  it('takes lowerCamelCase and snake_case, in parts as well; the last one of both wins', () => {
    expect(read({ first_name: 'Ada', tag_names: ['a'], home_address: { street: 'b' } })).toMatchObject({
      firstName: 'Ada',
      tagNames: ['a'],
      homeAddress: { street: 'b' },
    });
    expect(read({ firstName: 'a', first_name: 'b' }).firstName).toBe('b');
    expect(read({ first_name: 'b', firstName: 'a' }).firstName).toBe('a');
  });

  it('takes null as not sent', () => {
    const nothing = Object.fromEntries(Object.keys(read({})).map((name) => [name, null]));
    expect(read(nothing)).toEqual(read({}));
  });

  it('ignores unknown members, and members that other cases spell [ADM-017]', () => {
    const strange = {
      id: '1',
      state: 2,
      details: { sequence: '9' },
      FirstName: 'X',
      'first-name': 'X',
      FIRST_NAME: 'X',
      instanceId: [],
    };
    expect(read({ ...strange, homeAddress: { street: 'a', resourceOwner: {} } })).toEqual(
      read({ homeAddress: { street: 'a' } }),
    );
  });

  it('lets no member reach the prototype of anything [ADM-016]', () => {
    const hostile = JSON.parse(
      '{"__proto__":{"isActive":true,"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"homeAddress":{"street":"a","__proto__":{"isAdmin":true}},"anything":{"__proto__":{"isAdmin":true}}}',
    ) as unknown;
    const message = read(hostile);
    expect(message.isActive).toBe(false);
    for (const object of [message, message.homeAddress, {}, []])
      expect((object as Record<string, unknown>)['isAdmin']).toBeUndefined();
    expect(Object.getPrototypeOf(message)).toBe(Everything.prototype);
  });

  it('does not read a member that a prototype has as one that was sent', () => {
    expect(read(Object.create({ firstName: 'X' })).firstName).toBe('');
  });
});

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

  it('counts bytes where a field says so', () => {
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
  ])('refuses %s without looking at all of it [ADM-015]', (_, json) => {
    class Nested {
      @Parts(1, () => Everything) readonly lists!: Everything[];
    }
    const started = performance.now();
    expect(Object.keys({ ...problemsOf(Everything, json), ...problemsOf(Nested, json) }).length).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(400); // some 20 ms on a machine that does nothing else
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
});

describe('Reading what a list is filtered by', () => {
  const ONE = 'must contain one of byName, byBoth';

  it.each<[string, unknown, Record<string, string[]>]>([
    ['an entry without a filter', { queries: [{}] }, { 'queries[0]': [ONE] }],
    ['a filter that is null', { queries: [{ byName: null }] }, { 'queries[0]': [ONE] }],
    [
      'an unknown filter',
      { queries: [{ byName: {} }, { nonsense: {} }] },
      { 'queries[1]': [`${ONE}; "nonsense" is unknown`] },
    ],
    [
      'an unknown filter that is null',
      { queries: [{ nonsense: null }] },
      { 'queries[0]': [`${ONE}; "nonsense" is unknown`] },
    ],
    [
      'an unknown filter beside a known one',
      { queries: [{ byName: {}, nonsense: {} }] },
      { 'queries[0]': [`${ONE}; "nonsense" is unknown`] },
    ],
    [
      'an unknown member of a filter',
      { queries: [{ byName: { txt: 'a' } }] },
      { 'queries[0].byName': ['must contain only text; "txt" is unknown'] },
    ],
    [
      'an unknown filter within another',
      { queries: [{ byBoth: { queries: [{ x: 1 }] } }] },
      { 'queries[0].byBoth.queries[0]': [`${ONE}; "x" is unknown`] },
    ],
    ['a filter that is no object, once', { queries: [{ byName: 5 }] }, { 'queries[0].byName': ['must be an object'] }],
    [
      'a long name in part',
      { queries: [{ ['x'.repeat(50)]: 1 }] },
      { 'queries[0]': [`${ONE}; "${'x'.repeat(40)}" is unknown`] },
    ],
  ])('refuses %s', (_, json, problems) => {
    expect(problemsOf(Searching, json)).toEqual(problems);
  });

  it('refuses an unknown member where the request itself filters, and what is in it', () => {
    expect(problemsOf(Choosing, { ownr: 'x' })).toEqual({
      body: ['must contain only owner, address, day; "ownr" is unknown'],
    });
    expect(problemsOf(Choosing, { address: { street: 'a', no: 1 } })).toEqual({
      address: ['must contain only street, next; "no" is unknown'],
    });
    expect(problemsOf(Choosing, {})).toEqual({});
  });

  it('ignores unknown members that filter nothing, beside a filter too', () => {
    expect(
      readMessage(Searching, { nonsense: 1, queries: [{ by_name: { text: 'a' } }] }).queries[0]!.byName!.text,
    ).toBe('a');
  });
});

describe('Reading what a path or a query names', () => {
  it('takes numbers and booleans as text, there alone', () => {
    expect(
      readMessage(Everything, {}, { limit: '5', isActive: 'true', colour: '7', sequence: '12', firstName: '12' }),
    ).toMatchObject({
      limit: 5,
      isActive: true,
      colour: 'blue',
      sequence: 12n,
      firstName: '12',
    });
    expect(problemsOf(Everything, {}, { isActive: '1', colour: 'x', limit: '' })).toEqual({
      isActive: ['must be true or false'],
      colour: [expect.any(String)],
      limit: [expect.any(String)],
    });
  });

  it('lets the path win over the body', () => {
    expect(readMessage(Everything, { firstName: 'body', first_name: 'body' }, { firstName: 'path' }).firstName).toBe(
      'path',
    );
  });

  it('holds the rules of fields for the path, too', () => {
    expect(problemsOf(Everything, {}, { firstName: 'a\0' })).toEqual({
      firstName: ['must not contain NUL or unpaired surrogates'],
    });
    expect(problemsOf(Everything, {}, { firstName: 'abcde' })).toEqual({ firstName: ['must have 0 to 4 characters'] });
  });
});
