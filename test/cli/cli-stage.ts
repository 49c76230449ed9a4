import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { fullDocument } from '../migration/document.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { BucketServer } from '../support/bucket-server.js';
import { S3Server } from '../support/s3-server.js';
import { startWorld, type World } from '../support/world.js';
import { type Apart, gatehouseApart } from './command-apart.js';
import { gatehouseHere, type Outcome } from './command-here.js';

export interface How extends Omit<Apart, 'cwd'> {
  /** `null`: none. */
  readonly token?: string | null;
}

/** A service with organizations, another one to move them to, and a folder in which an operator works. */
export class CliStage {
  /** Where the target keeps its files. */
  readonly moves: string;
  readonly orgIds: readonly string[];
  readonly ofOrgs: readonly string[];
  /** What makes an export complete. */
  readonly all: readonly string[];

  private constructor(
    readonly folder: string,
    readonly server: BucketServer,
    readonly s3: S3Server,
    readonly source: World,
    readonly target: World,
    readonly document: ReturnType<typeof fullDocument>,
    /** The owner of the source, and that of the target. */
    readonly from: AdminApi,
    readonly to: AdminApi,
  ) {
    this.moves = join(folder, 'moves');
    this.orgIds = document.orgs.map(({ orgId }) => orgId as string);
    this.ofOrgs = this.orgIds.flatMap((id) => ['--org', id]);
    this.all = [...this.ofOrgs, '--with-passwords', '--with-otp', '--with-keys', '--with-passkeys'];
  }

  static async start(): Promise<CliStage> {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
    const server = await BucketServer.start('moves');
    const s3 = await S3Server.start('moves');
    const source = await startWorld();
    const target = await startWorld({
      env: { ...server.env, OBJECT_STORE_DIR: join(folder, 'moves'), OBJECT_STORE_S3_ENDPOINTS: s3.origin },
    });
    const { api: from } = await callerWith(source, await source.add.org(), ['IAM_OWNER']);
    const { api: to } = await callerWith(target, await target.add.org(), ['IAM_OWNER']);
    const document = fullDocument();
    await from.call('POST', '/admin/v1/import', { data_orgs: document });
    return new CliStage(folder, server, s3, source, target, document, from, to);
  }

  /** There is nothing in the folder and in the bucket. */
  clear(): void {
    rmSync(this.folder, { recursive: true });
    mkdirSync(this.moves, { recursive: true });
    this.server.objects.clear();
  }

  async close(): Promise<void> {
    await Promise.all([this.source.close(), this.target.close(), this.server.close(), this.s3.close()]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The command in a process of its own. */
  async gatehouse(args: readonly string[], how: How = {}): Promise<Outcome> {
    const env = { ...this.tokenFor(args, how), ...how.env };
    const outcome = await gatehouseApart(args, { ...how, cwd: this.folder, env });
    this.expectNoSecret(outcome.stderr);
    return outcome;
  }

  async atSource(args: readonly string[], how?: How): Promise<Outcome> {
    return this.gatehouse([...args, '--url', this.source.origin], how);
  }

  async atTarget(args: readonly string[], how?: How): Promise<Outcome> {
    return this.gatehouse([...args, '--url', this.target.origin], how);
  }

  /** The command in this process, which stands in another folder: for what is refused. */
  async refused(args: readonly string[], how: How = {}): Promise<Outcome> {
    const inFolder = args.map((arg) => (/\.json$|^(?:file|moves)$/.test(arg) ? join(this.folder, arg) : arg));
    const outcome = await gatehouseHere(inFolder, { ...this.tokenFor(args, how), ...how.env });
    this.expectNoSecret(outcome.stderr);
    return outcome;
  }

  json(name: string): unknown {
    return JSON.parse(readFileSync(join(this.folder, name), 'utf8'));
  }

  /** Writes a file, and returns its name. */
  put(name: string, content: unknown): string {
    const bytes = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
    writeFileSync(join(this.folder, name), bytes);
    return name;
  }

  /** What the target stores, except for its jobs. */
  async contents(): Promise<string> {
    return (await this.target.contents()).replace(/^migration_job .*$/gm, '');
  }

  private tokenFor(args: readonly string[], { token }: How): Readonly<Record<string, string>> {
    if (token === null) return {};
    return { GATEHOUSE_TOKEN: token ?? (args.includes(this.target.origin) ? this.to.token : this.from.token) };
  }

  private expectNoSecret(text: string): void {
    for (const secret of [this.from.token, this.to.token, this.s3.secretAccessKey]) expect(text).not.toContain(secret);
  }
}
