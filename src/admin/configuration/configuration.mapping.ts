import type {
  ApplyConfigurationResponse,
  ConfigurationChange,
  PlanConfigurationResponse,
} from './configuration.dto.js';
import { violationsOf } from './configuration.errors.js';
import type { Change } from './configuration-walk.js';
import type { Outcome, Plan } from './configurations.js';

export function toPlanAnswer({ changes, refusals, fingerprint }: Plan): PlanConfigurationResponse {
  return {
    changes: changes.map(toChange),
    refusals: refusals.flatMap(({ path, error }) => violationsOf(path, error)),
    fingerprint,
  };
}

export function toOutcomeAnswer({ changes, made, position, isUndoKept }: Outcome): ApplyConfigurationResponse {
  return {
    changes: changes.map(toChange),
    made: made.map(({ path, values }) => ({
      path,
      clientId: (values['clientId'] ?? '') as string,
      secret: (values['clientSecret'] ?? values['secret'] ?? '') as string,
    })),
    position: BigInt(position ?? 0),
    isUndoKept,
  };
}

function toChange({ fields, ...change }: Change): ConfigurationChange {
  return { ...change, fields: fields.map(({ name, from, to }) => ({ name, from: toText(from), to: toText(to) })) };
}

function toText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}
