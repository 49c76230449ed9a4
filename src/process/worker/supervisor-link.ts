import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Snapshot } from '../../foundation/metrics/snapshot.js';
import type { Order, Orders, Report } from './message.js';

/** The connection of a worker to the supervisor. */
export class SupervisorLink {
  private readonly end = new AbortController();
  private readMetrics: (() => Promise<Snapshot>) | undefined;
  private retired = false;

  private constructor(readonly orders: Orders) {
    process.on('message', (order: Order) => this.obey(order));
    // A worker whose supervisor is gone gets no new connections, and ends once what runs has ended.
    process.once('disconnect', () => this.end.abort());
  }

  /** Settles when it may start. Undefined if the supervisor has gone. */
  static async open(): Promise<SupervisorLink | undefined> {
    if (!cluster.worker) return undefined;
    // The end of a terminal reaches all processes in it: only the supervisor decides what it means.
    process.on('SIGHUP', () => {});
    const first = once(process, 'message') as Promise<[Order]>;
    send({ kind: 'hello' });
    const [order] = await first;
    if (order.kind !== 'start') throw new Error(`The first order of a supervisor is to start, not to ${order.kind}.`);
    cluster.worker.exitedAfterDisconnect = true; // otherwise Node ends the process at once when the supervisor has gone
    return new SupervisorLink(order.orders);
  }

  /** Aborted when the process has to end without a signal. */
  get ending(): AbortSignal {
    return this.end.signal;
  }

  /** Whether another worker has taken the place of this one, so that the service goes on. */
  get isRetired(): boolean {
    return this.retired;
  }

  /** Tells the supervisor that the worker serves from now on. */
  serve(readMetrics: () => Promise<Snapshot>): void {
    this.readMetrics = readMetrics;
    send({ kind: 'serving' });
  }

  /** Sends the figures before the end, so that they are not lost. */
  async sayGoodbye(): Promise<void> {
    if (!this.readMetrics || !process.connected) return;
    const metrics = await this.readMetrics();
    await new Promise<void>((resolve) => send({ kind: 'metrics', metrics }, resolve));
  }

  private obey(order: Order): void {
    if (order.kind === 'retire') {
      this.retired = true;
      this.end.abort();
    } else if (order.kind === 'metrics') {
      void this.readMetrics?.().then((metrics) => send({ kind: 'metrics', question: order.question, metrics }));
    }
  }
}

/** `sent` is called in any case: a supervisor that has gone is noticed elsewhere. */
function send(report: Report, sent: () => void = () => undefined): void {
  if (process.connected) process.send!(report, undefined, undefined, sent);
  else sent();
}
