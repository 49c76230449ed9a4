import { describe, expect, it, jest } from '@jest/globals';
import type { ServiceProvider } from '../metadata/service-provider.js';
import { KnownServiceProviders } from './known-service-providers.js';
import type { ServiceProviderMetadata } from './service-provider-metadata.js';

const AT = new Date('2026-11-30T12:00:00Z');
const LATER = new Date('2026-12-01T12:00:00Z');

describe('SML-020: metadata that is stored', () => {
  it('is read once, anew where it was taken anew, and forgotten where it is not used', () => {
    const read = jest.fn<(xml: string, readAt: Date) => ServiceProvider>(
      (entityId) => ({ entityId }) as ServiceProvider,
    );
    const known = new KnownServiceProviders({ read } as unknown as ServiceProviderMetadata);
    const first = known.read('a', AT);
    expect(known.read('a', AT)).toBe(first);
    expect(read).toHaveBeenCalledTimes(1);
    expect(known.read('a', LATER)).not.toBe(first);
    for (let at = 0; at < 98; at += 1) known.read(`other ${at}`, AT);
    expect(known.read('a', AT)).toBe(first);
    known.read('one more', AT);
    expect(known.read('a', AT)).toBe(first);
    expect(known.read('a', LATER)).toEqual({ entityId: 'a' });
    expect(read.mock.calls.filter(([xml]) => xml === 'a')).toHaveLength(3);
  });
});
