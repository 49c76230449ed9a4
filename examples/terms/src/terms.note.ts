import { Injectable } from '@nestjs/common';
import type { PageQuestion, PageSlot, StepText } from 'gatehouse';
import { TermsSettings } from './terms.settings.js';

/** Where the terms can be read before anybody signs in. */
@Injectable()
export class TermsNote implements PageSlot {
  readonly place = 'below';
  readonly pages = ['loginName', 'register'];

  constructor(private readonly settings: TermsSettings) {}

  content({ text }: PageQuestion): readonly StepText[] {
    return [{ kind: 'link', text: text('read'), href: this.settings.url }];
  }
}
