import { randomBytes } from 'node:crypto';
import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { get, postJson, traffic } from './connection.mjs';

const PROTO = new URL('../../proto/', import.meta.url).pathname;
const SERVICE = 'service.management.v1.ManagementService';
const PREFIX_BYTES = 5;
const TRAILERS = 0x80;

/** How many projects a page holds. */
export const PAGE = 100;

/** Operations that each face is asked for: the same message, and the same look at the answer. */
export const OPERATIONS = {
  'read one': {
    method: 'GetProjectByID',
    messageOf: ({ projectId }) => ({ id: projectId }),
    jsonOf: (origin, { id }, headers) => get(origin, `/management/v1/projects/${id}`, headers),
    isExpected: ({ project }, { id }) => project?.id === id,
  },
  'read a page': {
    method: 'ListProjects',
    messageOf: () => ({ query: { limit: PAGE } }),
    jsonOf: (origin, message, headers) => postJson(origin, '/management/v1/projects/_search', message, headers),
    isExpected: ({ result }) => result?.length === PAGE,
  },
  'add one': {
    method: 'AddProject',
    messageOf: () => ({ name: `bench-${randomBytes(9).toString('hex')}` }), // a new one each time
    jsonOf: (origin, message, headers) => postJson(origin, '/management/v1/projects', message, headers),
    isExpected: ({ id, details }) => Boolean(id) && Number(details?.sequence) > 0,
  },
};

/** The ways to ask, each with a connection of its own for every virtual client. */
export const FACES = { JSON: overJson, gRPC: overGrpc, 'gRPC-web': overGrpcWeb };

/** @returns {Record<string, Scenario>} by `operation, face` */
export function faceScenarios() {
  const pairs = Object.keys(OPERATIONS).flatMap((operation) => Object.keys(FACES).map((face) => [operation, face]));
  return Object.fromEntries(
    pairs.map(([operation, face]) => [
      `${operation}, ${face}`,
      { client: async (target, _, connection) => clientOf(OPERATIONS[operation], FACES[face], target, connection) },
    ]),
  );
}

function clientOf(operation, face, target, connection) {
  const ask = face(operation, target, connection);
  return async () => {
    const message = operation.messageOf(target);
    const answer = await ask(message);
    if (!operation.isExpected(answer, message))
      throw new Error(`unexpected answer to ${operation.method}: ${JSON.stringify(answer).slice(0, 400)}`);
  };
}

function overJson({ jsonOf }, { token }, connection) {
  const headers = { Authorization: `Bearer ${token}` };
  return async (message) => {
    const answer = await connection.request(jsonOf(connection.origin, message, headers));
    if (answer.status !== 200) throw new Error(`unexpected answer ${answer.status}: ${answer.text().slice(0, 400)}`);
    return answer.json();
  };
}

/** As a program would: `@grpc/grpc-js` over HTTP/2 without TLS. */
function overGrpc({ method }, { token }, connection) {
  const { path, requestSerialize, responseDeserialize } = methodOf(method);
  const client = new grpc.Client(connection.origin.host, grpc.credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  const metadata = new grpc.Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  return (message) => {
    traffic.requests += 1;
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, metadata, (error, answer) =>
        error ? reject(error) : resolve(answer),
      );
    });
  };
}

/** As a browser would, on the connection that JSON has. */
function overGrpcWeb({ method }, { token }, connection) {
  const { path, requestSerialize, responseDeserialize } = methodOf(method);
  const head =
    `POST ${path} HTTP/1.1\r\nHost: ${connection.origin.host}\r\nContent-Type: application/grpc-web+proto\r\nX-Grpc-Web: 1\r\n` +
    `Authorization: Bearer ${token}\r\nContent-Length: `;
  return async (message) => {
    const bytes = requestSerialize(message);
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(bytes.length, 1);
    const answer = await connection.request(
      Buffer.concat([Buffer.from(`${head}${PREFIX_BYTES + bytes.length}\r\n\r\n`), prefix, bytes]),
    );
    return responseDeserialize(messageIn(answer));
  };
}

/** @throws Error unless a message came, and after it the status 0 */
function messageIn(answer) {
  const { body } = answer;
  const length = body.length >= PREFIX_BYTES && body[0] === 0 ? body.readUInt32BE(1) : NaN;
  const rest = body.subarray(PREFIX_BYTES + length);
  if (answer.status !== 200 || rest[0] !== TRAILERS || !/^grpc-status:\s*0\r?$/m.test(rest.latin1Slice(PREFIX_BYTES))) {
    throw new Error(`unexpected answer ${answer.status}: ${answer.head.slice(0, 400)} ${answer.text().slice(0, 400)}`);
  }
  return body.subarray(PREFIX_BYTES, PREFIX_BYTES + length);
}

let loaded;

function methodOf(name) {
  loaded ??= loadSync('service/management/v1/management.proto', {
    includeDirs: [PROTO],
    longs: String,
    enums: String,
    defaults: true,
  });
  return loaded[SERVICE][name];
}
