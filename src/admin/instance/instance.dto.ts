import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Flag, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';

const INSTANCE_STATE = wireEnum('State', {
  STATE_UNSPECIFIED: [0, 'unspecified'],
  STATE_CREATING: [1, 'creating'],
  STATE_RUNNING: [2, 'running'],
  STATE_STOPPING: [3, 'stopping'],
  STATE_STOPPED: [4, 'stopped'],
});

@Named('InstanceDomain')
export class InstanceDomain {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(2, { example: 'id.birkenhof.example', description: 'The host of the public URL.' })
  readonly domain!: string;

  @Flag(3, { description: 'Whether this is the primary domain.' })
  readonly primary!: boolean;

  @Flag(4, { description: 'Whether the service generated the domain. Always false.' })
  readonly generated!: boolean;
}

@Named('InstanceDetail')
export class InstanceDetail {
  @Text(1, { example: EXAMPLE.instance })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Choice(3, INSTANCE_STATE, { example: 'STATE_RUNNING', description: 'Always running.' })
  readonly state!: ValueOf<typeof INSTANCE_STATE>;

  @Text(4, { example: 'Acme' })
  readonly name!: string;

  @Text(5, { description: 'Version of the program.', example: '0.1.0' })
  readonly version!: string;

  @Parts(6, () => InstanceDomain, { description: "The host of the instance's public URL." })
  readonly domains!: readonly InstanceDomain[];
}

@Named('GetMyInstanceResponse')
export class GetMyInstanceResponse {
  @Part(1, () => InstanceDetail)
  readonly instance!: InstanceDetail;
}

@Named('LanguagesResponse')
export class LanguagesResponse {
  @Texts(1, { description: 'Language tags.', example: ['de', 'en'] })
  readonly languages!: readonly string[];
}

@Named('GetDefaultLanguageResponse')
export class GetDefaultLanguageResponse {
  @Text(1, { example: 'en', description: 'BCP 47 language tag.' })
  readonly language!: string;
}

@Named('SetDefaultLanguageRequest')
export class SetDefaultLanguageRequest {
  @Text(1, { min: 1, max: 10, description: 'One of the supported languages.', example: 'en' })
  readonly language!: string;
}

@Named('GetIamResponse')
export class GetIamResponse {
  @Text(1, { description: 'The default organization.', example: EXAMPLE.org })
  readonly globalOrgId!: string;

  @Text(2, {
    description: 'The project of the service itself, which is the audience of this API.',
    example: EXAMPLE.systemProject,
  })
  readonly iamProjectId!: string;

  @Text(3, { description: 'The default organization.', example: EXAMPLE.org })
  readonly defaultOrgId!: string;
}
