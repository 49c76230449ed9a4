import { pathToFileURL } from 'node:url';
import { queryObjects } from 'node:v8';

/*
 * Loads the service and what it loads on demand, and prints the errors that have been made meanwhile and still remember where: JSON, of each
 * the first line of its stack.
 */

const [lib] = process.argv.slice(2);

/** To see that such errors are found. */
export const control = new Error('Made to be found');

await import(pathToFileURL(`${lib}/internals.js`).href);
const found = queryObjects(Error, { format: 'summary' }).filter((text) => /\n\s+at /.test(text));
const lines = found.map((text) => text.split('\n')[0]);
console.log(JSON.stringify(lines.filter((line) => !line.includes('queryObjects()')))); // it warns of itself
process.exit(); // whatever has been started by being loaded
