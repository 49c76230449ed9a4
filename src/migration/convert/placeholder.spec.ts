import { describe, expect, it } from '@jest/globals';
import { hasPlaceholder, Placeholders } from './placeholder.js';

const fill = (text: string): unknown => new Placeholders({ A: 'one', B_C: 'two', HOLE: '${A}', NONE: '' }).fill(text);

describe('A placeholder', () => {
  it.each([
    ['${A}', 'one'],
    ['${env.A}', 'one'],
    ['${env:A}', 'one'],
    ['$(env:A)', 'one'],
    ['$(A)', 'one'],
    ['${b.c}', 'two'],
    ['${X,A}', 'one'],
    ['https://${A}/${B_C}/*', 'https://one/two/*'],
    ['${X:here}', 'here'],
    ['${X:-here}', 'here'],
    ['$(env:X:-here)', 'here'],
    ['${X:https://web.test:8080/}', 'https://web.test:8080/'],
    ['${X:${A}}', 'one'],
    ['${X:-${Y:-inner}}', 'inner'],
    ['${X:}', ''],
    ['${NONE:-here}', 'here'],
  ])('%s is replaced by the variable of that name, or else by its default', (text, expected) => {
    expect(fill(text)).toBe(expected);
  });

  it.each([
    '${X}',
    '${NONE}',
    '${vault.A}',
    '${vault.A:-x}',
    '$(file:UTF-8:/etc/passwd)',
    '$(sys:A)',
    '${A',
    '${a b}',
    '{{ A }}',
  ])('%s stays: there is no such variable, or it stands elsewhere', (text) => {
    expect(fill(text)).toBe(text);
  });

  it('is not looked for in what a variable holds', () => {
    expect(fill('${HOLE}')).toBe('${A}');
  });

  it('is replaced in names and lists as well, and the names that were used are known', () => {
    const placeholders = new Placeholders({ A: 'one' });
    expect(placeholders.fill({ '${A}': ['${A}', 1, null, { x: '${X:two}' }] })).toEqual({
      one: ['one', 1, null, { x: 'two' }],
    });
    expect(placeholders.used).toEqual({ taken: ['A'], defaulted: ['X'] });
  });

  it.each([
    '${A}',
    'a-${A}',
    '$(env:A)',
    '$(A)',
    '{{ .Values.a }}',
    '@@A@@',
    '#{a}',
    '<%= a %>',
    '$ADMIN_PASSWORD',
    '${vault.a}',
  ])('is found in %s', (text) => {
    expect(hasPlaceholder(text)).toBe(true);
  });

  it.each([
    '',
    'pa$$word',
    '$2b$10$abc',
    '$1,000',
    'a$B',
    '$a',
    'US$',
    '{a}',
    '$pbkdf2$1$a$b',
    'https://web.test/*',
    'a@@b',
  ])('is not found in %j', (text) => {
    expect(hasPlaceholder(text)).toBe(false);
  });
});
