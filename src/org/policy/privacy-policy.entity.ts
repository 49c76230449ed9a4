import { Column, Entity } from 'typeorm';
import { Policy } from './policy.entity.js';

/** The links below the pages; empty ones are omitted. `{{.Lang}}` in a link stands for the reader's language. */
@Entity('privacy_policy')
export class PrivacyPolicy extends Policy {
  @Column({ type: 'text', default: '' })
  tosLink!: string;

  @Column({ type: 'text', default: '' })
  privacyLink!: string;

  @Column({ type: 'text', default: '' })
  helpLink!: string;

  @Column({ type: 'text', default: '' })
  supportEmail!: string;

  @Column({ type: 'text', default: '' })
  docsLink!: string;

  @Column({ type: 'text', default: '' })
  customLink!: string;

  @Column({ type: 'text', default: '' })
  customLinkText!: string;
}
