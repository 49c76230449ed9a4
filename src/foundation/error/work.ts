import { AsyncLocalStorage } from 'node:async_hooks';

/** Work that can fail without harm to anything else: a connection, a request, a job. */
export interface Work {
  /** Ends the work because of an uncaught error. */
  giveUp(error: unknown): void;
}

const current = new AsyncLocalStorage<Work | undefined>();

/** Starts `work`. An uncaught error in it, now or later in anything that it started, ends this work only. */
export function confine(work: Work, begin: () => void): void {
  try {
    current.run(work, begin);
  } catch (error) {
    work.giveUp(error);
  }
}

/**
 * The work that an escaped error belongs to, for the handlers of the process: they run in the context of the callback
 * or promise that failed. Undefined for what no work has started.
 */
export function takeFailedWork(): Work | undefined {
  const work = current.getStore();
  // A callback that throws leaves its context behind, and what runs next would be taken for a part of the same work.
  current.enterWith(undefined);
  return work;
}
