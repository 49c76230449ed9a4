import { Named, Text, Texts } from '../wire/fields.js';
import { PROJECT_ID } from './project.dto.js';

const URIS = {
  max: 500,
  maxItems: 50,
  description:
    'Absolute URIs without a fragment, each for one project of the instance only. A token that is requested for one of them names it as its only audience.',
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

  @Texts(2, URIS)
  readonly uris!: string[];
}

@Named('ProjectResourcesResponse')
export class ProjectResourcesResponse {
  @Texts(1, URIS)
  readonly uris!: readonly string[];
}
