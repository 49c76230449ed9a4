import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** @type {(options?: { type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort' }) => void} */
export const collectGarbage = runInNewContext('gc');
