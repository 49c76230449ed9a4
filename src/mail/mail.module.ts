import { Module } from '@nestjs/common';
import { InstanceModule } from '../instance/instance.module.js';
import { OrgModule } from '../org/org.module.js';
import { PolicyModule } from '../policy/policy.module.js';
import { TextModule } from '../text/text.module.js';
import { MailLabels } from './mail-label.js';
import { MessagePreview } from './message-preview.js';

/** USE CASE: what mails say and how they look. */
@Module({ imports: [InstanceModule, OrgModule, PolicyModule, TextModule], providers: [MailLabels, MessagePreview], exports: [MailLabels, MessagePreview] })
export class MailModule {}
