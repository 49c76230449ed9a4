import { Injectable } from '@nestjs/common';
import { InstanceService } from '../org/instance/instance.service.js';
import { OrgService } from '../org/org.service.js';
import { type FoundImage, LabelService } from '../org/policy/label.service.js';
import type { ThemeMode } from '../org/policy/label-policy.entity.js';
import { PolicyService } from '../org/policy/policy.service.js';
import { type MailColors, toMailColors } from './mail-colors.js';

/** The look of an organization's mails. */
export interface MailLabel {
  /** Name of the organization, or of the instance. */
  readonly name: string;
  readonly light: MailColors;
  readonly dark: MailColors;
  /** `auto`: the mode of the reader's device. */
  readonly mode: ThemeMode;
  /** The logo, attached to the mail: opening it fetches nothing. */
  readonly logo: FoundImage | undefined;
}

/** Applies label policies to mails. */
@Injectable()
export class MailLabels {
  constructor(
    private readonly instances: InstanceService,
    private readonly orgs: OrgService,
    private readonly policies: PolicyService,
    private readonly labels: LabelService,
  ) {}

  /** `ownerId`: an organization, or the instance. */
  async of(ownerId: string): Promise<MailLabel> {
    const instance = await this.instances.get();
    const org = ownerId === instance.id ? undefined : await this.orgs.findActive(ownerId);
    const label = await this.policies.effective('label', ownerId);
    return {
      name: org?.name ?? instance.name,
      light: toMailColors(
        { background: label.backgroundColor, font: label.fontColor, primary: label.primaryColor },
        'light',
      ),
      dark: toMailColors(
        { background: label.backgroundColorDark, font: label.fontColorDark, primary: label.primaryColorDark },
        'dark',
      ),
      mode: label.themeMode,
      logo: label.logo === '' ? undefined : await this.labels.findImage(label.ownerId, 'logo', label.logo),
    };
  }
}
