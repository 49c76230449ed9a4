import type { Environment } from '../../src/foundation/config/environment.js';
import { parseConfig } from '../../src/foundation/config/parse-config.js';

/** The names of all settings, in the order in which they are read. */
export function settings(): string[] {
  const names = new Set<string>();
  const environment = new Proxy<Environment>(
    {},
    {
      get: (_, name) => {
        if (typeof name === 'string' && !name.endsWith('_FILE')) names.add(name);
        return undefined;
      },
    },
  );
  parseConfig(environment, { readFile: () => '', terminal: false });
  return [...names].sort();
}
