import type { ModulesContainer } from '@nestjs/core';
import { ConfigError } from '../config/environment.js';
import type { Logger } from '../log/logger.js';
import { asExtension } from '../log/running-extension.js';
import { TimeLimit } from '../time/time-limit.js';
import type { Extension } from './extension.js';
import { modulesOf } from './module-walk.js';

/** What Nest calls during a start, and waits for. */
const HOOKS = ['onModuleInit', 'onApplicationBootstrap'] as const;

/** Milliseconds after which a hook is named in the log, and after which the start is given up. */
export interface InitLimits {
  readonly noticeMs: number;
  readonly limitMs: number;
}

const USUAL: InitLimits = { noticeMs: 5_000, limitMs: 60_000 };

type Hook = () => unknown;

/**
 * Lets no extension keep the start waiting in silence: a hook of one of its classes is named when it takes long, ends
 * the start when it takes too long, and what it throws says whose it is. To be called when all classes exist.
 */
export async function watchInit(
  modules: ModulesContainer,
  extensions: readonly Extension[],
  log: Logger,
  limits: InitLimits = USUAL,
): Promise<void> {
  for (const extension of extensions) {
    const own = new Set<unknown>((await modulesOf(extension)).map(({ type }) => type));
    for (const { metatype, providers, controllers } of modules.values()) {
      if (!own.has(metatype)) continue;
      for (const { instance } of [...providers.values(), ...controllers.values()])
        watch(instance, extension.id, log, limits);
    }
  }
}

function watch(instance: unknown, extension: string, log: Logger, { noticeMs, limitMs }: InitLimits): void {
  if (typeof instance !== 'object' || instance === null) return;
  const owner = instance as Record<string, unknown>;
  for (const name of HOOKS) {
    const hook = owner[name];
    if (typeof hook !== 'function') continue;
    const called = `${instance.constructor.name}.${name}`;
    owner[name] = async (): Promise<unknown> => {
      const notice = setTimeout(
        () => log.warn({ extension }, `the start waits for ${called} of the extension ${extension}`),
        noticeMs,
      );
      using limit = new TimeLimit(limitMs);
      const late = limit.passed.then(() => {
        throw new Error(`It has not ended within ${limitMs / 1_000} s.`);
      });
      try {
        return await Promise.race([asExtension(extension, async () => (hook as Hook).call(instance)), late]);
      } catch (error) {
        log.error({ err: error, extension }, 'an extension failed');
        const says = (error as Partial<Error> | undefined)?.message ?? String(error);
        throw new ConfigError([`The extension ${extension} failed in ${called}: ${says}`], 'extensions');
      } finally {
        clearTimeout(notice);
      }
    };
  }
}
