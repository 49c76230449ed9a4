import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { Journal } from '../../foundation/event/journal.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';
import { InnerCalls, type Json } from '../kit/inner-calls.js';
import {
  appliedNotFound,
  configurationRefused,
  planStale,
  type Refusal,
  tooManyAtOnce,
  tooManyOrgs,
  undoNotKept,
} from './configuration.errors.js';
import { ConfigurationFacts } from './configuration-facts.js';
import { ConfigurationReading, type LeftOut } from './configuration-reading.js';
import { undoOf } from './configuration-undo.js';
import { type Change, ConfigurationWalk, type WalkOptions } from './configuration-walk.js';
import { Ground, type Made } from './ground.js';
import { isJson } from './values.js';

/** More than anybody keeps in a file. */
export const MAX_ORGS = 500;
/** Each keeps a connection of the process for its time. */
const MAX_AT_ONCE = 2;
/** A larger one would weigh on each page of the journal. */
const MAX_UNDO_BYTES = 262_144;

const APPLIED = ['instance.configuration.applied', 'org.configuration.applied'];

/** The largest number of the database. */
const LAST_POSITION = 2n ** 63n - 1n;
const OF_INSTANCE_OWNERS = ['iam.write', 'iam.member.write'] as const;
const OF_ORG_OWNERS = ['org.write', 'org.member.write'] as const;

/** What `apply` has left in the journal. */
interface AppliedPayload {
  readonly reason: string;
  readonly commit: string;
  readonly changes: number;
  readonly undo?: Json;
}

export interface Applied extends AppliedPayload {
  readonly position: string;
  readonly editorId: string;
  readonly orgId: string;
  readonly at: Date;
}

const FIND_APPLIED = statement(
  'configuration.applied',
  `SELECT e.position, e.payload, e.editor_id AS "editorId", e.org_id AS "orgId", e.created_at AS at
   FROM event e
   WHERE e.position = :position AND e.type = ANY (:types::text[])`,
).rows<{ position: string; payload: AppliedPayload; editorId: string; orgId: string; at: Date }>();
const LAST_APPLIED = statement(
  'configuration.last',
  `SELECT max(e.position) AS position FROM event e
   WHERE e.aggregate_id = :aggregateId AND e.aggregate_type = :aggregateType`,
).rows<{ position: string }>();

export interface Wanted {
  readonly instance: boolean;
  /** The organizations, by name. */
  readonly orgs: 'all' | readonly string[];
  /** Words of parts that are left out, wherever they stand. */
  readonly without: readonly string[];
}

export interface Pulled {
  readonly configuration: Json;
  readonly leftOut: readonly LeftOut[];
}

export interface Plan {
  readonly changes: readonly Change[];
  readonly refusals: readonly Refusal[];
  /** Stands for these changes: an application that would do something else is refused. */
  readonly fingerprint: string;
}

export interface PlanOptions extends WalkOptions {
  /** Whether nothing is tried: for callers who may read and not change. */
  readonly onlyCompares: boolean;
}

export interface Origin {
  readonly reason: string;
  /** The id of a commit, or whatever says which version of the file it was. */
  readonly commit: string;
}

export interface Outcome {
  readonly changes: readonly Change[];
  readonly made: readonly Made[];
  /** The position of the event; undefined if nothing was to be changed. */
  readonly position: string | undefined;
  readonly isUndoKept: boolean;
}

/** Takes back what a plan has tried. */
class OnlyTried extends Error {
  constructor(readonly plan: Plan) {
    super('Nothing of a plan is kept.');
  }
}

/**
 * The configuration of an instance as one document: read, planned and applied by the operations of this API, with the
 * rights of the caller, each time in one transaction.
 */
