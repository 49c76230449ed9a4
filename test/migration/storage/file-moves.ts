import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../../support/admin-api.js';
import { BucketServer } from '../../support/bucket-server.js';
import { S3Server } from '../../support/s3-server.js';
import { startWorld, type World } from '../../support/world.js';
import { fullDocument } from '../document.js';

export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string;
  readonly message: string;
  readonly file: string;
  readonly bytes: string;
  readonly objects: ReadonlyArray<{ type: string; count: string }>;
}

/** A service with organizations that knows all three kinds of storage, and an administrator who moves them by files. */
export class FileMoves {
  /** All that an export may contain. */
  readonly all: Json;

  private constructor(
    readonly directory: string,
    readonly server: BucketServer,
    readonly s3: S3Server,
    readonly world: World,
    readonly api: AdminApi,
    readonly document: ReturnType<typeof fullDocument>,
  ) {
    const orgIds = document.orgs.map(({ orgId }) => orgId);
    this.all = { orgIds, withPasswords: true, withOtp: true, withKeys: true };
  }

  static async start(): Promise<FileMoves> {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-moves-'));
    const server = await BucketServer.start('moves');
    const s3 = await S3Server.start('moves');
    const world = await startWorld({
      env: { ...server.env, OBJECT_STORE_DIR: directory, OBJECT_STORE_S3_ENDPOINTS: s3.origin },
    });
    world.plant(server.accountBase64);
    world.plant(server.accountFile['private_key']);
    world.plant(s3.secretAccessKey);
    const { api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']);
    const document = fullDocument();
    await api.call('POST', '/admin/v1/import', { data_orgs: document });
    return new FileMoves(directory, server, s3, world, api, document);
  }

  /** Nothing is stored anywhere, and every right is there. */
  clear(): void {
    this.server.objects.clear();
    this.server.asked.length = 0;
    this.server.roles = new Set(['create', 'read', 'delete']);
    this.server.isAccountAlive = true;
    this.s3.objects.clear();
    this.s3.asked.length = 0;
    this.s3.rights = new Set(['put', 'get', 'delete']);
    rmSync(this.directory, { recursive: true, force: true });
    mkdirSync(this.directory);
  }

  async close(): Promise<void> {
    await Promise.all([this.world.close(), this.server.close(), this.s3.close()]);
    rmSync(this.directory, { recursive: true, force: true });
  }

  inBucket(path: string, more: Json = {}): Json {
    return { bucket: 'moves', path, serviceaccount_json: this.server.accountBase64, ...more };
  }

  /** As the original's clients name it. */
  inS3(path: string, more: Json = {}): Json {
    const { host, accessKeyId, secretAccessKey } = this.s3;
    return { path, endpoint: host, accessKeyId, secretAccessKey, ssl: false, bucket: 'moves', ...more };
  }

  /** The job that a request becomes, once it has ended. */
  async ended(way: 'export' | 'import', body: Json): Promise<Job> {
    return this.settled(await this.begun(way, body));
  }

  /** The job that a request becomes. */
  async begun(way: 'export' | 'import', body: Json): Promise<Job> {
    const reply = await this.api.ask('POST', `/admin/v1/${way}`, body);
    expect([reply.status, reply.text]).toEqual([202, expect.anything()]);
    const { job } = reply.json<{ job: Job }>();
    expect(reply.headers['location']).toBe(`/admin/v1/jobs/${job.id}`);
    return job;
  }

  /** The same job, once it has ended. */
  async settled({ id }: Job): Promise<Job> {
    for (;;) {
      const { job: now } = await this.api.call<{ job: Job }>('GET', `/admin/v1/jobs/${id}`);
      if (now.state !== 'MIGRATION_JOB_STATE_RUNNING') return now;
      await sleep(20);
    }
  }
}
