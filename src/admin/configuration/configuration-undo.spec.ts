import { describe, expect, it } from '@jest/globals';
import { undoOf } from './configuration-undo.js';

describe('What takes a change back', () => {
  it('takes away what was added, and says whole what was removed', () => {
    const before = { a: { kept: 1, gone: { deep: [1] } } };
    const after = { a: { kept: 1, added: {} } };
    expect(undoOf(before, after)).toEqual({ a: { gone: { deep: [1] }, added: null } });
  });

  it('says the values before, and nothing of what is the same', () => {
    expect(undoOf({ a: { x: 1, y: [1, 2] }, b: { z: 1 } }, { a: { x: 2, y: [1] }, b: { z: 1 } })).toEqual({
      a: { x: 1, y: [1, 2] },
    });
    expect(undoOf({ a: 1 }, { a: 1 })).toEqual({});
  });

  it('keeps names with points as they are, and those of the prototypes of objects', () => {
    const before = JSON.parse('{"a.b": 1, "__proto__": {"x": 1}}') as object;
    const after = JSON.parse('{"a.b": 2, "__proto__": {"x": 2}}') as object;
    expect(JSON.stringify(undoOf({ ...before }, { ...after }))).toBe('{"a.b":1,"__proto__":{"x":1}}');
  });

  it('brings no image back, since it is gone', () => {
    expect(undoOf({ logo: 'asset:/assets/1/logo?v=a', icon: '' }, { logo: '', icon: 'asset:/b' })).toEqual({
      icon: '',
    });
    expect(undoOf({ label: { logo: 'asset:/a', color: 'x' } }, {})).toEqual({ label: { color: 'x' } });
  });
});
