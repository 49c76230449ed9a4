import { type DynamicModule, Module } from '@nestjs/common';
import { SecretsConfig } from '../config/config.js';
import { KeyPairs } from './key-pairs.js';
import { type KeyStretch, MasterKeys, stretchKey } from './master-key.js';
import { loadMasterKey } from './master-key-file.js';
import { TokenSeal } from './token-seal.js';
import { Vault } from './vault.js';

/** The cost of making keys. */
export interface KeyCosts {
  readonly keyPairs?: KeyPairs;
  readonly stretch?: KeyStretch;
}

@Module({})
export class CryptoModule {
  static of({ keyPairs, stretch = stretchKey }: KeyCosts = {}): DynamicModule {
    return {
      module: CryptoModule,
      global: true,
      providers: [
        { provide: KeyPairs, useValue: keyPairs ?? new KeyPairs() },
        {
          provide: MasterKeys,
          inject: [SecretsConfig],
          useFactory: async (config: SecretsConfig): Promise<MasterKeys> =>
            MasterKeys.from(
              config.masterKey ?? (await loadMasterKey(config.dataDir)),
              config.previousMasterKeys,
              stretch,
            ),
        },
        { provide: Vault, inject: [MasterKeys], useFactory: (keys: MasterKeys) => new Vault(keys) },
        { provide: TokenSeal, inject: [MasterKeys], useFactory: (keys: MasterKeys) => new TokenSeal(keys) },
      ],
      exports: [KeyPairs, MasterKeys, Vault, TokenSeal],
    };
  }
}
