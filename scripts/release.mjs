import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { licences } from './licences.mjs';
import { packChart } from './release/chart.mjs';
import { CHECKSUMS, checksums, filesOf } from './release/checksums.mjs';
import { LIMIT_MB, PROCESSORS, writeImage } from './release/image.mjs';
import { sha256 } from './release/layer.mjs';
import { isDated, notesOf } from './release/notes.mjs';
import { npm } from './release/npm.mjs';
import { material, provenance } from './release/provenance.mjs';
import { envelope, fingerprint, readKey, signed } from './release/signature.mjs';

/*
 * Everything that a release consists of, into dist/release: docs/releasing.md. It publishes nothing: the accounts are not those of this program.
 */
const root = join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    base: { type: 'string' },
    key: { type: 'string' },
    builder: { type: 'string', default: 'urn:gatehouse:builder:unnamed' },
    source: { type: 'string' },
    out: { type: 'string', default: join(root, 'dist', 'release') },
  },
});
const { version } = readJson('package.json');
const out = options.out;

if (!options['dry-run']) {
  console.error(`This program publishes nothing. Make the release with --dry-run, verify it, and then run, with your own accounts:

  git tag --sign v${version}
  for package in dist/release/npm/*.tgz; do npm publish "$package"; done
  skopeo copy --all oci:dist/release/image:${version} docker://REGISTRY/gatehouse:${version}
  helm push dist/release/chart/gatehouse-${version}.tgz oci://REGISTRY/charts

and upload the rest of dist/release beside the notes of the release (docs/releasing.md).`);
  process.exit(1);
}

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-release-'));
try {
  await release();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function release() {
  const key = options.key === undefined ? undefined : readKey(options.key);
  const commit = commitOf();
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  if (!commit.isClean) console.log('The working tree has changes that no commit has: this is for looking at only.');
  if (!isDated(changelog, version))
    console.log(`CHANGELOG.md has no date for ${version}: this is for looking at only.`);
  await step('build', () => ensureBuilt());
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });

  await step('npm packages', packNpm);
  const image = await step('image', () =>
    writeImage({ root, folder: join(out, 'image'), scratch, version, ...commit, base: options.base }),
  );
  describe(image);
  await step('chart', () => packChart(join(root, 'deploy/helm/gatehouse'), join(out, 'chart'), version, commit.date));
  await step('lists', async () => {
    writeFileSync(join(out, 'sbom.cdx.json'), await sbom(commit.date));
    writeLicences();
    const facts = { image: image.digest, key: key && fingerprint(key), source: options.source };
    writeFileSync(join(out, 'NOTES.md'), notesOf(changelog, version, facts));
  });
  writeStatements(image, commit, key);
  const files = filesOf(out);
  writeFileSync(join(out, CHECKSUMS), checksums(files));
  if (key) writeFileSync(join(out, `${CHECKSUMS}.sig`), signed(key, checksums(files)));
  console.log(`${out}: ${files.length} files${key ? `, signed by ${fingerprint(key)}` : ', not signed (--key)'}`);
}

/** The commit, and its time, which all that is made wears. */
function commitOf() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  return {
    revision: git('rev-parse', 'HEAD'),
    date: new Date(Number(process.env.SOURCE_DATE_EPOCH ?? git('log', '-1', '--format=%ct')) * 1000),
    isClean: git('status', '--porcelain') === '',
  };
}

async function packNpm() {
  const folder = join(out, 'npm');
  mkdirSync(folder);
  await npm(root, 'pack', '--workspaces', '--include-workspace-root', `--pack-destination=${folder}`);
}

/** What is compressed is what is fetched; a base that is missing is said, and has no part in the limit. */
function describe({ digest, images, base }) {
  console.log(
    `image ${digest}, on ${base ? `${base.name} ${base.digest}` : 'no base (--base): it cannot be started by itself'}`,
  );
  for (const { architecture, layers } of images) {
    const sum = (of) => layers.reduce((all, layer) => all + of(layer), 0) / 1e6;
    const [compressed, unpacked] = [sum(({ descriptor }) => descriptor.size), sum((layer) => layer.unpacked)];
    console.log(
      `  ${architecture}: ${compressed.toFixed(1)} MB to fetch (at most ${LIMIT_MB}), ${unpacked.toFixed(1)} MB unpacked`,
    );
    for (const { descriptor, createdBy } of layers)
      console.log(`    ${descriptor.digest} ${(descriptor.size / 1e6).toFixed(1)} MB, ${createdBy}`);
    if (compressed > LIMIT_MB) throw new Error(`The image for ${architecture} is larger than ${LIMIT_MB} MB.`);
  }
}

/** CycloneDX as npm makes it of the lock file, with a time and a number that depend on the content alone. */
async function sbom(date) {
  // What is bundled is a development dependency there, so all of them are named.
  const document = JSON.parse(await npm(root, 'sbom', '--sbom-format=cyclonedx', '--package-lock-only'));
  if (document.components.length === 0) throw new Error('npm sbom names no package.');
  delete document.serialNumber;
  document.metadata.timestamp = date.toISOString();
  // RFC 9562 §5.8: the other bits of such a UUID are for whoever makes it.
  const uuid = sha256(JSON.stringify(document)).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  return JSON.stringify({ ...document, serialNumber: `urn:uuid:${uuid}` }, undefined, 2);
}

/** Of all packages that the release was made with; the texts of those that are bundled are in one file, those of the others beside them in the image. */
function writeLicences() {
  const lines = new Set(licences().map(({ name, version: its, stated }) => [name, its, stated].join('\t')));
  writeFileSync(join(out, 'licences.tsv'), `package\tversion\tlicence\n${[...lines].sort().join('\n')}\n`);
  copyFileSync(join(root, 'lib/THIRD-PARTY.txt'), join(out, 'THIRD-PARTY.txt'));
  copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
}

function writeStatements({ digest, base }, { revision }, key) {
  const blobs = /^image\/blobs\//;
  const subjects = filesOf(out).filter(
    ({ name }) => !blobs.test(name) || name.endsWith(digest.slice('sha256:'.length)),
  );
  const runtime = readJson('scripts/release/runtime/package-lock.json').packages;
  const materials = [
    ...PROCESSORS.map(({ cpu }) => material(`node-linux-${cpu}`, runtime[`node_modules/node-linux-${cpu}`])),
    ...(base ? [{ uri: `oci:${base.name}`, digest: { sha256: base.digest.slice('sha256:'.length) } }] : []),
  ];
  const statement = JSON.stringify(
    provenance({
      subjects,
      revision,
      builder: options.builder,
      parameters: { version, base: base?.digest ?? null },
      materials,
    }),
    undefined,
    2,
  );
  writeFileSync(join(out, 'provenance.json'), statement);
  if (key) writeFileSync(join(out, 'provenance.dsse.json'), JSON.stringify(envelope(key, statement)));
}

async function step(name, work) {
  const began = performance.now();
  const result = await work();
  console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return result;
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
