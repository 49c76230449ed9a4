import { describe, expect, it } from '@jest/globals';
import { LogConfig } from '../foundation/config/config.js';
import { Logger } from '../foundation/log/logger.js';
import { DroppedScopes } from './dropped-scopes.js';

const REMEMBERED = 5_000;

describe('Scopes that are left out', () => {
  const lines: string[] = [];
  const log = new Logger(Object.assign(new LogConfig(), { level: 'info', format: 'json' }), {
    write: (line) => lines.push(line),
  });
  const told = (): unknown[] => lines.splice(0).map((line) => JSON.parse(line) as unknown);

  it('are in the log once for each client and scope', () => {
    const dropped = new DroppedScopes(log);
    for (let times = 0; times < 3; times += 1) dropped.note('web', ['openid', 'profil', 'emal'], ['openid']);
    dropped.note('web', ['openid', 'profil', 'adress'], ['openid']);
    dropped.note('other', ['openid', 'profil'], ['openid']);
    dropped.note('web', ['openid', 'email'], ['openid', 'email']);
    expect(told()).toMatchObject([
      { reason: 'oidc.scopes_dropped', clientId: 'web', scopes: ['profil', 'emal'] },
      { clientId: 'web', scopes: ['adress'] },
      { clientId: 'other', scopes: ['profil'] },
    ]);
  });

  it('take no more memory, and no longer lines, however many a stranger makes up', () => {
    const dropped = new DroppedScopes(log);
    const many = (from: number): string[] => Array.from({ length: 200 }, (_, place) => `made-up-${from}-${place}`);
    for (let round = 0; round < (2 * REMEMBERED) / 200; round += 1) dropped.note('web', many(round), []);
    for (const line of lines) expect(line.length).toBeLessThan(1_000);
    expect(told()).toHaveLength((2 * REMEMBERED) / 200);
    dropped.note('web', many(0), []);
    expect(told()).toHaveLength(1); // forgotten in the meantime
  });
});
