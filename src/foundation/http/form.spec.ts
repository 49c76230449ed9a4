import { describe, expect, it } from '@jest/globals';
import { cpuMsOf } from '../../../test/support/effort.js';
import { decode, Form } from './form.js';

describe('A parameter', () => {
  it.each([
    ['a=1', '1'],
    ['a=1&b=2', '1'],
    ['b=2&a=1', '1'],
    ['a=1=2', '1=2'],
    ['a=+x+', ' x '],
    ['a=%2B%26%3D%23', '+&=#'],
    ['a=%C3%A9%E2%82%AC%F0%9F%98%80', 'é€😀'],
    ['%61=1', '1'],
    ['&&a=1&&', '1'],
    ['=x&a=1', '1'],
    ['a=%EF%BB%BFx', '\ufeffx'],
  ])('is read from %s', (text, value) => {
    expect(Form.parse(text).find('a')).toBe(value);
  });

  it.each(['', 'a', 'a=', 'b=1', 'A=1', 'a[]=1', 'a%00=1', 'a%5B%5D=1'])(
    'without a value counts as absent: "%s"',
    (text) => {
      expect(Form.parse(text).find('a')).toBeUndefined();
    },
  );

  it('without a value is told apart by the forms of our pages alone', () => {
    const forms = ['a', 'a=', 'a=1', 'a=1&a=1', 'a=%FF', 'b=1'].map((text) => Form.parse(text));
    expect(forms.map((form) => form.hasField('a'))).toEqual([true, true, true, true, true, false]);
    expect(forms.map((form) => form.isGiven('a'))).toEqual([false, false, true, true, true, false]);
    expect(forms.map((form) => form.names)).toEqual([[], [], ['a'], ['a'], ['a'], ['b']]);
  });

  it.each<[string, string | undefined]>([
    ['a=&a=', undefined],
    ['a&a', undefined],
    ['a=&a=1', '1'],
    ['a=1&a=&a', '1'],
  ])('without a value repeats nothing: %s', (text, value) => {
    const form = Form.parse(text);
    expect([form.find('a'), form.problemOf('a')]).toEqual([value, undefined]);
  });

  it.each(['a=1&a=1', 'a=1&a=2', 'a=1&a=&a=2', 'a=1&%61=2', 'a=%FF&a=1', 'a=1&b=2&a=3'])(
    'has no value when it is repeated: %s',
    (text) => {
      const form = Form.parse(text);
      expect(form.find('a')).toBeUndefined();
      expect(form.problemOf('a')).toBe('repeated');
      expect([...form.problems.keys()]).toEqual(['a']);
    },
  );

  it.each([
    ['NUL', 'a=%00'],
    ['NUL within', 'a=x%00y'],
    ['a byte that starts nothing', 'a=%FF'],
    ['two of them', 'a=%FF%FE'],
    ['a lone surrogate', 'a=%ED%A0%80'],
    ['an over-long form', 'a=%C0%AF'],
    ['a sequence that breaks off', 'a=%C3'],
    ['a percent sign alone', 'a=%'],
    ['half an escape', 'a=%4'],
    ['an escape that is none', 'a=%zz'],
    ['a raw byte that is no UTF-8', 'a=\u00ff'],
    ['a raw NUL', 'a=\u0000'],
  ])('is malformed with %s', (_, text) => {
    const form = Form.parse(text);
    expect(form.find('a')).toBeUndefined();
    expect(form.problemOf('a')).toBe('malformed');
  });

  it('in raw UTF-8 is read as it was meant', () => {
    expect(Form.parse(Buffer.from('a=é').toString('latin1')).find('a')).toBe('é');
    expect(Form.parse(Buffer.from('a=é%20').toString('latin1')).find('a')).toBe('é ');
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('may be called %s', (name) => {
    expect(Form.parse('').find(name)).toBeUndefined();
    expect(Form.parse('').hasField(name)).toBe(false);
    expect(Form.parse(`${name}=1`).find(name)).toBe('1');
  });

  it('with brackets in its name nests nothing', () => {
    const form = Form.parse('__proto__[polluted]=1&constructor[prototype][polluted]=1&scope[]=openid');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(form.find('scope')).toBeUndefined();
    expect(form.find('scope[]')).toBe('openid');
  });
});

describe('A parameter that may be repeated (RFC 8707 §2)', () => {
  it.each<[string, string[] | undefined]>([
    ['', []],
    ['a=', []],
    ['a=1', ['1']],
    ['a=1&b=2&a=3', ['1', '3']],
    ['a=1&a=&a=%C3%A9', ['1', 'é']],
    ['a=1&a=1', ['1', '1']],
    ['a=%00', undefined],
    ['a=1&a=%FF', undefined],
    ['a=%FF&a=1', undefined],
    ['a=1&a=2&a=%', undefined],
  ])('has all values in %j: %j', (text, values) => {
    expect(Form.parse(text).all('a')).toEqual(values);
  });

  it('is still reported as repeated, and has no single value', () => {
    const form = Form.parse('a=1&a=2');
    expect([form.problemOf('a'), form.find('a')]).toEqual(['repeated', undefined]);
  });
});

describe('Words', () => {
  it('are divided by spaces alone', () => {
    expect(Form.parse('scope=openid+email%20%20profile').words('scope')).toEqual(['openid', 'email', 'profile']);
    expect(Form.parse('scope=openid%09email%0Aprofile').words('scope')).toEqual(['openid\temail\nprofile']);
    expect(Form.parse('').words('scope')).toEqual([]);
  });
});

describe('A form', () => {
  it('reports more parameters than any request needs', () => {
    const form = (count: number): Form => Form.parse(Array.from({ length: count }, (_, i) => `p${i}=1`).join('&'));
    expect(form(200).isTooLong).toBe(false);
    expect(form(200).find('p199')).toBe('1');
    expect(form(201).isTooLong).toBe(true);
  });

  it('of 20,000 parameters costs next to nothing', async () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `p${i}=1`).join('&');
    const cpuMs = await cpuMsOf(() => Form.parse(text));
    expect(cpuMs).toBeLessThan(50);
  });
});

it('decodes strictly', () => {
  expect(decode('a%20b+c')).toBe('a b c');
  expect(decode('')).toBe('');
  expect(decode('%e9')).toBeUndefined();
});
