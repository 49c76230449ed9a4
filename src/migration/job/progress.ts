import type { Clock } from '../../time/clock.js';
import type { JobPhase } from './migration-job.entity.js';

/** Told how far an export or import is. */
export interface Progress {
  /** `total`: how many objects the phase has, where that is known. */
  enter(phase: JobPhase, total?: number): void;
  /** So many more of a kind. */
  count(type: string, objects: number): void;
}

/** Somebody waits for the answer, and looks at nothing else. */
export const UNWATCHED: Progress = { enter: () => undefined, count: () => undefined };

export interface Standing {
  readonly phase: JobPhase;
  readonly objects: Readonly<Record<string, number>>;
  readonly total: number | null;
  /** Objects per second. */
  readonly rate: number;
  readonly secondsLeft: number | null;
}

/** How far a phase is, how quickly it goes on, and from that when it will end. */
export class PhaseProgress implements Progress {
  private readonly objects = new Map<string, number>();
  private done = 0;
  private total: number | undefined;
  private beganMs: number;

  constructor(private phase: JobPhase, private readonly clock: Clock) {
    this.beganMs = clock.elapsedMs();
  }

  enter(phase: JobPhase, total?: number): void {
    this.phase = phase;
    this.total = total;
    this.beganMs = this.clock.elapsedMs();
    this.objects.clear();
    this.done = 0;
  }

  count(type: string, objects: number): void {
    this.objects.set(type, (this.objects.get(type) ?? 0) + objects);
    this.done += objects;
  }

  now(): Standing {
    const seconds = Math.max(this.clock.elapsedMs() - this.beganMs, 1) / 1_000;
    const rate = this.done / seconds;
    const secondsLeft = this.total === undefined || this.done === 0 ? null : Math.ceil(Math.max(this.total - this.done, 0) / rate);
    return { phase: this.phase, objects: Object.fromEntries(this.objects), total: this.total ?? null, rate: Math.round(rate), secondsLeft };
  }
}
