import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createFileRegistry, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

/**
 * Writes into the folder, as modules of JavaScript, what buf and protoc-gen-es make of the committed .proto files.
 * @throws Error with what the compiler said
 */
export async function generateClient(folder: string): Promise<void> {
  const template = {
    version: 'v2',
    plugins: [
      {
        local: [process.execPath, path('node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es')],
        out: folder,
        opt: ['target=js', 'import_extension=js'],
      },
    ],
  };
  await buf(folder, 'generate', path('proto'), '--template', JSON.stringify(template));
}

/** The committed .proto files, as buf reads them. @throws Error with what the compiler said */
export async function compileProtos(): Promise<FileRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-proto-'));
  try {
    const image = join(folder, 'image.binpb');
    await buf(folder, 'build', path('proto'), '--as-file-descriptor-set', '--output', image);
    return createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(image)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * What a program that knows our services from reflection alone prints for a call; `method` absent: the names of all
 * methods.
 * @throws Error with what it said
 */
export async function callByReflection(origin: string, token: string, method = '', message = '{}'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-proto-'));
  try {
    const what = method === '' ? ['--list-methods', origin] : ['--data', message, `${origin}/${method}`];
    return await buf(
      folder,
      'curl',
      '--protocol',
      'grpc',
      '--http2-prior-knowledge',
      '--header',
      `authorization: Bearer ${token}`,
      ...what,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `cache`: where the compiler may keep what it likes, so that nothing is left at home. */
async function buf(cache: string, ...values: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path('node_modules/@bufbuild/buf/bin/buf'), ...values],
    { env: { ...process.env, BUF_CACHE_DIR: cache } },
  );
  return stdout;
}
