import { describe, expect, it } from '@jest/globals';
import { readTraceParent } from './trace-parent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('The header traceparent', () => {
  it('says the trace, the span and whether they are sampled', () => {
    expect(readTraceParent([`00-${TRACE}-${SPAN}-01`])).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
    expect(readTraceParent([`00-${TRACE}-${SPAN}-02`])).toMatchObject({ isSampled: false });
  });

  it('may be of a later version, with more at its end', () => {
    expect(readTraceParent([`01-${TRACE}-${SPAN}-01-more`])).toMatchObject({ traceId: TRACE });
  });

  it.each([
    ['absent', undefined],
    ['sent twice', [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`]],
    ['of the version that is none', [`ff-${TRACE}-${SPAN}-01`]],
    ['of this version with more at its end', [`00-${TRACE}-${SPAN}-01-more`]],
    ['of no trace', [`00-${'0'.repeat(32)}-${SPAN}-01`]],
    ['of no span', [`00-${TRACE}-${'0'.repeat(16)}-01`]],
    ['in capitals', [`00-${TRACE.toUpperCase()}-${SPAN}-01`]],
    ['too short', [`00-${TRACE}-${SPAN}`]],
    ['too long', [`01-${TRACE}-${SPAN}-01-${'x'.repeat(300)}`]],
  ])('is ignored if it is %s', (_, values) => {
    expect(readTraceParent(values)).toBeUndefined();
  });
});
