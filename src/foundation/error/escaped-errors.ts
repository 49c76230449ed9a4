import { takeFailedWork } from './work.js';

/**
 * Decides the consequences of an uncaught error. One that belongs to a request, a connection or a job ends only that;
 * any other is a defect that leaves the process in an unknown state: `end` must log it and exit.
 */
export function handleEscapedErrors(end: (error: unknown) => void): void {
  const handle = (error: unknown): void => {
    const work = takeFailedWork();
    if (!work) return end(error);
    try {
      work.giveUp(error);
    } catch {
      // Work that cannot even be given up has lost its connection already; it must not take the process with it.
    }
  };
  process.on('uncaughtException', handle);
  process.on('unhandledRejection', handle);
}
