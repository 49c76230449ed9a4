import { extensionWords } from '../../foundation/config/extension-words.js';
import type { Extension } from '../../foundation/extension/extension.js';
import { readStart, START_HELP } from './start-arguments.js';

// Handles signals until the service takes them itself: the process with the number 1 gets none without a handler.
const leave = () => process.exit(0);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, leave);
const begin = () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, leave);
};

const named = extensionWords();
const given = readStart(process.argv.slice(3), named);
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
  const { folderOf } = await import('./start-extensions.js');
  const folders = await orLeave(async () => [...named, ...given.with].map(folderOf));
  begin();
  watchExtensions(folders);
} else {
  const { loadService, useCompiled } = await import('./load-service.js');
  const { runProcess } = await import('./run-process.js');
  if (given.with.length === 0) {
    begin();
    await runProcess(loadService);
  } else {
    useCompiled();
    const extensions = await orLeave(() => extensionsOf(given.with));
    begin();
    await runProcess(() => import('./service.js'), { extensions });
  }
}

async function extensionsOf(words: readonly string[]): Promise<Extension[]> {
  const { loadExtensions } = await import('./start-extensions.js');
  return loadExtensions(words);
}

/** Ends with a sentence if there is no such extension. */
async function orLeave<T>(work: () => Promise<T>): Promise<T> {
  const { NotLoaded } = await import('./start-extensions.js');
  return work().catch((error: unknown) => {
    if (!(error instanceof NotLoaded)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
}
