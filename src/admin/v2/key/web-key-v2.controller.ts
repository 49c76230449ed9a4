import { Controller, Delete, Get, Post } from '@nestjs/common';
import { invalidFields } from '../../../foundation/error/domain-error.js';
import { InstanceService } from '../../../org/instance/instance.service.js';
import { keyActive, keyNotFound, keyNotNext } from '../../../token/key/key.errors.js';
import { KeyService } from '../../../token/key/key.service.js';
import type { SigningKey } from '../../../token/key/signing-key.entity.js';
import type { Actor } from '../../../user/permission/actor.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { Message } from '../../kit/wire/message.js';
import {
  ActivateWebKeyResponseV2,
  CreateWebKeyRequestV2,
  CreateWebKeyResponseV2,
  DeleteWebKeyResponseV2,
  ListWebKeysResponseV2,
  WebKeyIdRequestV2,
  type WebKeyV2,
} from './web-key.dto.js';

type Algorithm = SigningKey['algorithm'];

/** What this service signs with, as this generation describes a key. */
const KEYS: Readonly<Record<Algorithm, Pick<WebKeyV2, 'rsa' | 'ecdsa' | 'ed25519'>>> = {
  RS256: { rsa: { bits: '2048', hasher: 'sha256' } },
  ES256: { ecdsa: { curve: 'p256' } },
  EdDSA: { ed25519: {} },
};

@Tagged('Signing keys v2')
@Controller('v2/web_keys')
@InService('webkey')
export class WebKeyV2Controller {
  constructor(
    private readonly keys: KeyService,
    private readonly instances: InstanceService,
  ) {}

  @Get()
  @Requires('iam.read')
  @Operation({
    id: 'ListWebKeysV2',
    sameAs: ['ListSigningKeys'],
    summary: 'List the signing keys, oldest first',
    returns: ListWebKeysResponseV2,
  })
  async list(): Promise<ListWebKeysResponseV2> {
    const keys = await this.keys.list();
    return {
      webKeys: keys.map(({ id, creationDate, changeDate, state, algorithm }) => ({
        ...{ id, creationDate, changeDate, state },
        ...KEYS[algorithm],
      })),
    };
  }

  @Post()
  @Requires('iam.write')
  @Operation({
    id: 'CreateWebKeyV2',
    sameAs: ['CreateSigningKey'],
    summary: 'Create and publish the next signing key',
    description:
      'There is at most one, which the service usually creates by itself: if it exists already, its ID is returned. Its kind is that of the signing settings; another one is refused.',
    request: CreateWebKeyRequestV2,
    example: { rsa: { bits: 'RSA_BITS_2048', hasher: 'RSA_HASHER_SHA256' } },
    returns: CreateWebKeyResponseV2,
  })
  async create(@Asking() actor: Actor, @Message() request: CreateWebKeyRequestV2): Promise<CreateWebKeyResponseV2> {
    const { signingAlgorithm } = await this.instances.get();
    checkKind(request, signingAlgorithm);
    const { key } = await this.keys.prepareNext(actor.userId);
    return { id: key.id, creationDate: key.creationDate };
  }

  @Post(':id/activate')
  @Requires('iam.write')
  @Operation({
    id: 'ActivateWebKeyV2',
    sameAs: ['ActivateSigningKey'],
    summary: 'Activate the next signing key once clients have had time to fetch it',
    description: 'It signs within six minutes; until then it remains initial.',
    request: WebKeyIdRequestV2,
    returns: ActivateWebKeyResponseV2,
    refuses: [keyNotFound(), keyNotNext()],
  })
  async activate(@Asking() actor: Actor, @Message() { id }: WebKeyIdRequestV2): Promise<ActivateWebKeyResponseV2> {
    return { changeDate: (await this.keys.activateNext(id, actor.userId)).changeDate };
  }

  @Delete(':id')
  @Requires('iam.write')
  @Operation({
    id: 'DeleteWebKeyV2',
    sameAs: ['RemoveSigningKey'],
    summary: 'Remove a signing key that is not active',
    description: 'Tokens signed by a removed key can no longer be verified.',
    request: WebKeyIdRequestV2,
    returns: DeleteWebKeyResponseV2,
    refuses: [keyNotFound(), keyActive()],
  })
  async remove(@Asking() actor: Actor, @Message() { id }: WebKeyIdRequestV2): Promise<DeleteWebKeyResponseV2> {
    return { deletionDate: (await this.keys.remove(id, actor.userId)).at };
  }
}

/** @throws DomainError InvalidArgument */
function checkKind({ rsa, ecdsa, ed25519 }: CreateWebKeyRequestV2, algorithm: Algorithm): void {
  const isRight =
    (algorithm === 'RS256' &&
      rsa &&
      ['unspecified', '2048'].includes(rsa.bits) &&
      rsa.hasher !== 'sha384' &&
      rsa.hasher !== 'sha512') ||
    (algorithm === 'ES256' && ecdsa && ['unspecified', 'p256'].includes(ecdsa.curve)) ||
    (algorithm === 'EdDSA' && ed25519);
  if (isRight) return;
  const [field = 'key'] = Object.entries({ rsa, ecdsa, ed25519 }).flatMap(([name, key]) => (key ? [name] : []));
  const description = `must be for ${algorithm}, which the signing settings name: RSA with 2048 bits and SHA-256, P-256, or Ed25519`;
  throw invalidFields([{ field, description }]);
}
