import { MAX_IMAGE_BYTES } from '../../policy/image-format.js';
import { isColor, LIMITS } from '../../policy/policy-rules.js';
import { ObjectDetails } from '../wire/details.dto.js';
import { saidIn } from '../wire/field.js';
import { Bytes, Choice, Flag, Part, Text } from '../wire/fields.js';
import type { ValueOf } from '../wire/wire-enum.js';
import { THEME_MODE } from './policy.enums.js';

const color = (
  description: string,
  example: string,
): { max: number; form: { fits: (text: string) => boolean; says: string }; description: string; example: string } => ({
  max: LIMITS.colorCharacters,
  form: { fits: isColor, says: `must be a colour like ${example}` },
  description: `${description}; empty: that of the service.`,
  example,
});

export class LabelPolicyRequest {
  @Text(1, color('Buttons and links', '#1d4a94'))
  readonly primaryColor!: string;

  @Flag(3, {
    description: 'Whether the pages hide the domain of login names where the application names the organization.',
    example: false,
  })
  readonly hideLoginNameSuffix!: boolean;

  @Text(4, color('Errors', '#b3261e'))
  readonly warnColor!: string;

  @Text(5, color('The ground', '#f2f4f7'))
  readonly backgroundColor!: string;

  @Text(6, color('Text', '#14181f'))
  readonly fontColor!: string;

  @Text(7, color('Buttons and links by night', '#a3c1fa'))
  readonly primaryColorDark!: string;

  @Text(8, color('The ground by night', '#0d1015'))
  readonly backgroundColorDark!: string;

  @Text(9, color('Errors by night', '#ffb4ab'))
  readonly warnColorDark!: string;

  @Text(10, color('Text by night', '#e9ecf1'))
  readonly fontColorDark!: string;

  @Flag(11, { description: 'Whether the name of the service does not stand on the pages.', example: false })
  readonly disableWatermark!: boolean;

  @Choice(12, THEME_MODE, { description: 'By day, by night, or as the browser says.', example: 'THEME_MODE_AUTO' })
  readonly themeMode!: ValueOf<typeof THEME_MODE>;
}

const labelSaid = saidIn(LabelPolicyRequest);

export class LabelPolicyDto {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(2, labelSaid('primaryColor'))
  readonly primaryColor!: string;

  @Flag(4, { description: 'Whether it is the policy of the instance.' })
  readonly isDefault!: boolean;

  @Flag(5, labelSaid('hideLoginNameSuffix'))
  readonly hideLoginNameSuffix!: boolean;

  @Text(6, labelSaid('warnColor'))
  readonly warnColor!: string;

  @Text(7, labelSaid('backgroundColor'))
  readonly backgroundColor!: string;

  @Text(8, labelSaid('fontColor'))
  readonly fontColor!: string;

  @Text(9, labelSaid('primaryColorDark'))
  readonly primaryColorDark!: string;

  @Text(10, labelSaid('backgroundColorDark'))
  readonly backgroundColorDark!: string;

  @Text(11, labelSaid('warnColorDark'))
  readonly warnColorDark!: string;

  @Text(12, labelSaid('fontColorDark'))
  readonly fontColorDark!: string;

  @Flag(13, labelSaid('disableWatermark'))
  readonly disableWatermark!: boolean;

  @Text(14, { description: 'Where the logo is; empty: there is none.' })
  readonly logoUrl!: string;

  @Text(15, { description: 'Where the icon is; empty: there is none.' })
  readonly iconUrl!: string;

  @Text(16, { description: 'Where the logo by night is; empty: there is none.' })
  readonly logoUrlDark!: string;

  @Text(17, { description: 'Where the icon by night is; empty: there is none.' })
  readonly iconUrlDark!: string;

  @Text(18, { description: 'Always empty: the pages use the fonts of the reader.' })
  readonly fontUrl!: string;

  @Choice(19, THEME_MODE, labelSaid('themeMode'))
  readonly themeMode!: ValueOf<typeof THEME_MODE>;
}

export class LabelPolicyResponse {
  @Part(1, () => LabelPolicyDto)
  readonly policy!: LabelPolicyDto;

  @Flag(2, { deprecated: true, description: 'As in the policy.' })
  readonly isDefault!: boolean;
}

/** One white pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==';

export class LabelImageRequest {
  @Bytes(1, {
    min: 1,
    max: MAX_IMAGE_BYTES,
    description: `A PNG or a JPEG of at most ${MAX_IMAGE_BYTES} bytes.`,
    example: PIXEL,
  })
  readonly content!: Buffer;
}
