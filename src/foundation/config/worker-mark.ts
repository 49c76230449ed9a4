/**
 * A variable that no operator sets: a supervisor gives it to the processes that it starts, whatever program they run.
 */
export const WORKER_MARK = { GATEHOUSE_WORKER_PROCESS: '1' } as const;

/** Whether a supervisor has started this process. */
export function isWorker(): boolean {
  return process.env['GATEHOUSE_WORKER_PROCESS'] === WORKER_MARK.GATEHOUSE_WORKER_PROCESS;
}
