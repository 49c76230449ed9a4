import type { Response } from 'express';
import type { Logger } from '../log/logger.js';

/**
 * Runs the body of an exception filter. Nest does not wait for filters, so what one throws would be a rejection that
 * nobody handles, which ends the process: instead the connection is dropped, and the log says why.
 */
export async function answerOrDrop(response: Pick<Response, 'destroy'>, log: Logger, answer: () => Promise<void>): Promise<void> {
  try {
    await answer();
  } catch (error) {
    log.error({ err: error }, 'defect: an error could not be answered');
    response.destroy();
  }
}
