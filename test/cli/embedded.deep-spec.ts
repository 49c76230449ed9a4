import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';
import { newFastFolder } from '../support/fast-folder.js';
import { type ServiceProcess, startProcess } from '../support/service-process.js';
import { gatehouseApart } from './command-apart.js';
import { gatehouseHere } from './command-here.js';

const dataDir = newFastFolder();
/** As in development: no DATABASE_URL and no MASTER_KEY. */
const SETTINGS = { DATABASE_URL: '', DATA_DIR: dataDir };

let service: ServiceProcess;

beforeAll(async () => {
  service = await startProcess(SETTINGS);
});
afterAll(async () => {
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** In a process of its own, which may start a database and must end it. */
async function gatehouse(args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await gatehouseApart(args, { env: { PORT: new URL(service.origin).port, ...SETTINGS } });
  return stdout + stderr;
}

const isAccepted = async (token: string): Promise<boolean> =>
  (await new AdminApi(service.origin, token.trim()).ask('GET', '/admin/v1/orgs/default')).status === 200;

describe('gatehouse admin and doctor on the embedded database', () => {
  it('work while the service runs', async () => {
    expect(await isAccepted(await gatehouse(['admin', 'token']))).toBe(true);
    const { stdout: findings } = await gatehouseHere(['doctor'], { PORT: new URL(service.origin).port, ...SETTINGS });
    expect(findings).toMatch(/ok +database +PostgreSQL 18/);
    expect(findings).toMatch(/ok +keys/);
    expect(findings).not.toContain('WRONG');
    expect((await fetch(`${service.origin}/health/ready`)).status).toBe(200);
  });

  it('work while it is stopped, and leave nothing running', async () => {
    service.signal('SIGTERM');
    await service.exit;
    await service.close();
    const token = await gatehouse(['admin', 'token']);
    expect(await gatehouse(['doctor'])).toMatch(/ok +keys/);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    const { port } = new URL(service.origin);
    service = await startProcess({ ...SETTINGS, PORT: port });
    expect(await isAccepted(token)).toBe(true);
  });

  it('create no database where there is none', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'gatehouse-cli-empty-'));
    try {
      const settings = { DATABASE_URL: '', DATA_DIR: empty };
      expect(await gatehouseHere(['doctor'], settings)).toMatchObject({
        stdout: expect.stringMatching(/WRONG +database +There is no database in/),
      });
      expect(await gatehouseHere(['admin', 'token'], settings)).toMatchObject({
        stderr: expect.stringContaining('There is no database in'),
      });
      expect(readdirSync(empty)).toEqual([]);
    } finally {
      rmSync(empty, { recursive: true, force: true });
    }
  });
});
