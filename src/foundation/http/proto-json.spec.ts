import { describe, expect, it } from '@jest/globals';
import { parseBase64, parseDuration, parseTime } from './proto-json.js';

describe('Values of protocol buffers in JSON', () => {
  it.each([
    ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.000Z'],
    ['2028-02-29t23:59:59.123456789z', '2028-02-29T23:59:59.123Z'],
    ['2030-01-01T00:30:00+01:00', '2029-12-31T23:30:00.000Z'],
  ])('reads the time %s', (text, time) => {
    expect(parseTime(text)?.toISOString()).toBe(time);
  });

  it.each([
    '2030-02-30T00:00:00Z',
    '2029-02-29T00:00:00Z',
    '2030-04-31T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '2030-01-01T25:00:00Z',
    '2030-01-01',
    '2030-01-01T00:00:00',
    ' 2030-01-01T00:00:00Z',
    1_900_000_000,
    null,
  ])('refuses %j, which is not a time', (value) => {
    expect(parseTime(value)).toBeUndefined();
  });

  it('reads durations in seconds', () => {
    expect(['3600s', '0s', '1.5s'].map(parseDuration)).toEqual([3600, 0, 1.5]);
    expect(['1h', '3600', '-1s', '1.s', 's', 60].map(parseDuration)).toEqual(Array(6).fill(undefined));
  });

  it.each([
    ['', ''],
    ['bG9n', 'log'],
    ['bG9naQ==', 'logi'],
    ['bG9naQ', 'logi'],
    ['_-8', '\u00ff\u00ef'],
    ['/+8=', '\u00ff\u00ef'],
  ])('reads base64 in either alphabet, padded or not: %j', (text, bytes) => {
    expect(parseBase64(text)?.toString('latin1')).toBe(bytes);
  });

  it.each(['b', 'bG9na', 'bG9naQ=', 'bG9n=', 'bG 9n', 'bG9n\n', '=', 5])('refuses %j, which is not base64', (value) => {
    expect(parseBase64(value)).toBeUndefined();
  });
});
