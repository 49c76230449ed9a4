import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { DomainError, type Kind } from 'gatehouse';
import { referencesOf, replaceReferences } from '../bulk/bulk-references.js';
import { errorBody, translated } from '../error/error-body.js';
import { noTarget, versionDiffers } from '../error/scim-error.js';
import { queryOf, readListQuery } from './list-query.js';
import { Conditions, versionOf } from './version.js';

describe('RFC 7644 §3.14: versions', () => {
  const version = versionOf(12n, 3);

  it.each([
    ['W/"12.3"', true],
    ['"12.3"', true],
    ['"1", W/"12.3"', true],
    ['*', true],
    ['W/"12.4"', false],
    ['12.3', false],
    ['', false],
  ])('If-Match: %s', (header, fits) => {
    const conditions = Conditions.of({ 'if-match': header });
    if (fits) expect(() => conditions.check(version)).not.toThrow();
    else expect(() => conditions.check(version)).toThrow(expect.objectContaining({ status: 412 }));
    expect(Conditions.of({ 'if-none-match': header }).isKnown(version)).toBe(fits);
  });

  it('are not asked for without a header', () => {
    expect(() => Conditions.NONE.check(version)).not.toThrow();
    expect(Conditions.NONE.isKnown(version)).toBe(false);
  });
});

describe('RFC 7644 §3.4.2: a query', () => {
  const read = (url: string): unknown => {
    const request = new IncomingMessage(new Socket());
    request.url = url;
    return readListQuery(queryOf(request));
  };

  it.each<[string, object]>([
    ['/Users', { startIndex: 1, count: 100, filter: undefined, attributes: [], excludedAttributes: [] }],
    ['/Users?startIndex=5&count=7', { startIndex: 5, count: 7 }],
    ['/Users?startIndex=-5&count=-7', { startIndex: 1, count: 0 }],
    ['/Users?startIndex=0&count=0', { startIndex: 1, count: 0 }],
    ['/Users?count=100000', { count: 200 }],
    ['/Users?attributes=a,b&excludedAttributes=c', { attributes: ['a', 'b'], excludedAttributes: ['c'] }],
    ['/Users?filter=userName+eq+%22a%2Bb%22', { filter: { value: 'a+b' } }],
    ['/Users?filter=', { filter: undefined }],
  ])('%s', (url, expected) => {
    expect(read(url)).toMatchObject(expected);
  });

  it.each([
    ['/?count=x'],
    ['/?count=1.5'],
    ['/?count=99999999999'],
    ['/?count=1&count=1'],
    ['/?filter=a+pr&filter=b+pr'],
    [`/?attributes=${'a,'.repeat(101)}`],
  ])('refuses %s', (url) => {
    expect(() => read(url)).toThrow(expect.objectContaining({ status: 400 }));
  });
});

describe('RFC 7644 §3.12: an error', () => {
  const refused = (kind: Kind, status: number, reason: string) => ({ kind, status, reason, message: 'Why.' });

  it.each<[string, ReturnType<typeof refused>, object]>([
    ['a name that is taken', refused('AlreadyExists', 409, 'user.name_taken'), { status: 409, scimType: 'uniqueness' }],
    ['a broken field', refused('InvalidArgument', 400, 'request.invalid'), { status: 400, scimType: 'invalidValue' }],
    [
      'a body that is no JSON',
      refused('InvalidArgument', 400, 'body.not_json'),
      { status: 400, scimType: 'invalidSyntax' },
    ],
    ['a body that is too long', refused('InvalidArgument', 400, 'body.too_large'), { status: 413 }],
    ['what passes by itself', refused('Aborted', 409, 'user.names_busy'), { status: 503 }],
    ['a missing right', refused('PermissionDenied', 403, 'permission.missing'), { status: 403 }],
    ['too many requests', refused('ResourceExhausted', 429, 'rate.exceeded'), { status: 429 }],
  ])('of %s', (_, refusal, expected) => {
    expect(translated(new DomainError(refusal.kind, refusal.reason, refusal.message), refusal)).toEqual(expected);
  });

  it('of this protocol has the status that it says', () => {
    expect(translated(noTarget('x'), refused('InvalidArgument', 400, 'scim.no_target'))).toEqual({
      status: 400,
      scimType: 'noTarget',
    });
    expect(translated(versionDiffers(), refused('FailedPrecondition', 400, 'x'))).toEqual({ status: 412 });
  });

  it('says its status as a text, and its stable reason in brackets', () => {
    expect(errorBody(refused('NotFound', 404, 'scim.user_not_found'), undefined)).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      detail: 'Why. [scim.user_not_found]',
      status: '404',
    });
  });
});

describe('RFC 7644 §3.7.2: references of a bulk request', () => {
  const operation = {
    method: 'PATCH',
    bulkId: undefined,
    version: undefined,
    endpoint: 'Groups',
    id: 'bulkId:team',
    data: {
      displayName: 'bulkId:name',
      members: [{ value: 'bulkId:a' }, { Value: 'x' }],
      Operations: [{ value: [{ value: 'bulkId:b' }] }],
    },
  } as const;

  it('are found where ids stand', () => {
    expect([...referencesOf(operation)]).toEqual(['team', 'a', 'b']);
  });

  it('are replaced by what is known', () => {
    const ids = new Map([
      ['team', '1'],
      ['a', '2'],
    ]);
    expect(replaceReferences(operation, (bulkId) => ids.get(bulkId))).toEqual({
      id: '1',
      data: {
        displayName: 'bulkId:name',
        members: [{ value: '2' }, { Value: 'x' }],
        Operations: [{ value: [{ value: 'bulkId:b' }] }],
      },
    });
  });
});
