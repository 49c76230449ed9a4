import {
  createFileRegistry,
  type FileRegistry,
  fromBinary,
  fromJson,
  type JsonObject,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { type GrpcClient, methodsOf } from './grpc-clients.js';

/** A tool that was given nothing but the address, as grpcurl works: it asks what there is, and which files say so. */
export class ReflectingTool {
  private readonly files = new Map<string, FileDescriptorProto>();

  constructor(
    private readonly client: GrpcClient,
    private readonly version: 'v1' | 'v1alpha',
    private readonly metadata: Readonly<Record<string, string>> = {},
  ) {}

  async services(): Promise<string[]> {
    const { listServicesResponse } = await this.ask({ listServices: '*' });
    return (listServicesResponse as { service: ReadonlyArray<{ name: string }> }).service.map(({ name }) => name);
  }

  /** Calls a method by its name with a message in JSON. */
  async call(service: string, method: string, message: JsonObject): Promise<unknown> {
    await this.learn({ fileContainingSymbol: service });
    const registry = this.registry();
    const { input, output } = registry.getService(service)!.methods.find(({ name }) => name === method)!;
    const outcome = await this.client.callBytes(
      `/${service}/${method}`,
      Buffer.from(toBinary(input, fromJson(input, message))),
      this.metadata,
    );
    return outcome.bytes ? toJson(output, fromBinary(output, outcome.bytes)) : outcome;
  }

  registry(): FileRegistry {
    return createFileRegistry({ $typeName: 'google.protobuf.FileDescriptorSet', file: this.inOrder() });
  }

  /** The file that answers the question, and by name whatever it imports that has not come along. */
  async learn(question: object): Promise<void> {
    const { fileDescriptorResponse } = await this.ask(question);
    const found = (fileDescriptorResponse as { fileDescriptorProto: readonly Buffer[] }).fileDescriptorProto.map(
      (bytes) => fromBinary(FileDescriptorProtoSchema, bytes),
    );
    for (const file of found) this.files.set(file.name, file);
    for (const name of found.flatMap(({ dependency }) => dependency))
      if (!this.files.has(name)) await this.learn({ fileByFilename: name });
  }

  private async ask(question: object): Promise<Readonly<Record<string, unknown>>> {
    const [answer] = await this.client.ask(
      methodsOf(`grpc.reflection.${this.version}.ServerReflection`)['ServerReflectionInfo']!,
      question,
    );
    return answer!;
  }

  /** Each after what it imports. */
  private inOrder(
    found = new Set<FileDescriptorProto>(),
    names: Iterable<string> = this.files.keys(),
  ): FileDescriptorProto[] {
    for (const file of [...names].map((name) => this.files.get(name)!)) {
      if (found.has(file)) continue;
      this.inOrder(found, file.dependency);
      found.add(file);
    }
    return [...found];
  }
}
