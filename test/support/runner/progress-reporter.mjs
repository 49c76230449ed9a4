import { shareOfWork } from './expected-work.mjs';

const EVERY_MS = 10_000;
const SLOWEST = 10;

/**
 * A jest reporter beside the default one: how far a run is and how long it will still take, for people who read a log (on a terminal
 * the default reporter shows it), and the slowest files at the end.
 */
export default class ProgressReporter {
  #durations = [];
  #lastLineAt = 0;
  #startedAt = 0;

  onRunStart() {
    this.#startedAt = Date.now();
    this.#lastLineAt = this.#startedAt;
  }

  onTestFileResult(test, result, total) {
    const milliseconds = result.perfStats.end - result.perfStats.start;
    this.#durations.push({ path: test.path, milliseconds });
    const now = Date.now();
    if (process.stderr.isTTY || now - this.#lastLineAt < EVERY_MS) return;
    this.#lastLineAt = now;
    process.stderr.write(`${this.#progress(total, now)}\n`);
  }

  onRunComplete(_contexts, { numTotalTestSuites }) {
    if (numTotalTestSuites < 2) return;
    const slowest = this.#durations.sort((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
    const lines = slowest.map(({ path, milliseconds }) => `${seconds(milliseconds).padStart(8)}  ${relative(path)}`);
    process.stderr.write(`\nSlowest files:\n${lines.join('\n')}\n`);
  }

  /** Assumes that files take as long as they usually do, compared with one another. */
  #progress({ numTotalTestSuites, numPassedTests, numFailedTests }, now) {
    const done = this.#durations.length;
    const share = shareOfWork(this.#durations.map(({ path }) => path));
    const left = ((now - this.#startedAt) / share) * (1 - share);
    const files = `${done} of ${numTotalTestSuites} files`;
    return `… ${files}, ${numPassedTests} tests passed, ${numFailedTests} failed, about ${seconds(left)} left`;
  }
}

function seconds(milliseconds) {
  return `${Math.round(milliseconds / 1000)} s`;
}

function relative(path) {
  return path.slice(process.cwd().length + 1);
}
