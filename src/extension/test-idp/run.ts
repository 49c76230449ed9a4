import { checkNodeVersion } from '../../foundation/config/node-version.mjs';

checkNodeVersion();

const { runTestIdp } = await import('./run-test-idp.js');
await runTestIdp(process.argv.slice(process.argv[2] === 'test-idp' ? 3 : 2));
