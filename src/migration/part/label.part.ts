import { sha256 } from '../../foundation/crypto/digest.js';
import { toSnakeCase } from '../../foundation/database/snake-case.js';
import { MAX_IMAGE_BYTES, readImage } from '../../org/policy/image-format.js';
import type { ThemeMode } from '../../org/policy/label-policy.entity.js';
import { THEME_MODE } from '../../org/policy/policy.enums.js';
import { labelViolations } from '../../org/policy/policy-rules.js';
import { bytes, choice, type Field, flag, Message, text } from '../document/field.js';
import { orgStage } from './org.part.js';
import { type DocumentPart, definePart, hex } from './part.js';
import { policyStage } from './policy.part.js';
import { refersTo, type Stage, staging, usable } from './stage.js';

const colour = (number: number): Field<string> => text(number, { max: 50 });
/** While it is absent, the pages choose. */
const themeMode: Field<ThemeMode> = (() => {
  const field = choice(12, THEME_MODE);
  return {
    number: 12,
    form: field.form,
    zero: 'auto',
    write: (value) => field.write(value),
    read: (value, at, faults) => {
      const read = field.read(value, at, faults);
      return read === 'unspecified' ? 'auto' : read;
    },
  };
})();

const image = (number: number): Field<Buffer> => bytes(number, { max: MAX_IMAGE_BYTES });

const SETTINGS = {
  primaryColor: colour(1),
  hideLoginNameSuffix: flag(3),
  warnColor: colour(4),
  backgroundColor: colour(5),
  fontColor: colour(6),
  primaryColorDark: colour(7),
  backgroundColorDark: colour(8),
  warnColorDark: colour(9),
  fontColorDark: colour(10),
  disableWatermark: flag(11),
  themeMode,
};
/** Extensions that the described system ignores. Their first bytes determine the type, as for uploads. */
const IMAGES = { logoImage: image(100), logoDarkImage: image(101), iconImage: image(102), iconDarkImage: image(103) };

type Setting = keyof typeof SETTINGS;
type ImageName = keyof typeof IMAGES;
const SETTING_NAMES = Object.keys(SETTINGS) as Setting[];
const IMAGE_NAMES = Object.keys(IMAGES) as ImageName[];
/** The column with the digest: `logo_dark` for `logoDarkImage`. */
const digestColumn = (name: ImageName): string => toSnakeCase(name.slice(0, -'Image'.length));

const imageIn = (name: ImageName): string => `(
        SELECT i.content FROM label_image i
        WHERE i.owner_id = p.owner_id AND i.digest = p.${digestColumn(name)}
      ) AS ${toSnakeCase(name)}`;

const COLUMNS = [...SETTING_NAMES.map(toSnakeCase), ...IMAGE_NAMES.map(digestColumn)];
const NAME = 'a label policy';
const shownStage = policyStage('label_policy', NAME, COLUMNS);
/** After an import, the published label and its preview are equal, unless the preview already has changes. */
const previewStage: Stage = { ...policyStage('label_preview', NAME, COLUMNS), uncompared: COLUMNS };
const imageStage: Stage = {
  table: 'label_image',
  name: 'an image',
  key: ['owner_id', 'digest'],
  columns: ['content_type', 'content'],
  ownerOf: (t) => `${t}.owner_id`,
  checks: [refersTo('owner_id', orgStage)],
  // The images of a policy that is left out would never be shown or removed.
  resolve: (skip) => [
    `DELETE FROM ${staging('label_image')} s
     WHERE NOT EXISTS (
       SELECT 1 FROM ${staging('label_policy')} r
       WHERE r.owner_id = s.owner_id AND ${usable(skip)}
     )`,
  ],
};

/** The member `labelPolicy`. */
export const LABEL_POLICY = new Message({ ...SETTINGS, ...IMAGES });

export const labelPolicyPart: DocumentPart = definePart({
  member: 'labelPolicy',
  number: 5,
  isSingle: true,
  stages: [shownStage, previewStage, imageStage],
  message: LABEL_POLICY,
  take(entry, section) {
    section.faults.addAll(section.path, labelViolations(entry));
    const row: Record<string, unknown> = {
      owner_id: section.orgId,
      ...Object.fromEntries(SETTING_NAMES.map((name) => [toSnakeCase(name), entry[name]])),
    };
    // Stores each image once, wherever it is used.
    const contents = new Map<string, { readonly content: Buffer; readonly contentType: string }>();
    for (const name of IMAGE_NAMES) {
      const content = entry[name];
      const digest = content.length === 0 ? '' : sha256(content).toString('base64url');
      row[digestColumn(name)] = digest;
      if (digest === '') continue;
      const image = contents.get(digest) ?? readImage(content);
      if ('problem' in image) section.faults.add(`${section.path}.${name}`, image.problem);
      else contents.set(digest, { content, contentType: image.contentType });
    }
    for (const stage of [shownStage, previewStage])
      section.stage(stage, row, { type: 'label_policy', id: section.orgId });
    for (const [digest, { content, contentType }] of contents) {
      section.stage(
        imageStage,
        { owner_id: section.orgId, digest, content_type: contentType, content: hex(content) },
        { type: 'label_image', id: section.orgId },
      );
    }
  },
  select: `SELECT
      ${[...SETTING_NAMES.map((name) => `p.${toSnakeCase(name)}`), ...IMAGE_NAMES.map(imageIn)].join(', ')}
    FROM label_policy p
    WHERE p.owner_id = :orgId`,
  toEntry: (row) =>
    Object.fromEntries([...SETTING_NAMES, ...IMAGE_NAMES].map((name) => [name, row[toSnakeCase(name)]])),
});
