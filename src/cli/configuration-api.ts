import type { ConfigurationChange } from './change-lines.js';
import type { Arguments } from './command/arguments.js';
import type { Surroundings } from './command/command.js';
import { CommandError, EXIT } from './command/command-error.js';
import type { Configuration, ConfigurationFile } from './configuration-file.js';
import type { RemoteApi } from './remote-api.js';

const V1 = '/management/v1/configuration';

export interface Plan {
  readonly changes: readonly ConfigurationChange[];
  readonly refusals: ReadonlyArray<{ readonly field: string; readonly description: string }>;
  readonly fingerprint: string;
}

export interface Outcome {
  readonly changes: readonly ConfigurationChange[];
  readonly made: ReadonlyArray<{
    readonly path: readonly string[];
    readonly clientId: string;
    readonly secret: string;
  }>;
  readonly position: string;
  readonly isUndoKept: boolean;
}

export interface Pulled {
  readonly configuration: Configuration;
  readonly leftOut: ReadonlyArray<{ readonly path: readonly string[]; readonly reason: string }>;
}

/** What all of these commands may say about how a file is meant. */
export const MEANT = { prune: { type: 'boolean' }, secrets: { type: 'boolean' } } as const;

export const MEANT_HELP = `
  --prune               collections that the file names are whole: what they do not name is removed
  --secrets             set secrets anew, also where nothing else changes beside them`;

/** The operations on configurations. */
export class ConfigurationApi {
  constructor(
    private readonly service: RemoteApi,
    private readonly around: Surroundings,
  ) {}

  async pull(wanted: object): Promise<Pulled> {
    return this.post('_pull', wanted);
  }

  async plan(configuration: Configuration, given: Arguments, over: object = {}): Promise<Plan> {
    return this.post('_plan', { configuration, ...meant(given), ...over });
  }

  async apply(configuration: Configuration, given: Arguments, over: object): Promise<Outcome> {
    return this.post('_apply', { configuration, ...meant(given), ...over });
  }

  async undoOf(position: string): Promise<Configuration> {
    const { undo } = await this.service.call<{ undo: Configuration }>({
      method: 'GET',
      path: `${V1}/applied/${encodeURIComponent(position)}`,
      signal: this.around.signal,
    });
    return undo;
  }

  async schema(): Promise<object> {
    const { schema } = await this.service.call<{ schema: object }>({
      method: 'GET',
      path: `${V1}/schema`,
      signal: this.around.signal,
    });
    return schema;
  }

  private async post<T>(verb: string, message: object): Promise<T> {
    return this.service.call<T>({
      method: 'POST',
      path: `${V1}/${verb}`,
      body: JSON.stringify(message),
      signal: this.around.signal,
    });
  }
}

function meant(given: Arguments): object {
  return { prune: given.flag('prune'), secrets: given.flag('secrets') };
}

/** @throws CommandError with the line of each refusal */
export function checkNothingRefused({ refusals }: Plan, file: ConfigurationFile | undefined): void {
  if (refusals.length === 0) return;
  const lines = refusals.map(({ field, description }) =>
    file ? `${file.placeOf(field)}: ${field} ${description}` : `${field} ${description}`,
  );
  throw new CommandError('The service refuses this; nothing was done.', EXIT.failed, lines);
}

/** Says which secrets are not given. */
export function noteUnset({ unset }: Pick<ConfigurationFile, 'unset'>, around: Surroundings): void {
  if (unset.length === 0) return;
  around.errors.write(
    `Not set: ${[...new Set(unset)].join(', ')}. These secrets stay as they are; an object that is added may need its own.\n`,
  );
}
