import { isColor } from '../../foundation/color/contrast.js';
import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { MAX_IMAGE_BYTES } from '../../org/policy/image-format.js';
import { THEME_MODE } from '../../org/policy/policy.enums.js';
import { LIMITS } from '../../org/policy/policy-rules.js';
import { saidIn } from '../kit/wire/declared-field.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { Bytes, Choice, Flag, Named, Part, Text } from '../kit/wire/fields.js';

const color = (
  description: string,
  example: string,
): { max: number; form: { fits: (text: string) => boolean; says: string }; description: string; example: string } => ({
  max: LIMITS.colorCharacters,
  form: { fits: isColor, says: `must be a color like ${example}` },
  description: `${description}. If empty, the service's default is used.`,
  example,
});

@Named('LabelPolicyRequest')
export class LabelPolicyRequest {
  @Text(1, color('Color of buttons and links', '#1d4a94'))
  readonly primaryColor!: string;

  @Flag(3, {
    description: 'Whether the pages hide the domain of login names when the application requests the organization.',
    example: false,
  })
  readonly hideLoginNameSuffix!: boolean;

  @Text(4, color('Color of error messages', '#b3261e'))
  readonly warnColor!: string;

  @Text(5, color('Background color', '#f2f4f7'))
  readonly backgroundColor!: string;

  @Text(6, color('Text color', '#14181f'))
  readonly fontColor!: string;

  @Text(7, color('Color of buttons and links in dark mode', '#a3c1fa'))
  readonly primaryColorDark!: string;

  @Text(8, color('Background color in dark mode', '#0d1015'))
  readonly backgroundColorDark!: string;

  @Text(9, color('Color of error messages in dark mode', '#ffb4ab'))
  readonly warnColorDark!: string;

  @Text(10, color('Text color in dark mode', '#e9ecf1'))
  readonly fontColorDark!: string;

  @Flag(11, { description: 'Whether the name of the service is hidden on the pages.', example: false })
  readonly disableWatermark!: boolean;

  @Choice(12, THEME_MODE, {
    description: "Light mode, dark mode, or the browser's preference.",
    example: 'THEME_MODE_AUTO',
  })
  readonly themeMode!: ValueOf<typeof THEME_MODE>;
}

const labelSaid = saidIn(LabelPolicyRequest);

@Named('LabelPolicyDto')
export class LabelPolicyDto {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(2, labelSaid('primaryColor'))
  readonly primaryColor!: string;

  @Flag(4, { description: "Whether this is the instance's policy." })
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

  @Text(14, { description: 'URL of the logo; empty if there is none.' })
  readonly logoUrl!: string;

  @Text(15, { description: 'URL of the icon; empty if there is none.' })
  readonly iconUrl!: string;

  @Text(16, { description: 'URL of the dark-mode logo; empty if there is none.' })
  readonly logoUrlDark!: string;

  @Text(17, { description: 'URL of the dark-mode icon; empty if there is none.' })
  readonly iconUrlDark!: string;

  @Text(18, { description: "Always empty: the pages use the user's system fonts." })
  readonly fontUrl!: string;

  @Choice(19, THEME_MODE, labelSaid('themeMode'))
  readonly themeMode!: ValueOf<typeof THEME_MODE>;
}

@Named('LabelPolicyResponse')
export class LabelPolicyResponse {
  @Part(1, () => LabelPolicyDto)
  readonly policy!: LabelPolicyDto;

  @Flag(2, { deprecated: true, description: 'Same as in the policy.' })
  readonly isDefault!: boolean;
}

@Named('PreviewLoginPageRequest')
export class PreviewLoginPageRequest {
  @Text(1, { max: 200, description: 'The language of the page, as a BCP 47 tag. Defaults to that of the instance.' })
  readonly language!: string;
}

@Named('PreviewLoginPageResponse')
export class PreviewLoginPageResponse {
  @Text(1, { description: 'The page as one HTML document, with styles and logo.' })
  readonly html!: string;
}

/** An image of one white pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==';

@Named('LabelImageRequest')
export class LabelImageRequest {
  @Bytes(1, {
    min: 1,
    max: MAX_IMAGE_BYTES,
    description: `A PNG or a JPEG of at most ${MAX_IMAGE_BYTES} bytes.`,
    example: PIXEL,
  })
  readonly content!: Buffer;
}
