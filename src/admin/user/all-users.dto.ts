import { Filter, Named, Part, Parts, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import { User } from './user.dto.js';

@Filter()
@Named('ListAllUsersRequest')
export class ListAllUsersRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Text(2, {
    min: 3,
    max: 200,
    description: 'A part of a name or e-mail address: at least three characters, so that an index finds it.',
    example: 'admin',
  })
  readonly text!: string;
}

@Named('ListAllUsersResponse')
export class ListAllUsersResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => User)
  readonly result!: readonly User[];
}
