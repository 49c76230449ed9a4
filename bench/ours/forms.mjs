import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * @typedef {object} Form of our service
 * @property {string} name by which figures are told apart
 * @property {string} root of its repository, which also makes its test data: an earlier build has an earlier schema
 * @property {string} program
 * @property {string[]} args
 * @property {boolean} [isTraced] it sends traces and metrics
 */

/** As the image starts it. @type {Form} */
export const PLAIN = formOf('ours', ROOT);

/** What stands beside it. @param {string} beside `extension`, `telemetry`, or the folder of an earlier build @returns {Form} */
export function besideForm(beside) {
  if (beside === 'telemetry') return { ...PLAIN, name: 'traced', isTraced: true };
  if (beside !== 'extension') return formOf('before', beside);
  const args = ['start', '--with', join(import.meta.dirname, 'idle.extension.mjs')];
  return { ...PLAIN, name: 'extended', program: join(ROOT, 'lib/process/start/start.js'), args };
}

/** What `--beside` knows by a name. */
export const NAMED = ['extension', 'telemetry'];

/** Whether `--beside` can be this. */
export function isBeside(text) {
  return NAMED.includes(text) || existsSync(join(text, 'dist/main.js'));
}

function formOf(name, root) {
  return { name, root, program: join(root, 'dist/main.js'), args: [] };
}
