import type { TelemetryConfig } from '../config/config.js';
import { toPairs } from '../config/read-telemetry.js';

/** What the exporters are given; further settings they read themselves. */
export function exporterOptions(
  url: string,
  { headers, timeoutMs }: TelemetryConfig,
): { readonly url: string; readonly headers: Record<string, string>; readonly timeoutMillis: number } {
  return { url, headers: { ...toPairs(headers?.reveal() ?? '') }, timeoutMillis: timeoutMs };
}
