import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import type { Json } from '../kit/inner-calls.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Flag, Long, Moment, Named, Parts, Struct, Text, Texts } from '../kit/wire/fields.js';

const CHANGE_ACTION = wireEnum('ConfigurationChangeAction', {
  CONFIGURATION_CHANGE_ACTION_UNSPECIFIED: [0, 'unspecified'],
  CONFIGURATION_CHANGE_ACTION_ADD: [1, 'add'],
  CONFIGURATION_CHANGE_ACTION_CHANGE: [2, 'change'],
  CONFIGURATION_CHANGE_ACTION_REMOVE: [3, 'remove'],
});

const PATH = ['instance', 'policies', 'lockout'];

const Configuration = (number: number): PropertyDecorator =>
  Struct(number, {
    description:
      'The configuration, as `PullConfiguration` answers it: `instance` and `organizations`, objects by their names, fields as the operations of this API name them. ' +
      'What it does not name stays as it is; `null` removes an object, or takes a policy back. Secrets are written as `{"$secret": "…"}`.',
    example: { instance: { defaultLanguage: 'en' } },
  });

const Prune = (number: number): PropertyDecorator =>
  Flag(number, {
    description:
      'Whether collections that the configuration names are whole: what they do not name is removed. Organizations are never removed in this way.',
  });

const Secrets = (number: number): PropertyDecorator =>
  Flag(number, {
    description:
      'Whether secrets are set anew. Otherwise they are set only where an object is added, or where other fields beside them change: nobody can see whether a secret differs.',
  });

@Named('PullConfigurationRequest')
export class PullConfigurationRequest {
  @Texts(1, {
    max: 200,
    maxItems: 500,
    description: 'Names of the organizations that are wanted. Empty: all that the caller may read.',
  })
  readonly organizations!: string[];

  @Flag(2, { description: 'Whether the instance itself is left out.' })
  readonly withoutInstance!: boolean;

  @Flag(3, { description: 'Whether organizations are left out.', example: true })
  readonly withoutOrganizations!: boolean;

  @Texts(4, {
    max: 100,
    maxItems: 30,
    description:
      'Words of parts that are left out wherever they stand, such as `managers`: the people of one instance are not those of another.',
    example: ['managers'],
  })
  readonly without!: string[];
}

@Named('ConfigurationLeftOut')
export class ConfigurationLeftOut {
  @Texts(1, { example: ['instance', 'mailServers'], description: 'Where it would stand.' })
  readonly path!: readonly string[];

  @Text(2, { example: 'The permission iam.write is missing.', description: 'Why the caller may not read it.' })
  readonly reason!: string;
}

@Named('PullConfigurationResponse')
export class PullConfigurationResponse {
  @Configuration(1)
  readonly configuration!: Json;

  @Parts(2, () => ConfigurationLeftOut, { description: 'What the caller may not read.' })
  readonly leftOut!: readonly ConfigurationLeftOut[];
}

@Named('PlanConfigurationRequest')
export class PlanConfigurationRequest {
  @Configuration(1)
  readonly configuration!: Json;

  @Prune(2)
  readonly prune!: boolean;

  @Secrets(3)
  readonly secrets!: boolean;

  @Flag(4, {
    description:
      'Whether the configuration is only compared, for callers who may read and not change: what the operations themselves would refuse is not found then.',
  })
  readonly compareOnly!: boolean;
}

@Named('ConfigurationFieldChange')
export class ConfigurationFieldChange {
  @Text(1, {
    example: 'maxPasswordAttempts',
    description: 'The field; with a point before what stands within another.',
  })
  readonly name!: string;

  @Text(2, { example: '0', description: 'The value as it is, as JSON. Empty if there is none.' })
  readonly from!: string;

  @Text(3, { example: '10', description: 'The value as it will be, as JSON. Empty if there is none.' })
  readonly to!: string;
}

@Named('ConfigurationChange')
export class ConfigurationChange {
  @Choice(1, CHANGE_ACTION, { description: 'What is done.', example: 'CONFIGURATION_CHANGE_ACTION_CHANGE' })
  readonly action!: ValueOf<typeof CHANGE_ACTION>;

  @Texts(2, { example: PATH, description: 'Where it stands in the configuration.' })
  readonly path!: readonly string[];

  @Text(3, { example: 'lockout policy', description: 'What it is.' })
  readonly label!: string;

  @Parts(4, () => ConfigurationFieldChange, { description: 'The fields that differ.' })
  readonly fields!: readonly ConfigurationFieldChange[];

