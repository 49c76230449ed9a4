import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * @typedef {object} Form of our service
 * @property {string} name by which figures are told apart
 * @property {string} root of its repository, which also makes its test data: an earlier build has an earlier schema
 * @property {string} program
 * @property {string[]} args
 */

/** As the image starts it. @type {Form} */
export const PLAIN = formOf('ours', ROOT);

/** What stands beside it. @param {string} beside `extension`, or the folder of an earlier build @returns {Form} */
export function besideForm(beside) {
  if (beside !== 'extension') return formOf('before', beside);
  const args = ['start', '--with', join(import.meta.dirname, 'idle.extension.mjs')];
  return { ...PLAIN, name: 'extended', program: join(ROOT, 'lib/process/start/start.js'), args };
}

/** Whether `--beside` can be this. */
export function isBeside(text) {
  return text === 'extension' || existsSync(join(text, 'dist/main.js'));
}

function formOf(name, root) {
  return { name, root, program: join(root, 'dist/main.js'), args: [] };
}
