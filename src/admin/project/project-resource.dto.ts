import { Flag, Named, Text, Texts } from '../kit/wire/fields.js';
import { PROJECT_ID } from './project.dto.js';

const URIS = {
  max: 500,
  maxItems: 50,
  description:
    'Absolute URIs without a fragment: https, http on localhost, 127.0.0.1 or [::1], urn or api. Each belongs to one project of the instance. A token that is requested for one of them names it as its only audience.',
  example: ['https://mcp.example.com/'],
} as const;

@Named('ProjectResourcesRequest')
export class ProjectResourcesRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;
}

@Named('SetProjectResourcesRequest')
export class SetProjectResourcesRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Texts(2, { ...URIS, replaces: true })
  readonly uris!: string[];

  @Flag(3, {
    description:
      'Whether URIs that belong to other projects are taken from them, of whatever organization. Only for owners of the instance: the first project to register a URI has not proved that it owns it.',
    example: false,
  })
  readonly takeOver!: boolean;
}

@Named('ProjectResourcesResponse')
export class ProjectResourcesResponse {
  @Texts(1, URIS)
  readonly uris!: readonly string[];
}
