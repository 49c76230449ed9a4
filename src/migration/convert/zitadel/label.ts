import { readImage } from '../../../org/policy/image-format.js';
import { labelViolations } from '../../../org/policy/policy-rules.js';
import { flagOf, type Stored, textOf } from '../../part/part.js';
import type { ConvertedPolicies } from '../document.js';
import type { TableFacts } from './layout.js';
import { type Source, type SourceOrg, wordOf } from './source.js';

type Label = NonNullable<ConvertedPolicies['labelPolicy']>;

/** Two rows for each: what people see, and the preview that was not activated. */
const SHOWN = 1;
const COLORS = {
  primaryColor: 'light_primary_color',
  warnColor: 'light_warn_color',
  backgroundColor: 'light_background_color',
  fontColor: 'light_font_color',
  primaryColorDark: 'dark_primary_color',
  warnColorDark: 'dark_warn_color',
  backgroundColorDark: 'dark_background_color',
  fontColorDark: 'dark_font_color',
} as const;
const IMAGES = {
  logoImage: 'light_logo_url',
  logoDarkImage: 'dark_logo_url',
  iconImage: 'light_icon_url',
  iconDarkImage: 'dark_icon_url',
} as const;
const LABELS: TableFacts = {
  table: 'label_policies',
  needs: ['id', 'instance_id', 'state', ...Object.values(COLORS), ...Object.values(IMAGES)],
  may: ['hide_login_name_suffix', 'watermark_disabled', 'theme_mode', 'font_url', 'should_error_popup'],
};
const ASSETS: TableFacts = {
  schema: 'system',
  table: 'assets',
  needs: ['instance_id', 'resource_owner', 'name', 'data'],
};
const THEMES = { 0: 'auto', 1: 'light', 2: 'dark' } as const;

/** What the pages of an organization look like, with its pictures. */
export class LabelReader {
  private ofInstance: Promise<Label | undefined> | undefined;

  constructor(
    private readonly source: Source,
    private readonly inherits: boolean,
  ) {}

  async of({ id, name }: SourceOrg): Promise<Label | undefined> {
    const own = await this.read(id, name);
    if (own || !this.inherits) return own;
    this.ofInstance ??= this.read(this.source.instance.id, 'the instance');
    return this.ofInstance;
  }

  private async read(ownerId: string, name: string): Promise<Label | undefined> {
    const { database, instance, report } = this.source;
    const found = database.layout.findIfAny(LABELS);
    if (!found) return undefined;
    const [row] = await database.all(
      `SELECT ${found.columns('p')} FROM ${found.name} p WHERE p.instance_id = :instanceId AND p.id = :ownerId AND p.state = :state`,
      { instanceId: instance.id, ownerId, state: SHOWN },
    );
    if (!row) return undefined;
    const colors = Object.fromEntries(Object.entries(COLORS).map(([member, column]) => [member, textOf(row, column)]));
    const wrong = new Set(labelViolations(colors).map(({ field }) => field));
    for (const member of wrong) report.note('Colours that are not valid here: left out', `${name} ${member}`);
    if (textOf(row, 'font_url') !== '') report.note('Fonts of organizations: the pages have their own', name);
    return {
      ...Object.fromEntries(Object.entries(colors).filter(([member]) => !wrong.has(member))),
      hideLoginNameSuffix: flagOf(row, 'hide_login_name_suffix'),
      disableWatermark: flagOf(row, 'watermark_disabled'),
      themeMode: wordOf(THEMES, row['theme_mode'] ?? 0) ?? 'auto',
      ...(await this.imagesOf(row, ownerId, name)),
    };
  }

  private async imagesOf(row: Stored, ownerId: string, name: string): Promise<Partial<Label>> {
    const { database, instance, report } = this.source;
    const images: Record<string, Buffer> = {};
    for (const [member, column] of Object.entries(IMAGES)) {
      const asset = textOf(row, column);
      if (asset === '') continue;
      const table = database.layout.findIfAny(ASSETS);
      const [found] = table
        ? await database.all(
            `SELECT data FROM ${table.name} WHERE instance_id = :instanceId AND resource_owner = :ownerId AND name = :asset`,
            { instanceId: instance.id, ownerId, asset },
          )
        : [];
      const data = found?.['data'];
      const problem = Buffer.isBuffer(data) ? imageProblem(data) : 'is not in the database, but in a storage of files';
      if (problem === undefined) images[member] = data as Buffer;
      else
        report.lose(
          `Pictures of a label that cannot be kept: upload them again, as PNG or JPEG`,
          `${name} ${member}: ${problem}`,
        );
    }
    return images;
  }
}

function imageProblem(data: Buffer): string | undefined {
  const read = readImage(data);
  return 'problem' in read ? read.problem : undefined;
}
