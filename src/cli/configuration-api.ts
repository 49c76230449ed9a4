import {
  type ApplyConfigurationRequest,
  type ApplyConfigurationResult,
  applyConfiguration,
  type CallOptions,
  type Gatehouse,
  getAppliedConfiguration,
  getConfigurationSchema,
  type PlanConfigurationRequest,
  type PlanConfigurationResult,
  type PullConfigurationRequest,
  type PullConfigurationResult,
  planConfiguration,
  pullConfiguration,
} from '../client/index.js';
import type { Arguments } from './command/arguments.js';
import type { Surroundings } from './command/command.js';
import { CommandError, EXIT } from './command/command-error.js';
import type { Configuration, ConfigurationFile } from './configuration-file.js';

export type Plan = PlanConfigurationResult;
export type Outcome = ApplyConfigurationResult;
export type Pulled = PullConfigurationResult & { readonly configuration: Configuration };

/** What all of these commands may say about how a file is meant. */
export const MEANT = { prune: { type: 'boolean' }, secrets: { type: 'boolean' } } as const;

export const MEANT_HELP = `
  --prune               collections that the file names are whole: what they do not name is removed
  --secrets             set secrets anew, also where nothing else changes beside them`;

/** The operations on configurations. */
export class ConfigurationApi {
  constructor(
    private readonly service: Gatehouse,
    private readonly around: Surroundings,
  ) {}

  async pull(wanted: PullConfigurationRequest): Promise<Pulled> {
    const { configuration = {}, leftOut } = await pullConfiguration(this.service, wanted, this.options);
    return { configuration, leftOut };
  }

  async plan(
    configuration: Configuration,
    given: Arguments,
    over: Partial<PlanConfigurationRequest> = {},
  ): Promise<Plan> {
    return planConfiguration(this.service, { configuration, ...meant(given), ...over }, this.options);
  }

  async apply(
    configuration: Configuration,
    given: Arguments,
    over: Partial<ApplyConfigurationRequest>,
  ): Promise<Outcome> {
    return applyConfiguration(this.service, { configuration, ...meant(given), ...over }, this.options);
  }

  async undoOf(position: string): Promise<Configuration> {
    return (await getAppliedConfiguration(this.service, { position }, this.options)).undo ?? {};
  }

  async schema(): Promise<object> {
    return (await getConfigurationSchema(this.service, {}, this.options)).schema ?? {};
  }

  private get options(): CallOptions {
    return { signal: this.around.signal };
  }
}

function meant(given: Arguments): { readonly prune: boolean; readonly secrets: boolean } {
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
