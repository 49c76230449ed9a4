import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { workerDatabase } from '../support/database.js';
import { type ServiceProcess, startProcess } from '../support/service-process.js';

const PROGRAM = new URL('../../dist/process/start/start.js', import.meta.url);
/** Against what hangs, not against what is slow. */
const LIMIT_MS = 300_000;
jest.setTimeout(LIMIT_MS);

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Says outside of the database whom it works on, writes a row, and does not end before there is the file `continue`.
 */
const EXTENSION = `
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { defineExtension, EVENT_LISTENER, provide } from 'gatehouse';

class Provision {
  name = 'provision';
  types = ['user.human.added'];
  since = 'beginning';
  async handle(events, tx) {
    for (const { id } of events) {
      await tx.query('INSERT INTO ext_hr.heard (event_id) VALUES (:id)', { id });
      appendFileSync(${JSON.stringify(join(folder, 'told'))}, process.pid + ' ' + id + '\\n');
    }
    while (!existsSync(${JSON.stringify(join(folder, 'continue'))})) await sleep(20);
  }
}
Injectable()(Provision);
class HrModule {}
Module({ providers: [Provision] })(HrModule);

export default defineExtension({
  id: 'hr', version: '1.0.0', gatehouse: '>=0.1.0', module: HrModule,
  provides: [provide(EVENT_LISTENER, Provision)],
  schemaChanges: [{ name: '1-heard', up: 'CREATE TABLE heard (place bigserial PRIMARY KEY, event_id text NOT NULL)' }],
});
`;

/** Of whom the listener has told the outside, in which process. */
function told(): ReadonlyArray<{ readonly process: string; readonly event: string }> {
  const path = join(folder, 'told');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  return lines.map((line) => ({ process: line.split(' ')[0]!, event: line.split(' ')[1]! }));
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

it('An event whose listener is killed is heard again by another process: rows once, other effects at least once, nothing lost', async () => {
  const file = join(folder, 'hr.mjs');
  writeFileSync(file, EXTENSION);
  const database = await workerDatabase();
  const env = { DATABASE_URL: database.url, MASTER_KEY: 'a master key of two processes' };
  const start = (): Promise<ServiceProcess> => startProcess(env, PROGRAM, ['start', '--with', file]);
  const client = new pg.Client(database.url);
  await client.connect();
  const rows = async (sql: string): Promise<string[]> =>
    (await client.query<{ value: string }>(sql)).rows.map(({ value }) => value);
  const heard = (): Promise<string[]> => rows('SELECT event_id AS value FROM ext_hr.heard ORDER BY place');
  const happened = (): Promise<string[]> =>
    rows(`SELECT 'evt_' || position AS value FROM event WHERE type = 'user.human.added' ORDER BY position`);
  const running: ServiceProcess[] = [];
  try {
    running.push(await start());
    await until(() => told().length > 0); // the administrator of the first start
    const [{ process: first, event }] = told() as [{ process: string; event: string }];
    running.push(await start());
    expect(await heard()).toEqual([]);
    // One process at a time. It may be told again itself, if this machine is so slow that the time of a batch is over.
    expect(told().filter(({ process }) => process !== first)).toEqual([]);

    running[0]!.signal('SIGKILL');
    expect(await running[0]!.exit).toEqual({ code: null, signal: 'SIGKILL' });
    await until(() => told().some(({ process }) => process !== first));
    expect(told().find(({ process }) => process !== first)).toMatchObject({ event });

    writeFileSync(join(folder, 'continue'), '');
    await until(async () => (await heard()).length > 0);
    running.push(await start()); // in place of the one that was killed
    await client.query(
      `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, payload, editor_id, org_id, created_at)
       VALUES ('user', 'later', 1, 'user.human.added', '{}', 'system', 'org', now())`,
    );
    await until(async () => (await heard()).length === (await happened()).length);
    expect(await heard()).toEqual(await happened());
    const effects = told().map((one) => one.event);
    expect([...new Set(effects)]).toEqual(await happened());
  } finally {
    for (const service of running) await service.close();
    await client.end();
    await database.release();
  }
});
