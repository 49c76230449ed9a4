import { Clock } from '../foundation/time/clock.js';
import type { Terminal } from './command/command.js';

export interface Standing {
  readonly what: string;
  readonly done: number;
  /** Undefined if unknown. */
  readonly total?: number | undefined;
  readonly unit: 'bytes' | 'objects';
  /** In the same unit per second; computed if absent. */
  readonly rate?: number | undefined;
  readonly secondsLeft?: number | undefined;
}

const BAR_WIDTH = 24;
const REDRAW_MS = 100;
const LINE_MS = 10_000;
const MEASURED_MS = 500;
const CLEAR = '\r\u001b[2K';

/** Shows the progress of a command: a bar on a terminal, and elsewhere a line now and then. */
export class ProgressLine {
  private shownMs = -Infinity;
  private shownWhat = '';
  private shownDone = -1;
  private beganMs = 0;
  private isDrawn = false;

  constructor(
    private readonly out: Terminal,
    private readonly isQuiet: boolean,
    private readonly clock = new Clock(),
  ) {}

  show(standing: Standing): void {
    const now = this.clock.elapsedMs();
    const isNew = standing.what !== this.shownWhat;
    if (isNew) this.beganMs = now;
    const everyMs = this.out.isTTY === true ? REDRAW_MS : LINE_MS;
    const isEnd = standing.done === standing.total && standing.done !== this.shownDone;
    if (this.isQuiet || (!isNew && !isEnd && now - this.shownMs < everyMs)) return;
    this.shownDone = standing.done;
    this.shownMs = now;
    this.shownWhat = standing.what;
    // It is too early for a meaningful rate.
    const elapsedMs = now - this.beganMs;
    const rate = standing.rate ?? (elapsedMs < MEASURED_MS ? 0 : Math.round((standing.done * 1_000) / elapsedMs));
    if (this.out.isTTY !== true) return void this.out.write(`${lineOf({ ...standing, rate })}\n`);
    this.out.write(`${CLEAR}${lineOf({ ...standing, rate }, true).slice(0, (this.out.columns ?? 80) - 1)}`);
    this.isDrawn = true;
  }

  /** Writes a permanent line. */
  say(text: string): void {
    this.end();
    if (!this.isQuiet) this.out.write(`${text}\n`);
  }

  /** Removes the bar, so that further output starts on an empty line. */
  end(): void {
    if (this.isDrawn) this.out.write(CLEAR);
    this.isDrawn = false;
    this.shownWhat = '';
  }
}

function lineOf({ what, done, total, unit, rate = 0, secondsLeft }: Standing, hasBar = false): string {
  const share = total === undefined || total === 0 ? undefined : Math.min(done / total, 1);
  const parts = [
    what,
    hasBar && share !== undefined ? `[${'#'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '.')}]` : '',
    share === undefined ? '' : `${Math.floor(share * 100)} %`,
    share === undefined ? (done === 0 ? '' : amount(done, unit)) : `${amount(done, unit)} of ${amount(total!, unit)}`,
    done === 0 || rate === 0 ? '' : `${amount(rate, unit)}/s`,
    secondsLeft === undefined ? '' : `${span(secondsLeft)} left`,
  ];
  return parts.filter((part) => part !== '').join('  ');
}

export function amount(count: number, unit: 'bytes' | 'objects'): string {
  if (unit === 'objects') return count.toLocaleString('en');
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), units.length - 1);
  return `${(count / 1_000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]!}`;
}

function span(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}
