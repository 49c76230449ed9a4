import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Recorded } from '../database/recorded.js';
import type { LoginTexts } from './login-catalogue/catalogue.js';
import type { MessageKind } from './message-text.js';

/** What an owner has written in place of the built-in text of a message. An empty part is not theirs. */
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

/** Texts of the login screens that somebody has written: only what is not empty. */
export type OwnLoginTexts = { readonly [Screen in keyof LoginTexts]?: Readonly<Partial<LoginTexts[Screen]>> };

/** What an owner has written in place of the built-in texts of the login screens. */
@Entity('login_text')
export class CustomLoginText extends Recorded {
  /** An organization's id, or the instance's. */
  @PrimaryColumn({ type: 'text' })
  ownerId!: string;

  @PrimaryColumn({ type: 'text' })
  language!: string;

  @Column({ type: 'jsonb', default: () => "'{}'" })
  texts!: OwnLoginTexts;
}
