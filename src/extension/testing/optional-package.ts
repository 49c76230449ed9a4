import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * A package that only some tests need, so that Gatehouse names it as an optional peer dependency.
 * @param purpose what needs it: "The browser of the tests"
 * @throws Error that says what to install
 */
export function optionalPackage<Module>(name: string, purpose: string): Module {
  try {
    return require(name) as Module;
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new Error(`${purpose} needs the package ${name}: run "npm install --save-dev ${name}".`, { cause: error });
  }
}

/** The package itself, and not one that it needs. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') && message.includes(`'${name}'`);
}
