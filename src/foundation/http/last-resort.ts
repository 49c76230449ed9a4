import type { Logger } from '../log/logger.js';
import { drop, type NodeResponse } from './plain-answer.js';

/**
 * Runs the body of an exception filter. Nest does not await filters, so an error in one would escape; instead the
 * request is dropped, and the error logged. Never throws.
 */
export async function answerOrDrop(response: NodeResponse, log: Logger, answer: () => Promise<void>): Promise<void> {
  try {
    await answer();
  } catch (error) {
    log.error({ err: error }, 'defect: an error could not be answered');
    drop(response);
  }
}
