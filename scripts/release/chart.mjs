import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archive, compress, entriesOf } from './layer.mjs';

/**
 * Packs a Helm chart as `helm package` does, with the times of the release.
 * @throws Error if the chart is of another version
 */
export async function packChart(folder, target, version, date) {
  const chart = readFileSync(join(folder, 'Chart.yaml'), 'utf8');
  const [name, ...versions] = ['name', 'version', 'appVersion'].map(
    (field) => new RegExp(`^${field}: "?([^"\\n]*)"?$`, 'm').exec(chart)?.[1],
  );
  if (versions.some((one) => one !== version))
    throw new Error(`The chart is of ${versions.join(', ')}, and the release of ${version}.`);
  // Helm takes files alone.
  const files = entriesOf(folder, name).filter(({ type }) => type === 'file');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, `${name}-${version}.tgz`), await compress(await archive(files, date)));
}
