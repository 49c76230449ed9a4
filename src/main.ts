import { checkNodeVersion } from './foundation/config/node-version.mjs';

checkNodeVersion();

const { runProcess } = await import('./process/start/run-process.js');
const { loadService } = await import('./process/start/load-service.js');
await runProcess(loadService);
