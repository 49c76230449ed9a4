import type { LoggerService } from '@nestjs/common';
import { type Logger as Pino, pino } from 'pino';
import type { LogConfig } from '../config/config.js';
import { runningSpan } from '../trace/span.js';
import { errorFields } from './error-fields.js';
import { prettyStream } from './pretty.js';
import { runningExtension } from './running-extension.js';

/** Fields of a log line. Never a secret: the types that hold one print `[secret]`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Limits what a caller wrote, wherever it ends up in the log (OPS-008). */
const MAX_FIELD_CHARACTERS = 500;
const MAX_REASONS = 1_000;

/** Takes whole lines, each with its line feed. */
export interface LogDestination {
  write(line: string): void;
}

/** Structured log lines: JSON in production, readable on a terminal. */
export class Logger implements LoggerService {
  private readonly pino: Pino;
  /** How often each reason was logged, for metrics. Reasons are words of ours, and few. */
  readonly reasons = new Map<string, number>();

  constructor(config: LogConfig, destination?: LogDestination) {
    const options = { level: config.level, base: null, serializers: { err: errorFields } };
    const stream = destination ?? (config.format === 'pretty' ? prettyStream() : undefined);
    this.pino = stream ? pino(options, stream) : pino(options);
  }

  debug(fields: LogFields | string, message?: string): void {
    this.write('debug', fields, message);
  }

  info(fields: LogFields | string, message?: string): void {
    this.write('info', fields, message);
  }

  warn(fields: LogFields | string, message?: string): void {
    this.write('warn', fields, message);
  }

  error(fields: LogFields | string, message?: string): void {
    this.write('error', fields, message);
  }

  /** Nest's own lines about modules and routes: of interest to who debugs the wiring. */
  log(message: unknown): void {
    this.pino.debug(String(message));
  }

  private write(level: 'debug' | 'info' | 'warn' | 'error', fields: LogFields | string, message?: string): void {
    const reason = typeof fields === 'string' ? undefined : fields['reason'];
    if (typeof reason === 'string' && (this.reasons.has(reason) || this.reasons.size < MAX_REASONS))
      this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    const circumstances = circumstancesOfLine();
    if (typeof fields === 'string') this.pino[level](circumstances, fields);
    else this.pino[level](cut({ ...circumstances, ...fields }), message);
  }
}

/** The extension whose code runs, and the trace that the line belongs to. */
function circumstancesOfLine(): LogFields {
  const [extension, span] = [runningExtension(), runningSpan()];
  const trace = span && { trace_id: span.traceId, span_id: span.spanId, trace_flags: span.isSampled ? '01' : '00' };
  return extension === undefined ? { ...trace } : { extension, ...trace };
}

function cut(fields: LogFields): LogFields {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' && value.length > MAX_FIELD_CHARACTERS
      ? `${value.slice(0, MAX_FIELD_CHARACTERS)}…`
      : value,
  ]);
  return Object.fromEntries(entries) as LogFields;
}
