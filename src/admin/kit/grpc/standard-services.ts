import type { DescService, FileRegistry } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter, type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import type { Readiness, ReadinessCondition } from '../../../foundation/health/readiness.js';
import { withImports } from './proto-descriptors.js';

const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

const SERVING = 1;
const NOT_SERVING = 2;
const SERVICE_UNKNOWN = 3;
/** How often watchers check for a change. */
const WATCH_MS = 2_000;
/** After this time the stream ends, and the watcher opens another one. */
const WATCH_LIMIT_MS = 600_000;

type Plain = Record<string, unknown>;

/** The health of the service, for gRPC load balancers. */
export function serveHealth(
  router: ConnectRouter,
  registry: FileRegistry,
  readiness: Readiness,
  services: readonly string[],
): void {
  const isKnown = (service: unknown): boolean => service === '' || services.includes(service as string);
  const toStatus = (condition: ReadinessCondition): number => (condition === 'ok' ? SERVING : NOT_SERVING);
  serve(router, registry, 'grpc.health.v1.Health', {
    check: async ({ service }: Plain) => {
      if (!isKnown(service)) throw new ConnectError('The service does not exist.', Code.NotFound);
      return { status: toStatus(await readiness.condition()) };
    },
    watch: async function* ({ service }: Plain, { signal }: HandlerContext) {
      let sent: number | undefined;
      for (let waited = 0; waited < WATCH_LIMIT_MS && !signal.aborted; waited += WATCH_MS) {
        const condition = await readiness.condition();
        const status = isKnown(service) ? toStatus(condition) : SERVICE_UNKNOWN;
        if (status !== sent) yield { status };
        sent = status;
        if (condition === 'draining') return; // or else the shutdown would wait for the watchers
        await pause(WATCH_MS, signal);
      }
      signal.throwIfAborted(); // a deadline is not a normal end of the stream
    },
  });
}

/** Server reflection, for tools without .proto files: both versions, since tools use either. */
export function serveReflection(router: ConnectRouter, registry: FileRegistry, services: readonly string[]): void {
  const answer = (question: Plain): Plain => ({
    validHost: question['host'],
    originalRequest: question,
    messageResponse: answerTo(registry, services, question['messageRequest'] as Question),
  });
  for (const version of ['v1', 'v1alpha']) {
    serve(router, registry, `grpc.reflection.${version}.ServerReflection`, {
      serverReflectionInfo: async function* (questions: AsyncIterable<Plain>) {
        for await (const question of questions) yield answer(question);
      },
    });
  }
}

interface Question {
  readonly case: string | undefined;
  readonly value?: unknown;
}

function answerTo(registry: FileRegistry, services: readonly string[], { case: asked, value }: Question): Plain {
  switch (asked) {
    case 'listServices':
      return { case: 'listServicesResponse', value: { service: services.map((name) => ({ name })) } };
    case 'fileByFilename':
      return files(registry, registry.getFile(String(value))?.proto.name);
    case 'fileContainingSymbol':
      return files(registry, fileOf(registry, String(value)));
    case 'fileContainingExtension': {
      const { containingType, extensionNumber } = value as { containingType: string; extensionNumber: number };
      return files(
        registry,
        [...registry].find(
          (one) =>
            one.kind === 'extension' && one.extendee.typeName === containingType && one.number === extensionNumber,
        )?.name,
      );
    }
    case 'allExtensionNumbersOfType': {
      const numbers = [...registry].flatMap((one) =>
        one.kind === 'extension' && one.extendee.typeName === value ? [one.number] : [],
      );
      return { case: 'allExtensionNumbersResponse', value: { baseTypeName: value, extensionNumber: numbers } };
    }
    default:
      return problem(UNIMPLEMENTED, 'This reflection request is not supported.');
  }
}

/** A message, an enumeration, a service, or a method of one. */
function fileOf(registry: FileRegistry, symbol: string): string | undefined {
  const found = registry.get(symbol) ?? registry.getService(symbol.slice(0, Math.max(symbol.lastIndexOf('.'), 0)));
  return found?.file.proto.name;
}

function files(registry: FileRegistry, path: string | undefined): Plain {
  if (path === undefined) return problem(NOT_FOUND, 'The file or symbol does not exist.');
  return {
    case: 'fileDescriptorResponse',
    value: { fileDescriptorProto: [...withImports(registry, path).values()].reverse() },
  };
}

function problem(errorCode: number, errorMessage: string): Plain {
  return { case: 'errorResponse', value: { errorCode, errorMessage } };
}

function serve(router: ConnectRouter, registry: FileRegistry, name: string, methods: Record<string, unknown>): void {
  const service = registry.getService(name);
  if (!service) throw new Error(`The service ${name} does not exist.`);
  router.service(service, methods as Partial<ServiceImpl<DescService>>);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end, { once: true });
  });
}
