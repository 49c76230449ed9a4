import { describe, expect, it } from '@jest/globals';
import { type MixShare, PasswordMix } from './password-mix.js';

const KEY = Buffer.alloc(32, 7);
const NAMES = Array.from({ length: 1_000 }, (_, n) => `name-${n}`);

const mix = (
  people: number,
  ...shares: Array<readonly [setting: string, brought: number, remaining: number]>
): PasswordMix =>
  new PasswordMix(
    KEY,
    people,
    shares.map(([setting, brought, remaining]): MixShare => ({ setting, brought, remaining })),
  );

const settingsIn = (of: PasswordMix): string[] => NAMES.map((name) => of.settingFor(name));
const shareOf = (setting: string, settings: readonly string[]): number =>
  settings.filter((each) => each === setting).length / settings.length;

describe('Unknown names', () => {
  it('are spread over the settings as the people are', () => {
    const settings = settingsIn(mix(1_000, ['$2b$12', 400, 400], ['$1', 200, 150], ['$pbkdf2-sha256$27500', 100, 10]));
    expect(shareOf('$2b$12', settings)).toBeCloseTo(0.4, 1);
    expect(shareOf('$1', settings)).toBeCloseTo(0.15, 1);
    expect(shareOf('$pbkdf2-sha256$27500', settings)).toBeCloseTo(0.01, 1);
    expect(shareOf('', settings)).toBeCloseTo(0.44, 1);
  });

  it('have our own setting if no user has a password', () => {
    expect(new Set(settingsIn(mix(0)))).toEqual(new Set(['']));
  });

  it('all have the setting that everybody has', () => {
    expect(new Set(settingsIn(mix(30, ['$2b$12', 30, 30])))).toEqual(new Set(['$2b$12']));
  });

  it('have the same setting each time, which is secret without the key', () => {
    const shares = [{ setting: '$2b$12', brought: 50, remaining: 50 }];
    const settings = settingsIn(new PasswordMix(KEY, 100, shares));
    expect(settingsIn(new PasswordMix(KEY, 100, shares))).toEqual(settings);
    const others = settingsIn(new PasswordMix(Buffer.alloc(32, 8), 100, shares));
    expect(settings.filter((setting, n) => setting === others[n]).length / NAMES.length).toBeCloseTo(0.5, 1);
  });

  it('change as people do: once, to our own setting, with those who sign in', () => {
    let before = settingsIn(mix(1_000, ['$2b$12', 500, 500], ['$1', 300, 300]));
    for (const remaining of [0.9, 0.5, 0.4, 0.1, 0]) {
      const now = settingsIn(mix(1_000, ['$2b$12', 500, 500 * remaining], ['$1', 300, 300 * remaining]));
      for (const [n, setting] of now.entries()) expect(['', before[n]]).toContain(setting);
      expect(shareOf('$2b$12', now)).toBeCloseTo(0.5 * remaining, 1);
      before = now;
    }
    expect(new Set(before)).toEqual(new Set(['']));
  });

  it('change to nothing but our own setting when people come who never had another', () => {
    const before = settingsIn(mix(1_000, ['$2b$12', 500, 500], ['$1', 300, 300]));
    const now = settingsIn(mix(2_000, ['$2b$12', 500, 500], ['$1', 300, 300]));
    for (const [n, setting] of now.entries()) expect(['', before[n]]).toContain(setting);
  });
});
