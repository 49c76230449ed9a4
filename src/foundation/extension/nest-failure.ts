import { ConfigError } from '../config/environment.js';
import type { Extension } from './extension.js';
import { controllersIn, type ExtModule, modulesOf, providersIn } from './module-walk.js';

/** What to do, by what Nest's message says; without a match there is only the message. */
const REMEDIES: ReadonlyArray<readonly [says: RegExp, remedy: string]> = [
  [
    /argument (Object|Function|dependency|undefined)\b|argument at index/i,
    'A type alone cannot be injected: write `import { Database }`, not `import type { Database }` or `import { type Database }`.',
  ],
  [
    /can't resolve dependencies/i,
    'Import the module that has it: `imports: [GatehouseServices]` for Database, Users and the like, or list the class among the providers.',
  ],
  [/circular/i, 'Move what both need into a third class, or use forwardRef() on both sides.'],
];

/**
 * What Nest throws while it puts the application together, as a mistake of the extension whose class it names, with a
 * remedy; anything else as it is.
 */
export async function explainedFailure(error: unknown, extensions: readonly Extension[]): Promise<unknown> {
  if (!(error instanceof Error) || error instanceof ConfigError) return error;
  for (const extension of extensions) {
    const names = (await modulesOf(extension)).flatMap(namesIn);
    if (!names.some((name) => new RegExp(`\\b${name}\\b`).test(error.message))) continue;
    const [says] = error.message.split('\n');
    const remedy = REMEDIES.find(([pattern]) => pattern.test(error.message))?.[1] ?? '';
    return new ConfigError([`The extension ${extension.id}: ${says} ${remedy}`.trim()], 'extensions');
  }
  return error;
}

function namesIn(module: ExtModule): string[] {
  return [module.type, ...providersIn(module), ...controllersIn(module)].flatMap((one) =>
    typeof one === 'function' && one.name !== '' ? [one.name] : [],
  );
}
