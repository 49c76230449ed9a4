import { describe, expect, it } from '@jest/globals';
import type { OfferedIdp } from './offered-idps.js';
import { searchProviders } from './provider-search.js';

function providers(count: number): OfferedIdp[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `${n}`,
    name: `Ärzte ${n}`,
    type: 'oidc',
    stylingType: 'unspecified',
    isLinkingAllowed: true,
    autoRegister: false,
    isCreationAllowed: null,
    isAutoUpdate: false,
    autoLinking: 'unspecified',
  }));
}

describe('Providers on a page', () => {
  it('are all of them, without a search, if there are no more than twenty', () => {
    expect(searchProviders(providers(20), 'nothing')).toEqual({ shown: providers(20), search: undefined });
  });

  it('are the first twenty, with a search, if there are more', () => {
    const { shown, search } = searchProviders(providers(500), undefined);
    expect(shown).toEqual(providers(500).slice(0, 20));
    expect(search).toEqual({ typed: undefined, isCut: true });
  });

  it.each([
    ['in any case and form of its letters', ' ÄRZTE 499', ['499']],
    ['by a part of the name', 'zte 49', ['49', '490', '491', '492', '493', '494', '495', '496', '497', '498', '499']],
    ['that nobody has', 'Zahnärzte', []],
  ])('are found %s', (_, typed, ids) => {
    const { shown, search } = searchProviders(providers(500), typed.normalize('NFD'));
    expect(shown.map(({ id }) => id)).toEqual(ids);
    expect(search?.isCut).toBe(false);
  });
});
