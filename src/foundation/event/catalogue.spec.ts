import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { carriedBy, PUBLIC_EVENTS } from './catalogue.js';
import { eventsPage } from './catalogue-page.js';

const root = join(import.meta.dirname, '..', '..', '..');

/** Words of payloads that are ids, keys, roles, versions or reasons of ours, and nothing that a person is known by. */
const HARMLESS = /^(?:\w+Id|key|keyId|roleKeys|roles|reason|extension|version|grantType|commit|changes)$/;

describe('The catalogue of events', () => {
  it('is docs/events.md', () => {
    expect(readFileSync(join(root, 'docs/events.md'), 'utf8')).toBe(eventsPage(PUBLIC_EVENTS));
  });

  it('names each type once', () => {
    const types = PUBLIC_EVENTS.map(({ type }) => type);
    expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([]);
  });

  it('lets nothing of a payload leave by which a person is known', () => {
    expect(PUBLIC_EVENTS.flatMap(({ carries }) => Object.keys(carries)).filter((name) => !HARMLESS.test(name))).toEqual(
      [],
    );
    const payload = { userId: '7', roles: ['ORG_OWNER'], userName: 'ilse' };
    expect(carriedBy('org.member.added', payload)).toEqual({ userId: '7', roles: ['ORG_OWNER'] });
    expect(carriedBy('no.such.type', payload)).toEqual({});
    const odd = Object.fromEntries(['constructor', 'toString', '__proto__'].map((name) => [name, 'ilse']));
    expect(carriedBy('org.member.added', odd)).toEqual({});
  });
});
