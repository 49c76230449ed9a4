import { Module } from '@nestjs/common';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { OrgModule } from '../../org/org.module.js';
import { PolicyModule } from '../../org/policy/policy.module.js';
import { TextModule } from '../../text/text.module.js';
import { Branding } from './branding.js';
import { PagePreview } from './page-preview.js';

@Module({
  imports: [InstanceModule, OrgModule, PolicyModule, TextModule],
  providers: [Branding, PagePreview],
  exports: [Branding, PagePreview],
})
export class BrandingModule {}
