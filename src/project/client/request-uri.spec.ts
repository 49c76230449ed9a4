import { describe, expect, it } from '@jest/globals';
import { requestUriProblem, withoutFragment } from './request-uri.js';

describe('An address at which a client publishes request objects [JAR-009]', () => {
  it.each([
    'https://app.example/request.jwt',
    'https://app.example:8443/request?kind=a#b7Qd_-.~%20/?',
    'http://localhost:3000/request.jwt',
    `https://app.example/${'x'.repeat(492)}`,
  ])('may be %s', (uri) => {
    expect(requestUriProblem(uri)).toBeUndefined();
  });

  it.each([
    ['', /form https/],
    ['app.example/request.jwt', /form https/],
    ['http://app.example/request.jwt', /https/],
    ['https://user:secret@app.example/request.jwt', /user information/],
    ['https://app.example/request jwt', /form https/],
    ['https://app.example/r.jwt#a#b', /fragment/],
    ['https://app.example/r.jwt#"', /fragment/],
    ['https://app.example/r.jwt#%zz', /fragment/],
    [`https://app.example/${'x'.repeat(493)}`, /512/],
  ])('is refused as %s', (uri, problem) => {
    expect(requestUriProblem(uri)).toMatch(problem);
  });

  it('is requested without its fragment', () => {
    expect(withoutFragment('https://app.example/r?a=b#c')).toBe('https://app.example/r?a=b');
    expect(withoutFragment('https://app.example/r')).toBe('https://app.example/r');
  });
});
