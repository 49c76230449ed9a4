import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from '@jest/globals';
import { AdminApi } from '../../support/admin-api.js';
import { BucketServer } from '../../support/bucket-server.js';
import { startProcess } from '../../support/service-process.js';

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-killed-'));
mkdirSync(join(directory, 'moves'));
const server = await BucketServer.start('moves');

afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

it('a process that is killed while it writes into a bucket leaves nothing there, and the export can be run again', async () => {
  const env = {
    ...server.env,
    OBJECT_STORE_DIR: join(directory, 'moves'),
    MASTER_KEY: 'a master key that only tests use',
  };
  const first = await startProcess(env);
  try {
    const token = readFileSync(join(first.dataDir, 'admin.pat'), 'utf8').trim();
    const output = { objstoreOutput: { bucket: 'moves', path: 'all.json', serviceaccountJson: server.accountBase64 } };
    server.order('chunk', 'silence');
    expect((await new AdminApi(first.origin, token).ask('POST', '/admin/v1/export', output)).status).toBe(202);
    while (!server.asked.includes('chunk')) await sleep(5);
    first.signal('SIGKILL');
    await first.exit;
    expect(server.objects.size).toBe(0);

    const second = await startProcess({ ...env, DATABASE_URL: first.databaseUrl });
    try {
      expect((await new AdminApi(second.origin, token).ask('POST', '/admin/v1/export', output)).status).toBe(202);
      while (server.objects.size === 0) await sleep(20);
      expect(JSON.parse(server.text('moves/all.json')!)).toMatchObject({ orgs: [{ org: { name: 'Acme' } }] });
      expect(`${first.text()}${second.text()}`).not.toMatch(/PRIVATE KEY|serviceaccount/i);
      expect(readdirSync(join(directory, 'moves'))).toEqual([]);
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
  }
});
