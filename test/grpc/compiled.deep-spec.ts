import { type FileRegistry, type JsonObject, toJson } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { GOOGLE_FILES, STANDARD_SERVICES } from '../../src/admin/kit/grpc/google-files.js';
import { collectOperations } from '../../src/admin/kit/grpc/known-operation.js';
import { describeProtos } from '../../src/admin/kit/grpc/proto-descriptors.js';
import { serviceProtos } from '../../src/admin/kit/grpc/service-protos.js';
import { startWorld } from '../support/world.js';
import { compileProtos } from './generated-client.js';

describe('proto/', () => {
  it("compiles, with an independent compiler, to exactly the descriptors of the running service's reflection", async () => {
    const world = await startWorld();
    const operations = collectOperations(world.get(ModulesContainer));
    await world.close();
    const files = [...GOOGLE_FILES, ...STANDARD_SERVICES, ...serviceProtos(operations, 'service')];
    const registry = describeProtos(files);
    const compiled = await compileProtos();
    for (const { path } of files) {
      expect(asJson(registry, path)).toEqual(asJson(compiled, path));
    }
  });
});

/** A descriptor without its comments. */
function asJson(files: FileRegistry, path: string): unknown {
  const { sourceCodeInfo: _, ...json } = toJson(FileDescriptorProtoSchema, files.getFile(path)!.proto, {
    registry: files,
  }) as JsonObject;
  return json;
}
