import { describe, expect, it } from '@jest/globals';
import { protocolDocument } from './protocol.openapi.js';

describe('The description of the protocol endpoints', () => {
  it('is a copy each time: what is added to one document is not in the next', () => {
    const first = protocolDocument('https://idp.example');
    const untouched = structuredClone(first);
    for (const item of Object.values(first.paths)) Object.assign(item.post ?? {}, { description: 'changed' });
    Object.assign(Object.values(first.schemas)[0]!, { description: 'changed' });
    expect(first).not.toEqual(untouched);
    expect(protocolDocument('https://idp.example')).toEqual(untouched);
  });
});
