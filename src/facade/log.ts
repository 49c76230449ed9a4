import { Logger } from '../foundation/log/logger.js';

/** Fields of a log line. Never put a secret into one, nor what was typed. @public */
export type LogFields = Readonly<Record<string, unknown>>;

/** The log of the product: JSON in production. Inject it by this class. @public */
export abstract class Log {
  abstract debug(fields: LogFields, message: string): void;
  abstract info(fields: LogFields, message: string): void;
  abstract warn(fields: LogFields, message: string): void;
  abstract error(fields: LogFields, message: string): void;
}

/** The façade over the product's own log. */
export class SharedLog extends Log {
  constructor(private readonly log: Logger) {
    super();
  }

  override debug(fields: LogFields, message: string): void {
    this.log.debug(fields, message);
  }

  override info(fields: LogFields, message: string): void {
    this.log.info(fields, message);
  }

  override warn(fields: LogFields, message: string): void {
    this.log.warn(fields, message);
  }

  override error(fields: LogFields, message: string): void {
    this.log.error(fields, message);
  }
}
