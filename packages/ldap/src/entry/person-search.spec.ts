import { describe, expect, it } from '@jest/globals';
import { personFilter } from './person-search.js';

describe('LDP-001 The filter for a person', () => {
  it.each([
    ['*', '\\2a'],
    ['*)(uid=*', '\\2a\\29\\28uid=\\2a'],
    ['admin)(|(a=b', 'admin\\29\\28|\\28a=b'],
    ['\\2a', '\\5c2a'],
  ])('has %s as a value', (name, value) => {
    const filter = personFilter({ userFilters: ['uid', 'mail'], userObjectClasses: [] }, name);
    expect(filter.toString()).toBe(`(&(objectClass=person)(|(uid=${value})(mail=${value})))`);
  });
});
