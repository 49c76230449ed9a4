import { deadlinePassed } from './grpc.errors.js';
import type { KnownOperation } from './known-operation.js';

/** No call takes longer; a larger value is a mistake of the client. */
export const MAX_TIMEOUT_MS = 3_600_000;
/** The limit for callers without a token, such as the requests of reflection and health, which are short. */
export const MAX_QUESTION_BYTES = 4_096;
/** Several times as many as the largest request needs; decoding them takes some hundredths of a second. */
const MAX_FIELDS = 10_000;
/** The limit for documents of a migration, which consist of many small entries. */
const MAX_DOCUMENT_FIELDS = 200_000;

/** How many fields the message of an operation may have, those inside it included. */
export function maxFieldsOf(operation: KnownOperation | undefined): number {
  return operation?.facts.streams === 'both' ? MAX_DOCUMENT_FIELDS : MAX_FIELDS;
}

/** @throws DomainError DeadlineExceeded if the work takes longer; it runs to its end */
export async function within<Result>(work: Promise<Result>, deadline: number): Promise<Result> {
  if (!Number.isFinite(deadline)) return work;
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(deadlinePassed()), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([work, passed]);
  } finally {
    clearTimeout(timer);
  }
}

/** Every value of each header, also where the library keeps only the first. */
export function headersOf(raw: readonly string[]): NodeJS.Dict<string[]> {
  const headers: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (let index = 0; index + 1 < raw.length; index += 2)
    (headers[raw[index]!.toLowerCase()] ??= []).push(raw[index + 1]!);
  return headers;
}
