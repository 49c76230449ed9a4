import { checkNodeVersion } from '../../foundation/config/node-version.mjs';

checkNodeVersion();

// Until the service takes signals itself: a process with the number 1 learns of none that it has no handler for.
const leave = () => process.exit(0);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, leave);
const begin = () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, leave);
};

const { readStart, START_HELP } = await import('./start-arguments.js');
const given = readStart(process.argv.slice(3));
if ('mistake' in given) {
  process.stderr.write(`${given.mistake}\nSee: gatehouse start --help\n`);
  process.exit(2);
}
if (given.help) {
  process.stdout.write(`${START_HELP.trim()}\n`);
  process.exit(0);
}
if (given.watch) {
  const { watchExtensions } = await import('./start-watch.js');
  begin();
  watchExtensions(given.with);
} else {
  const { runProcess } = await import('./run-process.js');
  if (given.with.length === 0) {
    const { loadService } = await import('./load-service.js');
    begin();
    await runProcess(loadService);
  } else {
    const { useCompiled } = await import('./load-service.js');
    useCompiled();
    const { loadExtensions, NotLoaded } = await import('./start-extensions.js');
    const extensions = await loadExtensions(given.with).catch((error: unknown) => {
      if (!(error instanceof NotLoaded)) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    });
    const { runGatehouse } = await import('./gatehouse.js');
    begin();
    await runGatehouse({ extensions });
  }
}
