/*
 * Makes a base for the image of Debian's packages, for both processors, as an OCI layout: node scripts/release/base.mjs <folder>.
 * mmdebstrap unpacks them and runs none of their scripts, so it needs neither a container nor a processor of the other kind. It has to run as root.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar-stream';
import { PROCESSORS } from './image.mjs';
import { archive } from './layer.mjs';
import { Layout } from './layout.mjs';

const SUITE = 'bookworm';
/** What Node needs, the init, the shells of the health check and of whoever looks around, and the time zones. */
const PACKAGES = [
  'base-files',
  'bash',
  'coreutils',
  'dash',
  'libc6',
  'libgcc-s1',
  'libstdc++6',
  'netbase',
  'tini',
  'tzdata',
];
/** What says of which packages it is made, as scanners of images read it where dpkg itself is missing. */
const LISTED =
  'mkdir "$1/var/lib/dpkg/status.d"; for deb in "$1"/var/cache/apt/archives/*.deb; do ' +
  'dpkg-deb --field "$deb" > "$1/var/lib/dpkg/status.d/$(dpkg-deb --field "$deb" Package)"; done';
/** Where it was fetched from, what only dpkg and readers need, and devices, which the container's own folder hides. */
const LEFT_OUT =
  /^(boot|dev|proc|sys|tmp|run|home|media|mnt|opt|srv)\/.|^etc\/(apt|cron|systemd)|^var\/(cache|log|backups)\/.|^var\/lib\/(apt|dpkg\/(?!status\.d))|^usr\/share\/(man|locale|info|perl5|lintian|bash-completion|menu|pixmaps|gdb|gcc|debconf|doc\/(?!.*\/?copyright$|[^/]+$))/;
/** Of the accounts of Debian those that this image has use for, and the one that it runs as. */
const ACCOUNTS = [
  [
    'etc/passwd',
    'root:x:0:0:root:/root:/bin/bash\nnode:x:1000:1000::/home/node:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n',
  ],
  ['etc/group', 'root:x:0:\nnode:x:1000:\nnogroup:x:65534:\n'],
];

const [target] = process.argv.slice(2);
if (target === undefined) {
  console.error('Usage: node scripts/release/base.mjs <folder>');
  process.exit(2);
}
const epoch = Number(
  process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }),
);
const date = new Date(epoch * 1000);
const created = `${date.toISOString().slice(0, 19)}Z`;
rmSync(target, { recursive: true, force: true });
const layout = new Layout(target);
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-base-'));
try {
  const images = [];
  for (const { architecture } of PROCESSORS) {
    const tar = join(scratch, `${architecture}.tar`);
    debian(architecture, tar);
    const layer = await layout.putLayer(
      await archive(await entriesIn(tar), date),
      `${SUITE} of Debian: ${PACKAGES.join(' ')}`,
    );
    images.push(layout.putImage({ architecture, layers: [layer], config: {}, annotations: {}, created }));
    console.log(`${architecture}: ${layer.descriptor.digest}, ${(layer.descriptor.size / 1e6).toFixed(1)} MB`);
  }
  console.log(`${target}: ${layout.finish(images, `debian-${SUITE}`, {}).digest}`);
} finally {
  rmSync(scratch, { recursive: true });
}

function debian(architecture, tar) {
  execFileSync(
    'mmdebstrap',
    [
      ...[
        '--mode=root',
        '--variant=extract',
        `--architectures=${architecture}`,
        `--include=${PACKAGES.join(',')}`,
        '--quiet',
      ],
      ...[
        '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr',
        `--extract-hook=${LISTED}`,
        '--skip=output/dev',
        SUITE,
        tar,
      ],
    ],
    { env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
}

/** What is in an archive, but for what is left out. */
async function entriesIn(tar) {
  const entries = ACCOUNTS.map(([name, content]) => ({ name, type: 'file', content }));
  entries.push({ name: 'dev', type: 'directory', mode: 0o755 });
  const reader = extract();
  reader.end(readFileSync(tar));
  for await (const entry of reader) {
    const { name: path, type, mode, linkname, uid, gid } = entry.header;
    const name = path.replace(/^\.?\/+|\/+$/g, '');
    const chunks = [];
    for await (const chunk of entry) chunks.push(chunk);
    if (name === '' || LEFT_OUT.test(name)) continue;
    const target = linkname && type === 'link' ? linkname.replace(/^\.\//, '') : linkname;
    entries.push({
      name,
      type,
      mode,
      uid,
      gid,
      ...(target && { linkname: target }),
      ...(type === 'file' && { content: Buffer.concat(chunks) }),
    });
  }
  return entries;
}
