#!/usr/bin/env node
/**
 * Tries the store for exports and imports (src/migration/storage/s3-store.ts) with a real S3-compatible server, after `npm run build`:
 *
 *   AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… node scripts/s3-check.mjs http://127.0.0.1:9000 BUCKET [REGION]
 *
 * The bucket must be there. Files are written below `gatehouse-check/` and removed again. `npm test` does the same, and more, with a
 * server of its own; this one tests it with an independent server.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { DeleteObjectCommand, ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { OutboundConfig } from '../dist/foundation/config/config.js';
import { Secret } from '../dist/foundation/config/secret.js';
import { NameResolver } from '../dist/foundation/outbound/name-resolver.js';
import { OutboundAddresses } from '../dist/foundation/outbound/outbound-addresses.js';
import { endpointOf } from '../dist/migration/storage/s3-endpoint.js';
import { S3Store } from '../dist/migration/storage/s3-store.js';

const [endpoint, bucket, region = ''] = process.argv.slice(2);
const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) {
  console.error('AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… node scripts/s3-check.mjs ENDPOINT BUCKET [REGION]');
  process.exit(2);
}

const PART = 8_388_608;
const folder = `gatehouse-check/${randomUUID()}`;
const origin = new URL(endpoint).origin;
const addresses = new OutboundAddresses(Object.assign(new OutboundConfig(), { allow: [] }), new NameResolver());
const limits = { retries: 2, maxDelayMs: 500, silenceMs: 20_000 };
const client = new S3Client({
  endpoint: origin,
  region: region || 'us-east-1',
  forcePathStyle: true,
  credentials: { accessKeyId, secretAccessKey },
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});

async function open(over = {}) {
  const key = { id: accessKeyId, secret: new Secret(over.secret ?? secretAccessKey), sessionToken: undefined };
  const place = { kind: 's3', bucket: over.bucket ?? bucket, path: '', endpoint: origin, ssl: false, region, key };
  return S3Store.open(place, endpointOf(place, [origin]), addresses, limits);
}

const write = async (name, content, { signal = new AbortController().signal, ...over } = {}) =>
  (await open(over)).write(
    `${folder}/${name}`,
    Buffer.isBuffer(content) ? Readable.from(pieces(content)) : content,
    signal,
  );

async function read(name, over = {}) {
  const chunks = [];
  for await (const chunk of await (await open(over)).read(`${folder}/${name}`, new AbortController().signal))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

function* pieces(content, size = 65_536) {
  for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size);
}

async function names() {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: folder }));
  return Contents.map(({ Key }) => Key.slice(folder.length + 1)).sort();
}

const uploads = async () =>
  (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: folder }))).Uploads ?? [];
const reasonOf = (work) =>
  work.then(
    () => 'done',
    ({ reason, message }) => reason ?? message,
  );

const CHECKS = {
  'files of no, one and several parts come back byte for byte': async () => {
    for (const bytes of [0, 5, PART, PART + 1, 2 * PART + 1_000]) {
      const content = randomBytes(bytes);
      await write(`of-${bytes}`, content);
      assert.ok((await read(`of-${bytes}`)).equals(content), `${bytes} bytes`);
    }
  },
  'names are taken as they stand': async () => {
    for (const name of ['a?b=1', 'a#b', '%2e%2e', 'ä ö/ü&name=y+z', "(it's)*!"]) {
      await write(name, Buffer.from(name));
      assert.equal((await read(name)).toString(), name);
      assert.ok((await names()).includes(name), name);
    }
  },
  'a file that is there is not replaced': async () => {
    await write('first', Buffer.from('the first'));
    assert.equal(await reasonOf(write('first', Buffer.from('the second'))), 'store.object_exists');
    assert.equal((await read('first')).toString(), 'the first');
  },
  'nor one that comes while another is written, in one piece or in parts': async () => {
    for (const bytes of [10, 2 * PART + 5]) {
      const name = `raced-${bytes}`;
      async function* slow() {
        yield* pieces(randomBytes(bytes));
        await write(name, Buffer.from('the first'));
      }
      assert.equal(await reasonOf(write(name, slow())), 'store.object_exists', `${bytes} bytes`);
      assert.equal((await read(name)).toString(), 'the first');
    }
    assert.deepEqual(await uploads(), []);
  },
  'nothing is left of what is given up, or whose source fails': async () => {
    const stop = new AbortController();
    async function* long() {
      for (let count = 0; ; count += 1) {
        if (count === 300) stop.abort(new Error('given up'));
        yield randomBytes(65_536);
      }
    }
    async function* failing() {
      yield* pieces(randomBytes(PART + 5));
      throw new Error('the source failed');
    }
    assert.equal(await reasonOf(write('given-up', long(), { signal: stop.signal })), 'given up');
    assert.equal(await reasonOf(write('failed', failing())), 'the source failed');
    assert.deepEqual(
      (await names()).filter((name) => /given-up|failed/.test(name)),
      [],
    );
    assert.deepEqual(await uploads(), []);
  },
  'what is wrong is named': async () => {
    assert.equal(await reasonOf(read('none')), 'store.object_not_found');
    assert.equal(
      await reasonOf(write('x', Buffer.from('x'), { bucket: 'gatehouse-no-such-bucket' })),
      'store.bucket_not_found',
    );
    assert.match(
      await reasonOf(read('first', { secret: 'wrong' })),
      /^store\.(credentials_refused|reading_forbidden)$/,
    );
    assert.match(
      await reasonOf(write('x', Buffer.from('x'), { secret: 'wrong' })),
      /^store\.(credentials_refused|writing_forbidden)$/,
    );
  },
};

let failed = 0;
for (const [title, check] of Object.entries(CHECKS)) {
  const problem = await check().then(
    () => undefined,
    (error) => error,
  );
  if (problem) failed += 1;
  console.log(`${problem ? 'FAILED' : 'ok'}  ${title}${problem ? `\n        ${problem.message}` : ''}`);
}
for (const name of await names())
  await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: `${folder}/${name}` }));
console.log(`${Object.keys(CHECKS).length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
