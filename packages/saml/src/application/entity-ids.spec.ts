import { describe, expect, it } from '@jest/globals';
import { domainsOf } from './entity-ids.js';

describe('SML-018: the domains of an entityID', () => {
  it.each<[string, readonly string[]]>([
    ['https://wiki.acme.test/metadata', ['wiki.acme.test', 'acme.test', 'test']],
    ['HTTPS://user@WIKI.Acme.test.:8443', ['wiki.acme.test', 'acme.test', 'test']],
    ['https://b\u00fccher.test', ['xn--bcher-kva.test', 'test']],
    ['urn:acme:wiki', []],
    ['wiki.acme.test', []],
    ['https://', []],
  ])('%s', (entityId, domains) => {
    expect(domainsOf(entityId)).toEqual(domains);
  });
});
