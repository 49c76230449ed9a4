import type { Clock } from '../../foundation/time/clock.js';
import type { JobPhase } from './migration-job.entity.js';

/** Receives the progress of an export or import. */
export interface Progress {
  /**
   * `total`: the number of objects in the phase, if known. `work`: the same weighted by cost, if some kinds cost more
   * than others.
   */
  enter(phase: JobPhase, total?: number, work?: number): void;
  /** Counts objects of a kind, and their cost. */
  count(type: string, objects: number, work?: number): void;
}

/** For callers who wait for the answer and do not look at progress. */
export const UNWATCHED: Progress = { enter: () => undefined, count: () => undefined };

export interface Standing {
  readonly phase: JobPhase;
  readonly objects: Readonly<Record<string, number>>;
  readonly total: number | null;
  /** Objects per second, lately; 0 if not yet known. */
  readonly rate: number;
  readonly secondsLeft: number | null;
}

/** The progress of a phase at some moment. */
interface Mark {
  readonly atMs: number;
  readonly done: number;
  readonly work: number;
}

/** The speed is measured within this time: earlier progress says nothing about it. */
const WINDOW_MS = 20_000;
/** Progress may come in steps longer than the window, so this many marks are kept whatever their age. */
const LEAST_MARKS = 3;
const MARK_EVERY_MS = 500;
/** A shorter time, or a smaller share of the whole, is no basis for an estimate. */
const KNOWN_AFTER_MS = 3_000;
const KNOWN_AFTER_SHARE = 0.01;

/** The progress of a phase, its speed, and an estimate of when it will end. */
export class PhaseProgress implements Progress {
  private readonly objects = new Map<string, number>();
  private done = 0;
  private work = 0;
  private total: number | undefined;
  private totalWork: number | undefined;
  private marks: Mark[] = [];

  constructor(
    private phase: JobPhase,
    private readonly clock: Clock,
  ) {
    this.enter(phase);
  }

  enter(phase: JobPhase, total?: number, work = total): void {
    this.phase = phase;
    this.total = total;
    this.totalWork = work;
    this.objects.clear();
    this.done = 0;
    this.work = 0;
    this.marks = [this.mark()];
  }

  count(type: string, objects: number, work = objects): void {
    this.objects.set(type, (this.objects.get(type) ?? 0) + objects);
    this.done += objects;
    this.work += work;
    const { length } = this.marks;
    // The first mark never moves: nothing was done then.
    if (length > 1 && this.clock.elapsedMs() - this.marks.at(-2)!.atMs < MARK_EVERY_MS) this.marks.pop();
    this.marks.push(this.mark());
  }

  now(): Standing {
    const { done, work } = this.pace();
    const secondsLeft = this.secondsLeft(work);
    return {
      phase: this.phase,
      objects: Object.fromEntries(this.objects),
      total: this.total ?? null,
      rate: Math.round(done),
      secondsLeft,
    };
  }

  private secondsLeft(pace: number): number | null {
    if (this.totalWork === undefined) return null;
    const left = Math.max(this.totalWork - this.work, 0);
    if (left === 0) return 0;
    return pace === 0 || this.work < this.totalWork * KNOWN_AFTER_SHARE ? null : Math.ceil(left / pace);
  }

  /** Per second, since the oldest mark in the window. */
  private pace(): { readonly done: number; readonly work: number } {
    const nowMs = this.clock.elapsedMs();
    while (this.marks.length > LEAST_MARKS && nowMs - this.marks[0]!.atMs > WINDOW_MS) this.marks.shift();
    const [oldest] = this.marks;
    const seconds = (nowMs - oldest!.atMs) / 1_000;
    if (seconds * 1_000 < KNOWN_AFTER_MS) return { done: 0, work: 0 };
    return { done: (this.done - oldest!.done) / seconds, work: (this.work - oldest!.work) / seconds };
  }

  private mark(): Mark {
    return { atMs: this.clock.elapsedMs(), done: this.done, work: this.work };
  }
}
