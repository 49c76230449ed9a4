import { Column, Entity } from 'typeorm';
import { Policy } from './policy.entity.js';

export type ThemeMode = 'auto' | 'dark' | 'light';

/** The look of an organization's pages and mails. With an empty colour the pages choose. */
export abstract class Label extends Policy {
  @Column({ type: 'text', default: '#1d4a94' })
  primaryColor!: string;

  @Column({ type: 'text', default: '#b3261e' })
  warnColor!: string;

  @Column({ type: 'text', default: '#f2f4f7' })
  backgroundColor!: string;

  @Column({ type: 'text', default: '#14181f' })
  fontColor!: string;

  @Column({ type: 'text', default: '#a3c1fa' })
  primaryColorDark!: string;

  @Column({ type: 'text', default: '#ffb4ab' })
  warnColorDark!: string;

  @Column({ type: 'text', default: '#0d1015' })
  backgroundColorDark!: string;

  @Column({ type: 'text', default: '#e9ecf1' })
  fontColorDark!: string;

  @Column({ type: 'boolean', default: false })
  hideLoginNameSuffix!: boolean;

  @Column({ type: 'boolean', default: false })
  disableWatermark!: boolean;

  @Column({ type: 'text', default: 'auto' })
  themeMode!: ThemeMode;

  // Digests of images (`label_image`); empty for none.

  @Column({ type: 'text', default: '' })
  logo!: string;

  @Column({ type: 'text', default: '' })
  logoDark!: string;

  @Column({ type: 'text', default: '' })
  icon!: string;

  @Column({ type: 'text', default: '' })
  iconDark!: string;
}

/** The published label. */
@Entity('label_policy')
export class LabelPolicy extends Label {}

/** The preview, until it is activated. */
@Entity('label_preview')
export class LabelPreview extends Label {}