  @Texts(5, {
    example: ['Locks after 10 wrong passwords: 2 of 530 people have reached that and are locked by the next one.'],
    description: 'What it does to people, in sentences.',
  })
  readonly effects!: readonly string[];

  @Text(6, { example: 'UpdateLockoutPolicy', description: 'The operation that does it.' })
  readonly operationId!: string;
}

@Named('ConfigurationRefusal')
export class ConfigurationRefusal {
  @Text(1, {
    example: 'instance.policies.lockout.maxPasswordAttempts',
    description: 'The place in the configuration, its words joined by points.',
  })
  readonly field!: string;

  @Text(2, { example: 'must be a whole number', description: 'What is wrong there.' })
  readonly description!: string;
}

@Named('PlanConfigurationResponse')
export class PlanConfigurationResponse {
  @Parts(1, () => ConfigurationChange, { description: 'What would be done, in this order.' })
  readonly changes!: readonly ConfigurationChange[];

  @Parts(2, () => ConfigurationRefusal, {
    description: 'What would be refused. Nothing is applied as long as there is any.',
  })
  readonly refusals!: readonly ConfigurationRefusal[];

  @Text(3, {
    example: '5f1c…',
    description: 'Stands for these changes. `ApplyConfiguration` refuses to do anything else if it gets it.',
  })
  readonly fingerprint!: string;
}

@Named('ApplyConfigurationRequest')
export class ApplyConfigurationRequest {
  @Configuration(1)
  readonly configuration!: Json;

  @Prune(2)
  readonly prune!: boolean;

  @Secrets(3)
  readonly secrets!: boolean;

  @Text(4, {
    max: 100,
    description: 'The fingerprint of the plan that was agreed to. Empty: whatever there is to change is changed.',
  })
  readonly fingerprint!: string;

  @Text(5, { max: 500, example: 'Ten attempts, as agreed with the help desk', description: 'Why, for the journal.' })
  readonly reason!: string;

  @Text(6, {
    max: 200,
    example: '644de2d7',
    description: 'The version of the file, such as a commit, for the journal.',
  })
  readonly commit!: string;
}

@Named('ConfigurationMade')
export class ConfigurationMade {
  @Texts(1, {
    example: ['organizations', 'Acme', 'projects', 'Shop', 'applications', 'Web'],
    description: 'Where it stands in the configuration.',
  })
  readonly path!: readonly string[];

  @Text(2, { description: 'The client id of an application.', example: '312909075212468239' })
  readonly clientId!: string;

  @Text(3, { description: 'The client secret of an application, or the secret of a webhook. It is shown only here.' })
  readonly secret!: string;
}

@Named('ApplyConfigurationResponse')
export class ApplyConfigurationResponse {
  @Parts(1, () => ConfigurationChange, { description: 'What was done, in this order.' })
  readonly changes!: readonly ConfigurationChange[];

  @Parts(2, () => ConfigurationMade, { description: 'What was made by additions.' })
  readonly made!: readonly ConfigurationMade[];

  @Long(3, {
    example: '42',
    description:
      'Position of the event, by which `GetAppliedConfiguration` finds it. 0 if there was nothing to change.',
  })
  readonly position!: bigint;

  @Flag(4, {
    example: true,
    description: 'Whether the configuration that takes it back was kept; it may be too large.',
  })
  readonly isUndoKept!: boolean;
}

@Named('GetAppliedConfigurationRequest')
export class GetAppliedConfigurationRequest {
  @Long(1, { example: '42', description: 'Position of the event.' })
  readonly position!: bigint;
}

@Named('GetAppliedConfigurationResponse')
export class GetAppliedConfigurationResponse {
  @Text(1, { example: EXAMPLE.administrator, description: 'ID of the user who has applied it.' })
  readonly editorUserId!: string;

  @Moment(2, { example: '2026-11-20T08:30:00.000Z', description: 'When it was applied.' })
  readonly creationDate!: Date;

  @Text(3, { description: 'Why.' })
  readonly reason!: string;

  @Text(4, { description: 'The version of the file.' })
  readonly commit!: string;

  @Struct(5, {
    description:
      'The configuration that takes the change back, for `PlanConfiguration` and `ApplyConfiguration`. It has no secrets, and what is added again gets new ids.',
  })
  readonly undo!: Json;
}

@Named('GetConfigurationSchemaResponse')
export class GetConfigurationSchemaResponse {
  @Struct(1, { description: 'JSON Schema of the configuration (draft 2020-12), for editors.' })
  readonly schema!: Json;
}
