import { checkNodeVersion } from '../foundation/config/node-version.mjs';

checkNodeVersion();

const { shipped } = await import('../process/start/shipped.js');
const program = shipped('cli/main');
if (program !== undefined) await import(program);
else await import('./run-command.js');
