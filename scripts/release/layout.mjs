import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { compress, sha256 } from './layer.mjs';

/*
 * A folder in the form of the OCI Image Layout Specification 1.1: https://github.com/opencontainers/image-spec. Registries take the same
 * blobs, so whoever pushes changes no digest.
 */
const MEDIA = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
};
/** What a base may consist of: also layers as Docker calls them. */
const LAYERS = /^application\/vnd\.(oci\.image\.layer\.v1\.tar|docker\.image\.rootfs\.diff\.tar)(\+gzip|\.gzip)?$/;
const INDEXES = [MEDIA.index, 'application/vnd.docker.distribution.manifest.list.v2+json'];

/** Writes blobs by their digests, and at last the index that names the image. */
export class Layout {
  constructor(folder) {
    this.folder = folder;
    mkdirSync(join(folder, 'blobs', 'sha256'), { recursive: true });
  }

  /** @returns the descriptor of the blob (OCI Content Descriptors) */
  put(content, mediaType) {
    const hash = sha256(content);
    writeFileSync(join(this.folder, 'blobs', 'sha256', hash), content);
    return { mediaType, digest: `sha256:${hash}`, size: content.length };
  }

  putJson(value, mediaType) {
    return this.put(Buffer.from(JSON.stringify(value)), mediaType);
  }

  /** @param {Buffer} tar not compressed; its digest is what the configuration names (`diff_ids`) */
  async putLayer(tar, createdBy) {
    const descriptor = this.put(await compress(tar), MEDIA.layer);
    return { descriptor, diffId: `sha256:${sha256(tar)}`, unpacked: tar.length, createdBy };
  }

  /**
   * @param {object} image
   * @param {string} image.architecture
   * @param {object[]} image.layers as `putLayer` or a base gives them, the lowest first
   * @param {object} image.config `config` of the OCI Image Configuration
   * @param {Record<string, string>} image.annotations of the manifest
   * @param {string} image.created RFC 3339
   * @returns the descriptor for the index
   */
  putImage({ architecture, layers, config, annotations, created }) {
    const platform = { architecture, os: 'linux' };
    const described = {
      created,
      ...platform,
      config,
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
      history: layers.map(({ createdBy }) => ({ created, created_by: createdBy })),
    };
    const manifest = {
      schemaVersion: 2,
      mediaType: MEDIA.manifest,
      config: this.putJson(described, MEDIA.config),
      layers: layers.map(({ descriptor }) => descriptor),
      annotations,
    };
    return { ...this.putJson(manifest, MEDIA.manifest), platform };
  }

  /**
   * The image for several processors under one name, and the layout whole.
   * @returns {{ digest: string }} the descriptor of the image
   */
  finish(images, name, annotations) {
    const index = { schemaVersion: 2, mediaType: MEDIA.index, manifests: images, annotations };
    const image = this.putJson(index, MEDIA.index);
    const named = { ...image, annotations: { 'org.opencontainers.image.ref.name': name } };
    const entry = { schemaVersion: 2, mediaType: MEDIA.index, manifests: [named] };
    writeFileSync(join(this.folder, 'index.json'), JSON.stringify(entry));
    writeFileSync(join(this.folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    return image;
  }
}

/** Reads an image that another program, or an earlier run, has put into a layout. */
export class BaseImage {
  constructor(folder) {
    this.folder = folder;
    if (!existsSync(join(folder, 'oci-layout')))
      throw new Error(`${folder} is no OCI layout: it has no file oci-layout.`);
    const { manifests } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
    if (manifests.length !== 1)
      throw new Error(
        `${folder} contains ${manifests.length} images; a base is a layout of one (for several processors).`,
      );
    [this.entry] = manifests;
  }

  get digest() {
    return this.entry.digest;
  }

  get name() {
    return this.entry.annotations?.['org.opencontainers.image.ref.name'] ?? 'base';
  }

  /** A blob whose content is what its name says: the folder may come from anywhere. */
  blob({ digest }) {
    const [algorithm, hash] = digest.split(':');
    if (algorithm !== 'sha256' || !/^[0-9a-f]{64}$/.test(hash)) throw new Error(`${digest} is no SHA-256 digest.`);
    const content = readFileSync(join(this.folder, 'blobs', algorithm, hash));
    if (sha256(content) !== hash) throw new Error(`The blob ${digest} of ${this.folder} was changed.`);
    return content;
  }

  json(descriptor) {
    return JSON.parse(this.blob(descriptor).toString('utf8'));
  }

  manifestOf(architecture) {
    const all = (descriptor) =>
      INDEXES.includes(descriptor.mediaType) ? this.json(descriptor).manifests.flatMap(all) : [descriptor];
    const found = all(this.entry).find(
      ({ platform }) => platform === undefined || (platform.os === 'linux' && platform.architecture === architecture),
    );
    const manifest = found && this.json(found);
    if (!manifest || this.json(manifest.config).architecture !== architecture)
      throw new Error(`${this.folder} has no image for linux/${architecture}.`);
    return { manifest, config: this.json(manifest.config) };
  }

  /** The layers for a processor, the lowest first, copied into another layout. */
  layersInto(layout, architecture) {
    const { manifest, config } = this.manifestOf(architecture);
    return manifest.layers.map((descriptor, index) => {
      if (!LAYERS.test(descriptor.mediaType)) throw new Error(`A layer of the base is ${descriptor.mediaType}.`);
      const mediaType = descriptor.mediaType.includes('gzip') ? MEDIA.layer : MEDIA.layer.replace('+gzip', '');
      return {
        descriptor: layout.put(this.blob(descriptor), mediaType),
        diffId: config.rootfs.diff_ids[index],
        unpacked: this.tarOf(descriptor).length,
        createdBy: `base ${this.name}`,
      };
    });
  }

  tarOf(descriptor) {
    const content = this.blob(descriptor);
    return descriptor.mediaType.includes('gzip') ? gunzipSync(content) : content;
  }
}
