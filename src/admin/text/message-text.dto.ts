import { ApiProperty } from '@nestjs/swagger';
import { DetailsDto } from '../details.dto.js';

/** Every field is written, also when it is empty. */
export class MessageTextDto {
  @ApiProperty()
  readonly details!: DetailsDto;

  @ApiProperty({ example: 'Welcome to Gatehouse' })
  readonly title!: string;

  @ApiProperty({ example: 'Set up your account', description: 'What a mail program shows beside the subject.' })
  readonly preHeader!: string;

  @ApiProperty({ example: 'Set up your account' })
  readonly subject!: string;

  @ApiProperty({ example: 'Hello {{.FirstName}} {{.LastName}},', description: 'May contain template fields.' })
  readonly greeting!: string;

  @ApiProperty({ example: 'An account was created for you. Your login name is {{.PreferredLoginName}}.', description: 'May contain template fields.' })
  readonly text!: string;

  @ApiProperty({ example: 'Set up my account' })
  readonly buttonText!: string;

  @ApiProperty({ example: 'The link and the code can be used once and expire after some time.', description: 'May be empty.' })
  readonly footerText!: string;

  @ApiProperty({ example: true, description: 'Whether it is the built-in text.' })
  readonly isDefault!: boolean;
}

export class MessageTextResponse {
  @ApiProperty()
  readonly customText!: MessageTextDto;
}
