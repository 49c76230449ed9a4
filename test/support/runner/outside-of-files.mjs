import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs what outlives the test file that asks for it. A socket, a process or a timer keeps the asynchronous context in which it was made,
 * and by it everything that the file holds: its worlds, documents and modules.
 * @type {<Result>(work: () => Result) => Result}
 */
export const outsideOfFiles = AsyncLocalStorage.snapshot();
