import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

/**
 * Writes into the folder, as modules of JavaScript, what buf and protoc-gen-es make of the committed .proto files.
 * @throws Error with what the compiler said
 */
export async function generateClient(folder: string): Promise<void> {
  const template = {
    version: 'v2',
    plugins: [{ local: [process.execPath, path('node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es')], out: folder, opt: ['target=js', 'import_extension=js'] }],
  };
  await promisify(execFile)(process.execPath, [path('node_modules/@bufbuild/buf/bin/buf'), 'generate', path('proto'), '--template', JSON.stringify(template)], {
    env: { ...process.env, BUF_CACHE_DIR: folder }, // and nothing is left at home
  });
}
