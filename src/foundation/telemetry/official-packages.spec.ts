import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { OFFICIAL_PACKAGES } from './official-packages.js';

interface Manifest {
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

it('the packages that an operator is told to install are the optional peers of Gatehouse', () => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(text) as Manifest;
  const peers = Object.entries(peerDependencies).filter(([name]) => name.startsWith('@opentelemetry/'));
  expect(Object.fromEntries(peers)).toEqual(OFFICIAL_PACKAGES);
  for (const [name] of peers) expect(peerDependenciesMeta[name]).toEqual({ optional: true });
});
