import { describe, expect, it } from '@jest/globals';
import { misspellings, nearest } from './misspelling.js';

const SETTINGS = new Set(['PUBLIC_URL', 'MASTER_KEY', 'LOG_LEVEL', 'DATA_DIR', 'TRUSTED_PROXIES', 'HOST', 'PORT']);

describe('A name that differs by a letter or two from a setting', () => {
  it.each([
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['PUBLICURL', 'PUBLIC_URL'],
    ['MASTERKEY', 'MASTER_KEY'],
    ['MASTER_KEYS', 'MASTER_KEY'],
    ['MASTER_KEY_FIEL', 'MASTER_KEY_FILE'],
    ['log_level', 'LOG_LEVEL'],
    ['public_url', 'PUBLIC_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['GATEHOUSE_PORT', 'PORT'],
    ['GATEHOUSE_LOGLEVEL', 'LOG_LEVEL'],
  ])('is named with the setting that is meant: %s', (name, meant) => {
    expect(misspellings([name], SETTINGS)).toEqual([
      `${name} is not a setting and has no effect. Did you mean ${meant}?`,
    ]);
  });

  it.each([
    'PUBLIC_URL',
    'MASTER_KEY_FILE',
    'HOME',
    'PATH',
    'PUBLIC_URLS_OF_OTHERS',
    'HOSTNAME',
    'LOGNAME',
    'DATADOG',
    'PUBLIC_PORT',
    'GATEHOUSE_URL',
    'USER_DIR',
  ])('is not %s', (name) => {
    expect(misspellings([name], SETTINGS)).toEqual([]);
  });
});

describe('The nearest of several names', () => {
  it.each([
    ['user.human.addded', 'user.human.added'],
    ['user.deleted', 'user.removed'],
    ['org.domain.added', 'org.domain.added'],
  ])('to %s is %s', (name, meant) => {
    expect(nearest(name, ['org.added', 'org.domain.added', 'user.human.added', 'user.removed'])).toBe(meant);
  });
});
