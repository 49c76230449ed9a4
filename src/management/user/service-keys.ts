import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import { issueRsaKeyPair, readPublicKeyPem } from '../../foundation/crypto/rsa-key.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import type { MachineKey } from '../../user/machine-key.entity.js';
import { MachineKeys } from '../../user/machine-keys.js';
import type { Actor } from '../../user/permission/actor.js';
import { ManagedUsers } from './managed-users.js';

export interface AddedKey {
  readonly key: MachineKey;
  /** A JSON document with the private key, which is not stored; undefined if the manager brought a key. */
  readonly file: Secret | undefined;
}

/** Keys of service users: brought by their managers, or created here and handed out once. */
@Injectable()
export class ServiceKeys {
  constructor(
    private readonly managed: ManagedUsers,
    private readonly keys: MachineKeys,
  ) {}

  /**
   * @param ownPem a public key in PEM; empty to create a pair
   * @throws DomainError InvalidArgument; NotFound; PermissionDenied; FailedPrecondition `user.not_service`
   */
  async add(actor: Actor, userId: string, ownPem: string, expiresAt: Date | undefined): Promise<AddedKey> {
    const { publicKey, privatePem } =
      ownPem === '' ? await issueRsaKeyPair() : { publicKey: readPublicKeyPem(ownPem), privatePem: undefined };
    if (!publicKey)
      throw invalidFields([
        { field: 'publicKey', description: 'must be a public key in PEM: -----BEGIN PUBLIC KEY-----' },
      ]);
    const key = await this.managed.change(actor, userId, async (tx) => {
      const id = await this.keys.add(tx, userId, publicKey, actor.userId, expiresAt);
      return this.keys.get(userId, id, tx);
    });
    return { key, file: privatePem === undefined ? undefined : toFile(key, privatePem) };
  }
}

function toFile({ id, userId }: MachineKey, privatePem: string): Secret {
  return new Secret(JSON.stringify({ type: 'serviceaccount', keyId: id, key: privatePem, userId }));
}
