import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { WORKER_MARK } from '../../foundation/config/worker-mark.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Logger } from '../../foundation/log/logger.js';
import type { Figure } from '../../foundation/metrics/figure.js';
import { addUp, countersOf, type Snapshot } from '../../foundation/metrics/snapshot.js';
import { type Ending, Member } from './member.js';
import type { Orders } from './message.js';
import { RestartPolicy, SETTLED_MS } from './restart-policy.js';

export interface CrewPlan {
  /** The file that a worker runs; absent: what this process runs, with the same arguments. */
  readonly program?: string;
  readonly size: number;
  readonly orders: Omit<Orders, 'isFirst'>;
}

/**
 * Processes that serve the same ports: this one accepts the connections and hands them out in turn (node:cluster). One
 * that ends is replaced (docs/adr/0051).
 */
export class Crew {
  private readonly members = new Set<Member>();
  private readonly restartPolicy = new RestartPolicy();
  private readonly loss = Promise.withResolvers<never>();
  private isStopping = false;
  private replacing: Promise<void> | undefined;
  private replaceAgain = false;
  private failures = 0;
  /** The figures that workers had counted when they ended. */
  private past: Promise<Snapshot> = Promise.resolve([]);

  constructor(
    private readonly plan: CrewPlan,
    private readonly log: Logger,
  ) {
    const own = plan.program === undefined ? {} : { exec: plan.program, args: [] };
    cluster.setupPrimary({ ...own, serialization: 'advanced' });
    this.loss.promise.catch(() => undefined); // there may be no one waiting yet
  }

  /** Rejects when the workers end as soon as they have started, one after another: DomainError `worker.end_at_once`. */
  get lost(): Promise<never> {
    return this.loss.promise;
  }

  /**
   * Settles when the first worker serves. The others follow: what happens once, such as changes of the schema, the
   * first one has done.
   * @throws DomainError FailedPrecondition `worker.not_started`; the worker has said why
   */
  async start(): Promise<void> {
    const first = this.launch(true);
    try {
      await first.serving;
    } catch (ending) {
      throw notStarted(ending as Ending);
    }
    while (this.staying().length < this.plan.size && !this.isStopping) this.launch(false);
  }

  /**
   * Replaces all workers, one after another: each retires once its successor serves. Without effect on those that
   * remain when a successor does not start.
   */
  async replaceAll(): Promise<void> {
    if (this.replacing) {
      this.replaceAgain = true;
      return this.replacing;
    }
    this.replacing = this.replaceEach().finally(() => (this.replacing = undefined));
    await this.replacing;
    if (this.replaceAgain && !this.isStopping) {
      this.replaceAgain = false;
      await this.replaceAll();
    }
  }

  /** Tells all workers to end. */
  dismiss(): void {
    this.isStopping = true;
    for (const member of this.members) member.stop();
  }

  /** Ends all of them; those that take longer than `limitMs`, at once. */
  async stop(limitMs: number): Promise<void> {
    this.dismiss();
    const limit = setTimeout(() => {
      for (const member of this.members) member.kill();
    }, limitMs);
    await Promise.all([...this.members].map(({ ended }) => ended));
    clearTimeout(limit);
  }

  /** The figures of all workers, also of those that are no more: sums never decrease. */
  async count(): Promise<Snapshot> {
    const { past } = this; // of the same moment as the members
    const counts = await Promise.all([...this.members].map((member) => member.count()));
    return addUp([...counts, await past]);
  }

  /** The figures about the workers themselves. */
  figures(): Figure[] {
    return [
      {
        name: 'gatehouse_workers',
        help: 'Worker processes that take requests.',
        kind: 'gauge',
        read: () => [{ value: [...this.members].filter(({ isServing }) => isServing).length }],
      },
      {
        name: 'gatehouse_worker_failures_total',
        help: 'Worker processes that have ended without having been told to.',
        kind: 'counter',
        read: () => [{ value: this.failures }],
      },
    ];
  }

  private launch(isFirst: boolean): Member {
    const member = new Member(cluster.fork(WORKER_MARK), { ...this.plan.orders, isFirst });
    this.members.add(member);
    void member.serving.then(
      () => this.log.info({ pid: member.pid }, 'a worker serves'),
      () => undefined, // its end is logged
    );
    void member.ended.then((ending) => {
      this.forget(member);
      if (this.isStopping || member.wasDismissed) return undefined;
      if (isFirst && member.servedMs === 0) return undefined; // the start fails with it
      this.failures += 1;
      this.log.error({ pid: member.pid, ...ending }, 'a worker has ended');
      return this.replace(member.servedMs);
    });
    return member;
  }

  private forget(member: Member): void {
    this.members.delete(member);
    this.past = this.past.then(async (past) => addUp([past, countersOf(member.lastCount)]));
  }

  private async replace(servedMs: number): Promise<void> {
    const othersServe = [...this.members].some((other) => other.isServing && other.servedMs >= SETTLED_MS);
    const verdict = this.restartPolicy.judge(servedMs, othersServe);
    if (verdict === 'give up') {
      this.loss.reject(endAtOnce());
      return;
    }
    await sleep(verdict.pauseMs);
    if (!this.isStopping && this.staying().length < this.plan.size) this.launch(false);
  }

  private async replaceEach(): Promise<void> {
    for (const member of this.staying()) {
      if (this.isStopping) return;
      if (!member.isStaying) continue; // replaced already
      const successor = this.launch(false);
      try {
        await successor.serving;
      } catch {
        this.log.error('the workers are not replaced: a new one did not start');
        return;
      }
      member.retire();
      await member.ended;
    }
    this.log.info('all workers have been replaced');
  }

  private staying(): Member[] {
    return [...this.members].filter(({ isStaying }) => isStaying);
  }
}

function notStarted({ status, signal }: Ending): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'worker.not_started',
    `The first worker process ended with ${signal ?? `status ${status}`} before it served.`,
  );
}

function endAtOnce(): DomainError {
  return new DomainError(
    'Unavailable',
    'worker.end_at_once',
    'The worker processes end as soon as they have started. Their last lines above say why.',
  );
}
