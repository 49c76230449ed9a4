/** As the W3C's Trace Context has it: version, trace, span and flags. A later version may have more after a hyphen. */
const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/;

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** What the header `traceparent` says; undefined if it is malformed, or sent more than once. */
export function readTraceParent(values: readonly string[] | undefined): TraceParent | undefined {
  if (values?.length !== 1) return undefined;
  const [, version, traceId, spanId, flags, more] = FORM.exec(values[0]!) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
