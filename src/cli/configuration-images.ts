import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Surroundings } from './command/command.js';
import type { Configuration } from './configuration-file.js';
import type { RemoteApi } from './remote-api.js';

const FOLDER = 'images';
/** Where a service has an image, as a pulled configuration says it: its last part is the digest of the image. */
const ASSET = /^asset:(\/assets\/.+\?v=([\w-]+))$/;
const ENDINGS: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

/**
 * The configuration with images as files beside it, so that another service can have them.
 * @param output the file of the configuration
 */
export async function withImages(
  configuration: Configuration,
  output: string,
  service: RemoteApi,
  around: Surroundings,
): Promise<Configuration> {
  const keep = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return keepImage(value, dirname(output), service, around);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const entries: Array<readonly [string, unknown]> = [];
    for (const [name, inner] of Object.entries(value)) entries.push([name, await keep(inner)]);
    return Object.fromEntries(entries);
  };
  return (await keep(configuration)) as Configuration;
}

async function keepImage(value: string, folder: string, service: RemoteApi, around: Surroundings): Promise<string> {
  const [, path, digest] = ASSET.exec(value) ?? [];
  if (path === undefined || digest === undefined) return value;
  const answer = await service.open({ method: 'GET', path, signal: around.signal });
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  const name = `${FOLDER}/${digest}.${ENDINGS[answer.headers['content-type'] ?? ''] ?? 'image'}`;
  await mkdir(join(folder, FOLDER), { recursive: true });
  await writeFile(join(folder, name), Buffer.concat(chunks));
  return `image:${name}`;
}
