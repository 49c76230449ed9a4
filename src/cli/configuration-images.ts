import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Gatehouse, getLabelImage, type Input } from '../client/index.js';
import type { Surroundings } from './command/command.js';
import type { Configuration } from './configuration-file.js';

const FOLDER = 'images';
/** Where a service has an image, as a pulled configuration says it: its last part is the digest of the image. */
const ASSET = /^asset:\/assets\/([^/]+)\/(logo|logo_dark|icon|icon_dark)\?v=([\w-]+)$/;
const ENDINGS: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

/**
 * The configuration with images as files beside it, so that another service can have them.
 * @param output the file of the configuration
 */
export async function withImages(
  configuration: Configuration,
  output: string,
  service: Gatehouse,
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

async function keepImage(value: string, folder: string, service: Gatehouse, around: Surroundings): Promise<string> {
  const [, ownerId, image, digest] = ASSET.exec(value) ?? [];
  if (ownerId === undefined || digest === undefined) return value;
  const asked = { ownerId, image: image as Input<typeof getLabelImage>['image'], v: digest };
  const answer = await getLabelImage(service, asked, { signal: around.signal });
  const name = `${FOLDER}/${digest}.${ENDINGS[answer.type] ?? 'image'}`;
  await mkdir(join(folder, FOLDER), { recursive: true });
  await writeFile(join(folder, name), Buffer.from(await answer.arrayBuffer()));
  return `image:${name}`;
}
