import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

function start(env: Readonly<Record<string, string>>): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
    timeout: 55_000,
  });
  return { status, output: stdout + stderr };
}

describe('A start with wrong settings', () => {
  it('ends before it touches anything, with every mistake at once and the way out of each, and no trace of the program', () => {
    const { status, output } = start({
      PORT: '99999',
      PUBLIC_URL: 'ftp://x',
      MASTER_KEY: 'too-short-1',
      LOG_LEVEL: 'loud',
      TRUSTED_PROXIES: 'everyone',
      DATABASE_URL: 'mysql://x',
      DATA_DIR: '/nowhere/at/all',
    });
    expect(status).toBe(1);
    for (const name of ['PORT', 'PUBLIC_URL', 'MASTER_KEY', 'LOG_LEVEL', 'TRUSTED_PROXIES', 'DATABASE_URL'])
      expect(output).toContain(name);
    expect(output).not.toContain('too-short-1');
    expect(output).not.toMatch(/^\s+at /m);
  });

  it('in production refuses what development accepts [OPS-015]', () => {
    const { status, output } = start({
      NODE_ENV: 'production',
      PUBLIC_URL: 'http://id.example.com',
      LOGIN_LIMITS: 'off',
      DATA_DIR: '/nowhere/at/all',
    });
    expect(status).toBe(1);
    for (const name of ['PUBLIC_URL', 'MASTER_KEY', 'DATABASE_URL', 'LOGIN_LIMITS']) expect(output).toContain(name);
  });

  it('reports in a sentence that the database cannot be reached, without its password', () => {
    const { status, output } = start({
      DATABASE_URL: 'postgresql://gatehouse:Secret-Of-Database@127.0.0.1:1/gatehouse',
      MASTER_KEY: 'a master key of sixteen',
      DATA_DIR: '/nowhere/at/all',
    });
    expect(status).toBe(1);
    expect(output).not.toContain('Secret-Of-Database');
    expect(output).not.toMatch(/^\s+at /m);
  });
});
