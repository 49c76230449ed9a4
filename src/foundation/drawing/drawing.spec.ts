import { describe, expect, it } from '@jest/globals';
import { readDrawing } from './drawing.js';

const svg = (inside: string, attributes = 'viewBox="0 0 24 24"') => `<svg ${attributes}>${inside}</svg>`;

describe('A drawing', () => {
  it('is read as a tree of shapes', () => {
    const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
      <g fill="none" stroke="currentColor"><path d="M1 2h3.5l-1,.5z" fill="#4285f4" /></g>
      <circle cx="12" cy="12" r="3"></circle>
    </svg>\n`;
    expect(readDrawing(text)).toEqual({
      name: 'svg',
      attributes: { viewBox: '0 0 24 24' },
      children: [
        {
          name: 'g',
          attributes: { fill: 'none', stroke: 'currentColor' },
          children: [{ name: 'path', attributes: { d: 'M1 2h3.5l-1,.5z', fill: '#4285f4' }, children: [] }],
        },
        { name: 'circle', attributes: { cx: '12', cy: '12', r: '3' }, children: [] },
      ],
    });
  });

  it.each([
    ['a script', svg('<script/>'), 'has the element script'],
    ['text', svg('Sign in'), 'is not plain SVG at character 26'],
    ['HTML inside', svg('<foreignObject></foreignObject>'), 'has the element foreignObject'],
    ['a reference', svg('<use href="#a"/>'), 'has the element use'],
    ['a picture from elsewhere', svg('<image href="https://a.example/x.png"/>'), 'has the element image'],
    ['a style', svg('<path style="fill:url(https://a.example)"/>'), 'has the attribute style'],
    ['a handler', svg('<path onclick="alert(1)"/>'), 'has the attribute onclick'],
    ['a member of every object', svg('<path constructor="1"/>'), 'has the attribute constructor'],
    ['a paint from elsewhere', svg('<path fill="url(#a)"/>'), 'has a value of fill that is not allowed'],
    ['a namespace of its own', svg('', 'viewBox="0 0 1 1" xmlns="urn:x"'), 'has the attribute xmlns'],
    ['a comment', svg('<!-- a -->'), 'is not plain SVG at character 26'],
    ['an entity', svg('<path d="&a;"/>'), 'is not plain SVG at character 26'],
    ['a document type', `<!DOCTYPE svg>${svg('')}`, 'is not plain SVG at character 1'],
    ['another root', '<g viewBox="0 0 1 1"></g>', 'has the element g'],
    ['two roots', svg('') + svg(''), 'is not plain SVG at character 32'],
    ['no viewBox', svg('', 'fill="none"'), 'has no viewBox'],
    ['a viewBox within', svg('<g viewBox="0 0 1 1"/>'), 'has the attribute viewBox'],
    ['an end that is missing', '<svg viewBox="0 0 1 1"><g>', 'ends before its root element'],
    ['ends in another order', svg('<g><path></g></path>'), 'is not plain SVG at character 35'],
    ['nothing', '', 'ends before its root element'],
    ['too much', svg(`<path d="${'1'.repeat(4_000)}"/>`), 'has more than 4000 characters'],
    ['too many shapes', svg('<g/>'.repeat(50)), 'has more than 50 elements'],
  ])('is refused with %s', (_, text, problem) => {
    expect(() => readDrawing(text)).toThrow(problem);
  });
});
