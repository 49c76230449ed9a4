import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import type { LoginTexts } from './login-catalogue/catalogue.js';
import type { MessageKind } from './message-catalogue/message-text.js';

/** An owner's text that replaces the built-in text of a message. Empty parts are inherited. */
@Entity('message_text')
export class CustomMessageText extends Recorded {
  /** An organization's id, or the instance's. */
  @PrimaryColumn({ type: 'text' })
  ownerId!: string;

  @PrimaryColumn({ type: 'text' })
  kind!: MessageKind;

  @PrimaryColumn({ type: 'text' })
  language!: string;

  @Column({ type: 'text', default: '' })
  title!: string;

  @Column({ type: 'text', default: '' })
  preHeader!: string;

  @Column({ type: 'text', default: '' })
  subject!: string;

  @Column({ type: 'text', default: '' })
  greeting!: string;

  @Column({ type: 'text', default: '' })
  text!: string;

  @Column({ type: 'text', default: '' })
  buttonText!: string;

  @Column({ type: 'text', default: '' })
  footerText!: string;
}

/** Custom texts of the login screens: only fields that are not empty. */
export type CustomLoginTexts = { readonly [Screen in keyof LoginTexts]?: Readonly<Partial<LoginTexts[Screen]>> };

/** An owner's texts that replace built-in texts of the login screens. */
@Entity('login_text')
export class CustomLoginText extends Recorded {
  /** An organization's id, or the instance's. */
  @PrimaryColumn({ type: 'text' })
  ownerId!: string;

  @PrimaryColumn({ type: 'text' })
  language!: string;

  @Column({ type: 'jsonb', default: () => "'{}'" })
  texts!: CustomLoginTexts;
}
