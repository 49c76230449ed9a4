import { checkNodeVersion } from './foundation/config/node-version.mjs';

checkNodeVersion();

const { runProcess } = await import('./run-process.js');
const { loadService } = await import('./load-service.js');
await runProcess(loadService);
