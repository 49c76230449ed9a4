import { describe, expect, it } from '@jest/globals';
import { cpuMsOf } from '../../test/support/effort.js';
import { fillTemplate, templateProblem } from './template.js';

describe('filling in a text [LOG-016, LOG-017]', () => {
  it.each([
    ['{{.Code}}', '7K'],
    ['{{ .Code }} and {{.Code}}', '7K and 7K'],
    ['{{.Name}}', '{{.Code}}'],
    ['{{.Missing}}', '{{.Missing}}'],
    ['{{.constructor}}{{.__proto__}}', '{{.constructor}}{{.__proto__}}'],
    ['{{{.Code}}}', '{7K}'],
    ['{{Code}} {{.Code.x}} {{range .}} ${7*7} <%= 7*7 %>', '{{Code}} {{.Code.x}} {{range .}} ${7*7} <%= 7*7 %>'],
    ['{{.\nCode}}', '{{.\nCode}}'],
  ])('%j becomes %j', (text, expected) => {
    expect(fillTemplate(text, { Code: '7K', Name: '{{.Code}}' })).toBe(expected);
  });

  it('takes $& in a value for text', () => {
    expect(fillTemplate('a {{.Name}} b', { Name: '$& $1' })).toBe('a $& $1 b');
  });
});

describe('what a text may hold', () => {
  it.each(['', 'Hello', '{{.Code}}', '{{ .Code }}', '{ { .Code }', 'a }} b', '{.Code}'])('%j may stay', (text) => {
    expect(templateProblem(text, ['Code'])).toBeUndefined();
  });

  it('names the unknown field and the allowed ones', () => {
    expect(templateProblem('Hi {{.Password}}', ['Code', 'FirstName'])).toBe(
      'must not use {{.Password}}; allowed are {{.Code}}, {{.FirstName}}',
    );
  });

  it.each(['{{', '{{.Code', '{{.Code.x}}', '{{range .}}', '{{Code}}', '{{- .Code -}}', '{{{.Code}}} {{'])(
    '%j begins no template field',
    (text) => {
      expect(templateProblem(text, ['Code'])).toBe(
        'contains a {{ that does not start a template field; allowed are {{.Code}}',
      );
    },
  );

  it.each(['{{', '{{ ', '{{ .', '{{.a'])('reads 40,000 bytes of %j in linear time [OPS-013]', async (piece) => {
    const cpuMs = await cpuMsOf(() => {
      templateProblem(piece.repeat(40_000 / piece.length), ['Code']);
      fillTemplate(`{{${' '.repeat(40_000)}`, {});
    });
    expect(cpuMs).toBeLessThan(50); // in squared time: more than 300
  });
});
