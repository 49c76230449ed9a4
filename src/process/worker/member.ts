import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Snapshot } from '../../foundation/metrics/snapshot.js';
import { closeWhenEnded } from './handed-over.js';
import type { Order, Orders, Report } from './message.js';

const METRICS_LIMIT_MS = 2_000;

/** Why a worker has ended. */
export interface Ending {
  readonly status: number | null;
  readonly signal: string | null;
}

/** A worker, as its supervisor sees it. */
export class Member {
  /** Settles when it takes requests; rejects with its `Ending` if it ends before. */
  readonly serving: Promise<void>;
  readonly ended: Promise<Ending>;
  private servingSinceMs: number | undefined;
  private endedAtMs: number | undefined;
  private isWanted = true;
  private questions = 0;
  private readonly waiting = new Map<number, (metrics: Snapshot) => void>();
  private metrics: Snapshot = [];

  constructor(
    private readonly worker: Worker,
    orders: Orders,
  ) {
    closeWhenEnded(worker.process);
    worker.on('error', () => undefined); // what could not be sent to a process that has ended
    this.ended = (once(worker, 'exit') as Promise<[number | null, string | null]>).then(([status, signal]) => {
      this.endedAtMs = performance.now();
      return { status, signal };
    });
    this.serving = new Promise((resolve, reject) => {
      worker.on('message', (report: Report) => {
        if (report.kind === 'hello') this.send({ kind: 'start', orders });
        else if (report.kind === 'metrics') this.receive(report.metrics, report.question);
        else {
          this.servingSinceMs = performance.now();
          resolve();
        }
      });
      void this.ended.then(reject);
    });
    this.serving.catch(() => undefined); // not everything that starts one waits for it
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  /** How long it has served; 0 if it never did. */
  get servedMs(): number {
    return this.servingSinceMs === undefined ? 0 : (this.endedAtMs ?? performance.now()) - this.servingSinceMs;
  }

  get isServing(): boolean {
    return this.servingSinceMs !== undefined && this.isStaying;
  }

  /** Whether it was told to end. */
  get wasDismissed(): boolean {
    return !this.isWanted;
  }

  /** Whether it is there and was not told to end. */
  get isStaying(): boolean {
    return this.isWanted && this.endedAtMs === undefined;
  }

  /** Lets it end what it has begun; it takes no more connections. */
  retire(): void {
    this.isWanted = false;
    this.send({ kind: 'retire' });
  }

  /** Stops the worker as SIGTERM from outside would. */
  stop(): void {
    if (this.endedAtMs !== undefined) return;
    this.isWanted = false;
    this.worker.process.kill('SIGTERM');
  }

  kill(): void {
    this.worker.process.kill('SIGKILL');
  }

  /** The current figures of the worker; if it does not answer, those that it sent last. */
  async count(): Promise<Snapshot> {
    if (this.endedAtMs !== undefined || this.servingSinceMs === undefined) return this.metrics;
    this.questions += 1;
    const question = this.questions;
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.waiting.delete(question);
        resolve(this.metrics);
      };
      const timer = setTimeout(giveUp, METRICS_LIMIT_MS);
      this.waiting.set(question, (metrics) => {
        clearTimeout(timer);
        resolve(metrics);
      });
      void this.ended.then(giveUp);
      this.send({ kind: 'metrics', question });
    });
  }

  /** The figures that the worker sent last. */
  get lastCount(): Snapshot {
    return this.metrics;
  }

  private receive(metrics: Snapshot, question: number | undefined): void {
    this.metrics = metrics;
    if (question === undefined) return;
    this.waiting.get(question)?.(metrics);
    this.waiting.delete(question);
  }

  private send(order: Order): void {
    if (this.worker.isConnected()) this.worker.send(order, () => undefined);
  }
}
