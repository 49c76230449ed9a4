import { checkNodeVersion } from '../../foundation/config/node-version.mjs';

checkNodeVersion();

const { shipped } = await import('./shipped.js');
const program = shipped('process/start/start');
if (program !== undefined) await import(program);
else await import('./run-start.js');
