import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** @type {() => void} */
export const collectGarbage = runInNewContext('gc');
