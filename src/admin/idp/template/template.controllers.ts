import { Controller, Post, Put, type Type } from '@nestjs/common';
import {
  idpKindUnavailable,
  idpNameTaken,
  idpNotFound,
  idpOfOtherType,
  idpUnchanged,
} from '../../../idp/idp.errors.js';
import type { Actor } from '../../../user/permission/actor.js';
import { userTooStrong } from '../../../user/permission/permission.errors.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { type Level, named, operationIdAt } from '../../kit/level.js';
import { Operation } from '../../kit/operation.js';
import { exampleOf } from '../../kit/wire/declared-field.js';
import { DetailsResponse } from '../../kit/wire/details.dto.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { Message } from '../../kit/wire/message.js';
import { IdpOperations } from '../idp.operations.js';
import { DESCRIPTION } from '../idp-words.js';
import type { AddedProvider } from '../provider.dto.js';
import type { VendorRequest, VendorTemplate } from './template.js';

/** Adding and changing the providers of one vendor. */
export function templateController<Add extends VendorRequest, Update extends VendorRequest>(
  level: Level,
  template: VendorTemplate<Add, Update>,
): Type {
  const { word, vendor, path, kind, isPosted = false } = template;
  const { writeIdp } = level.permissions;
  const at = level.isOrg ? 1 : 0;
  const Change = isPosted && !level.isOrg ? Post : Put;
  const extension = kind.slice('ext:'.length, kind.indexOf('-'));
  const needs = `Needs the extension \`${extension}\`, whose kind \`${kind}\` has further settings (UpdateIDPExtensionConfig).`;

  @Tagged('Identity providers of vendors')
  @Controller(`${level.prefix}/idps/${path}`)
  @level.documentation
  class TemplateController {
    constructor(private readonly idps: IdpOperations) {}

    @Post()
    @Requires(writeIdp)
    @Operation({
      id: operationIdAt(level, `Add${word}Provider`),
      summary: `Add ${vendor} as an identity provider to ${level.owner} and test it`,
      description: `${DESCRIPTION.addTested} ${needs}`,
      request: template.add,
      returns: template.added[at],
      refuses: [idpNameTaken(String(exampleOf(template.add)['name'])), idpKindUnavailable(kind)],
    })
    async add(@Asking() actor: Actor, @Message() request: Add): Promise<AddedProvider> {
      const owner = await this.idps.ownerAt(level, actor);
      return this.idps.addOfVendor(owner, actor, kind, request, template.settingsIn(request));
    }

    @Change(':id')
    @Requires(writeIdp)
    @Operation({
      id: operationIdAt(level, `Update${word}Provider`),
      summary: `Update ${vendor} as an identity provider of ${level.owner}`,
      description: `${DESCRIPTION.updateVendor} ${needs}`,
      request: template.update,
      exampleWith: { id: template.exampleIds[at] },
      returns: DetailsResponse,
      refuses: [
        idpNotFound(),
        idpUnchanged(),
        idpOfOtherType('oidc'),
        idpNameTaken(String(exampleOf(template.update)['name'])),
        idpKindUnavailable(kind),
        ...(level.isOrg ? [userTooStrong()] : []),
      ],
    })
    async update(
      @Asking() actor: Actor,
      @Message() request: Update & { readonly id: string },
    ): Promise<DetailsResponse> {
      const owner = await this.idps.ownerAt(level, actor);
      return this.idps.updateOfVendor(owner, actor, kind, request, template.settingsIn(request));
    }
  }
  return named(level, `${word}Provider`, TemplateController);
}
