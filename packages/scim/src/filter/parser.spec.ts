import { describe, expect, it } from '@jest/globals';
import { ScimError } from '../error/scim-error.js';
import type { Filter } from './filter.js';
import { MAX_CHARACTERS, parseFilter, parsePath } from './parser.js';

/** A filter in prefix form, so that a table shows what binds what. */
function shown(filter: Filter): string {
  switch (filter.is) {
    case 'present':
      return `(pr ${nameOf(filter.path)})`;
    case 'compare':
      return `(${filter.operator} ${nameOf(filter.path)} ${JSON.stringify(filter.value)})`;
    case 'not':
      return `(not ${shown(filter.filter)})`;
    case 'element':
      return `(in ${nameOf(filter.path)} ${shown(filter.filter)})`;
    default:
      return `(${filter.is} ${filter.filters.map(shown).join(' ')})`;
  }
}

function nameOf({ name, sub }: { name: string; sub: string | undefined }): string {
  return sub === undefined ? name : `${name}/${sub}`;
}

function refusalOf(text: string): unknown {
  try {
    return parseFilter(text);
  } catch (error) {
    return error;
  }
}

describe('RFC 7644 §3.4.2.2: a filter', () => {
  it.each([
    ['userName eq "bjensen"', '(eq userName "bjensen")'],
    [`name.familyName co "O'Malley"`, '(co name/familyName "O\'Malley")'],
    [
      'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
      '(sw urn:ietf:params:scim:schemas:core:2.0:User:userName "J")',
    ],
    [
      'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName pr',
      '(pr urn:ietf:params:scim:schemas:core:2.0:User:name/givenName)',
    ],
    ['title pr', '(pr title)'],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', '(gt meta/lastModified "2011-05-13T04:42:34Z")'],
    ['title pr and userType eq "Employee"', '(and (pr title) (eq userType "Employee"))'],
    ['a pr or b pr and c pr', '(or (pr a) (and (pr b) (pr c)))'],
    ['(a pr or b pr) and c pr', '(and (or (pr a) (pr b)) (pr c))'],
    ['not (a pr) and b pr', '(and (not (pr a)) (pr b))'],
    ['not(a pr or b pr)', '(not (or (pr a) (pr b)))'],
    ['a pr and b pr and c pr', '(and (pr a) (pr b) (pr c))'],
    [
      'emails[type eq "work" and value co "@example.com"]',
      '(in emails (and (eq type "work") (co value "@example.com")))',
    ],
    [
      'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp"]',
      '(or (in emails (and (eq type "work") (co value "@example.com"))) (in ims (eq type "xmpp")))',
    ],
    ['active eq true', '(eq active true)'],
    ['active eq True', '(eq active true)'],
    ['title eq null', '(eq title null)'],
    ['count ge -1.5e3', '(ge count -1500)'],
    ['userName EQ "x" AND NOT (title PR)', '(and (eq userName "x") (not (pr title)))'],
    ['members.$ref pr', '(pr members/$ref)'],
  ])('reads %s', (text, expected) => {
    expect(shown(parseFilter(text))).toBe(expected);
  });

  it('reads a comparison behind brackets as one of the same value, as Entra writes it', () => {
    expect(shown(parseFilter('emails[type eq "work"].value eq "a@example.com"'))).toBe(
      '(in emails (and (eq type "work") (eq value "a@example.com")))',
    );
  });

  it.each([
    ['"a\\"b"', 'a"b'],
    ['"\\u0041\\n\\\\\\/"', 'A\n\\/'],
    [`"' OR 1=1 --"`, "' OR 1=1 --"],
    ['"%_\\\\"', '%_\\'],
    ['"\\u0000"', '\0'],
    ['"\\ud800"', '\ud800'],
    ['"grüße 👋"', 'grüße 👋'],
    ['""', ''],
  ])('decodes the JSON string %s (SCM-001)', (json, value) => {
    expect(parseFilter(`userName eq ${json}`)).toEqual({
      is: 'compare',
      path: { name: 'userName', sub: undefined },
      operator: 'eq',
      value,
    });
  });

  it.each([
    [''],
    ['   '],
    ['userName'],
    ['userName eq'],
    ['userName eq bjensen'],
    ["userName eq 'bjensen'"],
    ['userName eq "bjensen'],
    ['userName eq "a\tb"'],
    ['userName eq "\\x41"'],
    ['userName eq "\\u00"'],
    ['userName eq 01'],
    ['userName eq 5abc'],
    ['userName is "x"'],
    ['eq "x"'],
    ['userName eq "x" and'],
    ['and userName eq "x"'],
    ['userName eq "x" userName eq "y"'],
    ['(userName eq "x"'],
    ['userName eq "x")'],
    ['not userName eq "x"'],
    ['emails[type eq "work"'],
    ['emails[]'],
    ['emails[type eq "work"].'],
    ['emails[type eq "work"].value'],
    ['a.b.c pr'],
    ['a. pr'],
    ['http://x:name pr'],
    ['userName eq {"a":1}'],
    ['__proto__ pr'],
    ['userName;drop eq "x"'],
  ])('refuses %j with invalidFilter', (text) => {
    const refusal = refusalOf(text);
    expect(refusal).toBeInstanceOf(ScimError);
    expect(refusal).toMatchObject({ status: 400, scimType: 'invalidFilter' });
  });

  it.each([
    ['5,000 parentheses', `${'('.repeat(5_000)}title pr${')'.repeat(5_000)}`],
    ['300 parentheses', `${'('.repeat(300)}title pr${')'.repeat(300)}`],
    ['1,001 characters', `title eq "${'x'.repeat(MAX_CHARACTERS - 10)}"`],
    ['not(not(…)) 11 deep', `${'not('.repeat(11)}title pr${')'.repeat(11)}`],
    ['100,000 or', Array.from({ length: 100_000 }, () => 'title pr').join(' or ')],
    ['a million spaces', ' '.repeat(1_000_000)],
  ])('SCM-002: refuses %s with invalidFilter within 50 ms, without echo', (_, text) => {
    const start = performance.now();
    const refusal = refusalOf(text);
    expect(performance.now() - start).toBeLessThan(50);
    expect(refusal).toMatchObject({ status: 400, scimType: 'invalidFilter' });
    expect(String(refusal)).not.toMatch(/title|xxx|not\(/);
  });

  it('SCM-002: reads 1,000 characters and a depth of 10', () => {
    expect(parseFilter(`title eq "${'x'.repeat(MAX_CHARACTERS - 11)}"`).is).toBe('compare');
    expect(parseFilter(`${'not('.repeat(10)}title pr${')'.repeat(10)}`).is).toBe('not');
  });
});

describe('RFC 7644 §3.5.2: a path', () => {
  it.each([
    ['members', { name: 'members', sub: undefined }, false],
    ['name.familyName', { name: 'name', sub: 'familyName' }, false],
    ['addresses[type eq "work"]', { name: 'addresses', sub: undefined }, true],
    [
      'members[value eq "2819c223-7f76-453a-919d-413861904646"].displayName',
      { name: 'members', sub: 'displayName' },
      true,
    ],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value',
      { name: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager', sub: 'value' },
      false,
    ],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      { name: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User', sub: undefined },
      false,
    ],
  ])('reads %s', (text, path, hasFilter) => {
    const parsed = parsePath(text);
    expect(parsed.path).toEqual(path);
    expect(parsed.filter !== undefined).toBe(hasFilter);
  });

  it.each([
    ['members[value eq "a"].__proto__'],
    ['emails[type eq "work"].value.x'],
    ['members.value[type pr].x'],
    ['a b'],
  ])('refuses %s', (text) => {
    expect(() => parsePath(text)).toThrow(ScimError);
  });
});
