import { confine } from '../error/work.js';
import type { Logger } from '../log/logger.js';
import { TimeLimit } from '../time/time-limit.js';
import { asSpan } from '../trace/span.js';
import type { JobKind, Tracer } from '../trace/tracer.js';

/** How often a worker looks for what was not announced: retries, and what another process has not delivered. */
const POLL_MS = 5_000;

/** The deliveries of one kind, and how they are made. */
export interface Deliveries<Item> {
  /** The name of a delivery in the log: `mail`. */
  readonly noun: JobKind;
  /** How many are delivered at once. */
  readonly lanes: number;
  /** Claims up to so many that are due; `underWay` are being delivered by this process. */
  claim(free: number, underWay: ReadonlySet<Item>): Promise<Item[]>;
  /**
   * Delivers one and stores what became of it. After an error that is unknown: it is delivered again when its claim
   * expires.
   */
  deliver(item: Item): Promise<void>;
  /** The facts about a delivery for the log. */
  describe(item: Item): Readonly<Record<string, unknown>>;
}

/**
 * Delivers in the background what transactions have left in a table. Any number of processes do so in parallel: each
 * item is claimed by one of them, and no transaction is open meanwhile. A slow item occupies one of a few lanes.
 */
export class DeliveryLanes<Item> {
  private readonly underWay = new Map<Item, Promise<void>>();
  private filling: Promise<void> | undefined;
  private wanted = false;
  private isStopping = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly deliveries: Deliveries<Item>,
    private readonly log: Logger,
    private readonly tracer: Tracer,
  ) {}

  /** Claims as many as there are free lanes. A call in the meantime makes it look once more. */
  async fill(): Promise<void> {
    if (this.isStopping) return;
    this.wanted = true;
    // Whatever announced it, what is taken from the table is no part of that.
    this.filling ??= asSpan(undefined, () => Promise.resolve().then(() => this.takeDue()));
    await this.filling;
  }

  /** Delivers what is due, and resolves when nothing is. */
  async run(): Promise<void> {
    await this.fill();
    while (this.underWay.size > 0) {
      await Promise.all(this.underWay.values());
      await this.fill();
    }
  }

  /**
   * Claims nothing more, and resolves when nothing is under way.
   * @param abort what ends those that still are after so many milliseconds
   */
  async stop(milliseconds: number, abort: () => Promise<void> | void): Promise<void> {
    const finished = this.finish();
    using limit = new TimeLimit(milliseconds);
    await Promise.race([finished, limit.passed]);
    await abort();
    await finished;
  }

  private async finish(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.filling;
    await Promise.all(this.underWay.values());
  }

  private async takeDue(): Promise<void> {
    const { noun, lanes } = this.deliveries;
    clearTimeout(this.timer);
    try {
      while (this.wanted && !this.isStopping) {
        this.wanted = false;
        const free = lanes - this.underWay.size;
        if (free <= 0) continue;
        for (const item of await this.deliveries.claim(free, new Set(this.underWay.keys()))) this.begin(item);
      }
    } catch (error) {
      this.log.warn({ err: error }, `cannot look for each ${noun} that is due`);
    } finally {
      this.filling = undefined;
    }
    if (!this.isStopping) this.timer = setTimeout(() => void this.fill(), POLL_MS).unref();
  }

  private begin(item: Item): void {
    const { noun } = this.deliveries;
    const giveUp = (error: unknown): void =>
      this.log.error({ err: error, ...this.deliveries.describe(item) }, `defect: an error escaped from a ${noun}`);
    // The delivery is detached from whatever announced it.
    confine({ giveUp }, () => this.beginDelivery(item));
  }

  private beginDelivery(item: Item): void {
    const { noun } = this.deliveries;
    const delivery = this.tracer
      .job(noun, () => this.deliveries.deliver(item))
      .catch((error: unknown) =>
        this.log.error({ err: error, ...this.deliveries.describe(item) }, `cannot write down what became of a ${noun}`),
      )
      .finally(() => {
        this.underWay.delete(item);
        void this.fill();
      });
    this.underWay.set(item, delivery);
  }
}
