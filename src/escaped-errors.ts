import { takeFailedWork } from './error/work.js';

/**
 * Decides what an error costs that nothing has caught. One that belongs to a request, a connection or a job costs that alone; any
 * other is a defect of the process, whose state nobody knows any more: `end` must log it and end the process.
 */
export function handleEscapedErrors(end: (error: unknown) => void): void {
  const handle = (error: unknown): void => {
    const work = takeFailedWork();
    if (!work) return end(error);
    try {
      work.giveUp(error);
    } catch {
      // What cannot even be given up has lost its connection already; it must not take the process with it.
    }
  };
  process.on('uncaughtException', handle);
  process.on('unhandledRejection', handle);
}
