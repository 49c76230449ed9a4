import { checkNodeVersion } from './foundation/config/node-version.mjs';

checkNodeVersion();

const { shipped } = await import('./process/start/shipped.js');
const program = shipped('main');
if (program !== undefined) {
  await import(program);
} else {
  const { runProcess } = await import('./process/start/run-process.js');
  const { loadService } = await import('./process/start/load-service.js');
  await runProcess(loadService);
}
