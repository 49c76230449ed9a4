import { Logger } from '../../foundation/log/logger.js';
import { runningExtension } from '../../foundation/log/running-extension.js';

/** Fields of a log line. Never put a secret into one, nor what was typed. @public */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * The log of the product: JSON in production. Lines that are written while a part, an operation or a command of the
 * extension runs have its id in the field `extension`. Inject it by this class.
 * @public
 */
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
    this.log.debug(named(fields), message);
  }

  override info(fields: LogFields, message: string): void {
    this.log.info(named(fields), message);
  }

  override warn(fields: LogFields, message: string): void {
    this.log.warn(named(fields), message);
  }

  override error(fields: LogFields, message: string): void {
    this.log.error(named(fields), message);
  }
}

/** The line always has the id of the extension that runs, whatever the extension calls itself. */
function named(fields: LogFields): LogFields {
  const extension = runningExtension();
  return extension === undefined ? fields : { ...fields, extension };
}
