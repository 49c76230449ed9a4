import { describe, expect, it } from '@jest/globals';
import { Choosing, Everything, problemsOf, read, Searching } from './read-message.fixture.js';
import { readMessage } from './read-message.js';

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

  it('distinguishes an optional field that was sent empty from one that was not sent', () => {
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

  it('takes lowerCamelCase and snake_case, in parts as well, and refuses both at once', () => {
    expect(read({ first_name: 'Ada', tag_names: ['a'], home_address: { street: 'b' } })).toMatchObject({
      firstName: 'Ada',
      tagNames: ['a'],
      homeAddress: { street: 'b' },
    });
    expect(problemsOf(Everything, { firstName: 'a', first_name: 'b' })).toEqual({
      firstName: ['must be sent only once'],
    });
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
      readMessage(
        Everything,
        {},
        {
          spelled: { limit: '5', isActive: 'true', colour: '7', sequence: '12', firstName: '12' },
        },
      ),
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
    expect(readMessage(Everything, { firstName: 'body' }, { spelled: { firstName: 'path' } }).firstName).toBe('path');
    expect(readMessage(Everything, { first_name: 'body' }, { spelled: { firstName: 'path' } }).firstName).toBe('path');
  });

  it('holds the rules of fields for the path, too', () => {
    expect(problemsOf(Everything, {}, { firstName: 'a\0' })).toEqual({
      firstName: ['must not contain NUL or unpaired surrogates'],
    });
    expect(problemsOf(Everything, {}, { firstName: 'abcde' })).toEqual({ firstName: ['must have 0 to 4 characters'] });
  });
});