@Injectable()
export class Configurations {
  /** Who is planning or applying one. */
  private readonly running = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly calls: InnerCalls,
    private readonly facts: ConfigurationFacts,
    private readonly instances: InstanceService,
    private readonly journal: Journal,
  ) {}

  /**
   * @throws DomainError NotFound `configuration.org_unknown`; FailedPrecondition `configuration.too_many_orgs`
   */
  async pull(actor: Actor, wanted: Wanted): Promise<Pulled> {
    return this.oneOfFew(actor, () =>
      this.database.sharedTransaction(async (tx) => {
        const ground = this.groundFor(actor, tx);
        const reading = new ConfigurationReading(ground, wanted.without);
        const instance = wanted.instance ? await reading.instance() : undefined;
        const organizations = await this.readOrgs(ground, reading, wanted.orgs);
        return {
          configuration: { ...(instance === undefined ? {} : { instance }), ...organizations },
          leftOut: reading.leftOut,
        };
      }),
    );
  }

  /** What applying the file would change and refuse. */
  async plan(actor: Actor, file: Json, options: PlanOptions): Promise<Plan> {
    return this.oneOfFew(actor, async () => {
      try {
        return await this.database.sharedTransaction(async (tx): Promise<Plan> => {
          const ground = this.groundFor(actor, tx, options.onlyCompares);
          const { changes, refusals } = await this.walk(ground, file, options);
          // What was not tried stands for no application.
          const fingerprint = options.onlyCompares ? '' : fingerprintOf(changes);
          throw new OnlyTried({ changes, refusals, fingerprint });
        });
      } catch (error) {
        if (error instanceof OnlyTried) return error.plan;
        throw error;
      }
    });
  }

  /**
   * Makes all changes, or none.
   * @param fingerprint of the plan that was agreed to; empty for whatever there is to change
   * @throws DomainError InvalidArgument `configuration.refused`; Aborted `configuration.plan_stale`
   */
  async apply(actor: Actor, file: Json, options: WalkOptions, fingerprint: string, origin: Origin): Promise<Outcome> {
    return this.oneOfFew(actor, () =>
      this.database.sharedTransaction(async (tx) => {
        const ground = this.groundFor(actor, tx);
        const before = await this.touchedBy(file, ground);
        const { changes, refusals } = await this.walk(ground, file, options);
        if (refusals.length > 0) throw configurationRefused(refusals);
        if (fingerprint !== '' && fingerprint !== fingerprintOf(changes)) throw planStale();
        if (changes.length === 0) return { changes, made: [], position: undefined, isUndoKept: false };
        ground.forgetOrgs();
        const undo = undoOf(before, await this.touchedBy(file, ground));
        const isUndoKept = Buffer.byteLength(JSON.stringify(undo)) <= MAX_UNDO_BYTES;
        const payload = { ...origin, changes: changes.length, ...(isUndoKept ? { undo } : {}) };
        const position = await this.record(tx, ground, changes, payload);
        return { changes, made: ground.everythingMade, position, isUndoKept };
      }),
    );
  }

  /**
   * What was applied, with the file that takes it back.
   * @throws DomainError NotFound `configuration.applied_not_found`; PermissionDenied; FailedPrecondition
   * `configuration.undo_not_kept`
   */
  async applied(actor: Actor, position: bigint): Promise<Applied & { readonly undo: Json }> {
    if (position > LAST_POSITION) throw appliedNotFound();
    const [row] = await this.database.query(FIND_APPLIED, { position, types: APPLIED });
    if (!row) throw appliedNotFound();
    const { orgId } = row;
    const isOfInstance = orgId === (await this.instances.get()).id;
    const isWithinReach = isOfInstance
      ? actor.rights.mayEverywhere('iam.read')
      : actor.rights.may('org.read', { orgId });
    if (!isWithinReach) throw appliedNotFound();
    // It may say everything there is, which those who appoint managers could read anyway.
    const needed = isOfInstance ? OF_INSTANCE_OWNERS : OF_ORG_OWNERS;
    const missing = needed.find((one) => !actor.rights.may(one, { orgId: isOfInstance ? actor.orgId : orgId }));
    if (missing !== undefined) throw permissionMissing(missing);
    const { undo } = row.payload;
    if (!undo) throw undoNotKept();
    return { ...row.payload, undo, position: row.position, editorId: row.editorId, orgId, at: row.at };
  }

  private groundFor(actor: Actor, tx: Transaction, onlyReads = false): Ground {
    return new Ground(this.calls, this.facts, actor, tx, onlyReads);
  }

  private async walk(ground: Ground, file: Json, options: WalkOptions): Promise<ConfigurationWalk> {
    const walk = new ConfigurationWalk(ground, options);
    await walk.run(file);
    return walk;
  }

  /** The instance and the organizations that a file names, as they are, for what takes the change back. */
  private async touchedBy(file: Json, ground: Ground): Promise<Json> {
    const reading = new ConfigurationReading(ground, [], true);
    const named = isJson(file['organizations']) ? Object.keys(file['organizations']) : [];
    const there = (await ground.orgs()).map(({ key }) => key).filter((name) => named.includes(name));
    const organizations = await this.readOrgs(ground, reading, there);
    return { ...('instance' in file ? { instance: await reading.instance() } : {}), ...organizations };
  }

  private async readOrgs(
    ground: Ground,
    reading: ConfigurationReading,
    names: 'all' | readonly string[],
  ): Promise<Json> {
    if (names !== 'all' && names.length === 0) return {};
    const all = await ground.orgs();
    if (names !== 'all') for (const name of names) await ground.orgIdOf(name);
    const wanted = names === 'all' ? all : all.filter(({ key }) => names.includes(key));
    if (wanted.length > MAX_ORGS) throw tooManyOrgs(MAX_ORGS);
    const organizations: Array<readonly [string, Json]> = [];
    for (const { key, read } of wanted) organizations.push([key, await reading.org(key, read)]);
    return { organizations: Object.fromEntries(organizations) };
  }

  /** One event, of the organization if it is about one alone, else of the instance. */
  private async record(
    tx: Transaction,
    ground: Ground,
    changes: readonly Change[],
    payload: AppliedPayload,
  ): Promise<string> {
    const { id: instanceId } = await this.instances.get();
    const orgs = new Set(changes.map(({ path }) => (path[0] === 'organizations' ? path[1] : undefined)));
    const [name] = orgs;
    const org = orgs.size === 1 && name !== undefined ? await ground.org(name) : undefined;
    const orgId = org?.ids['orgId'] as string | undefined;
    const aggregateType = orgId === undefined ? 'instance' : 'org';
    const aggregateId = orgId ?? instanceId;
    await this.journal.append(tx, {
      aggregateType,
      aggregateId,
      type: `${aggregateType}.configuration.applied`,
      orgId: aggregateId,
      editorId: ground.actor.userId,
      payload: { ...payload },
    });
    return (await tx.query(LAST_APPLIED, { aggregateId, aggregateType }))[0]!.position;
  }

  /** @throws DomainError ResourceExhausted `configuration.busy` */
  private async oneOfFew<T>({ userId }: Actor, work: () => Promise<T>): Promise<T> {
    if (this.running.size >= MAX_AT_ONCE || this.running.has(userId)) throw tooManyAtOnce();
    this.running.add(userId);
    try {
      return await work();
    } finally {
      this.running.delete(userId);
    }
  }
}

/**
 * Of what would be done, and from what to what; whom it affects changes by the minute. In hex: in base64url one of 64
 * would begin with a hyphen, and be an option for the command line.
 */
function fingerprintOf(changes: readonly Change[]): string {
  const facts = changes.map(({ action, path, fields }) => ({ action, path, fields }));
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
