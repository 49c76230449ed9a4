import { Count, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails } from '../kit/wire/list.dto.js';

@Named('FilledSeamEntry')
export class FilledSeamEntry {
  @Text(1, { description: 'Name of the seam; `ROUTES` for operations of this API.', example: 'GRANT' })
  readonly seam!: string;

  @Texts(2, {
    description:
      'What fills it, in the order in which it is asked, by the names of grants, object stores, listeners and the like; otherwise by the names of classes.',
    example: ['urn:example:badge'],
  })
  readonly parts!: readonly string[];

  @Count(3, { description: 'How often one of them failed in the last hour, in the process that answers.', example: 0 })
  readonly failures!: number;
}

@Named('DeclaredEventEntry')
export class DeclaredEventEntry {
  @Text(1, {
    description: 'The type: `ext.`, the ID of the extension, and what happens.',
    example: 'ext.hr.review.finished',
  })
  readonly type!: string;

  @Text(2, {
    description: '`org`: about something of an organization. `instance`: about something of the instance.',
    example: 'org',
  })
  readonly level!: string;

  @Text(3, {
    description: 'What has happened, in the words of the extension.',
    example: 'A review was finished; `aggregateId` is the review.',
  })
  readonly says!: string;

  @Texts(4, { description: 'The members of its payload. Webhooks carry all of them.', example: ['userId', 'grade'] })
  readonly carries!: readonly string[];
}

@Named('ExtensionEntry')
export class ExtensionEntry {
  @Text(1, { description: 'ID of the extension.', example: 'hr' })
  readonly id!: string;

  @Text(2, { description: 'Version of the extension.', example: '1.2.0' })
  readonly version!: string;

  @Count(3, { description: 'How many schema changes it has; 0 if it has no tables.', example: 2 })
  readonly schemaVersion!: number;

  @Parts(4, () => FilledSeamEntry, { description: 'The seams that it fills.' })
  readonly seams!: readonly FilledSeamEntry[];

  @Parts(5, () => DeclaredEventEntry, {
    description: 'The types of events that it declares, beside those of Gatehouse.',
  })
  readonly events!: readonly DeclaredEventEntry[];
}

@Named('ListExtensionsResponse')
export class ListExtensionsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => ExtensionEntry)
  readonly result!: readonly ExtensionEntry[];
}
