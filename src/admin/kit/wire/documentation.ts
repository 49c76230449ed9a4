import { applyDecorators } from '@nestjs/common';
import type { Tag } from '../tags.js';

/*
 * The decorators of @nestjs/swagger, recorded where they stand and applied when the document is first asked for. Most
 * processes never show it: they need neither the package, which loads some 500 files, nor the metadata of 2,000 fields.
 */

type Swagger = typeof import('@nestjs/swagger');
type AnyDecorator = (target: object, name?: string | symbol, descriptor?: TypedPropertyDescriptor<unknown>) => unknown;

/** Decorators to be applied, in the order in which they ran: a class reads what was said of the one that it extends. */
const recorded: Array<(swagger: Swagger) => void> = [];

/** `made` gives the decorator of @nestjs/swagger, once that is there. */
export function documented(
  made: (swagger: Swagger) => ClassDecorator | MethodDecorator | PropertyDecorator,
): ClassDecorator & MethodDecorator & PropertyDecorator {
  return ((target: object, name?: string | symbol, descriptor?: TypedPropertyDescriptor<unknown>): void => {
    recorded.push((swagger) => (made(swagger) as AnyDecorator)(target, name, descriptor));
  }) as ClassDecorator & MethodDecorator & PropertyDecorator;
}

const TAG = 'gatehouse:tag';

/** The heading under which the operations of a controller stand. */
export function Tagged(tag: Tag): ClassDecorator {
  return applyDecorators(
    (controller: object) => Reflect.defineMetadata(TAG, tag, controller),
    documented(({ ApiTags }) => ApiTags(tag)),
  );
}

/** The heading of a controller; undefined for those of extensions, which have one each. */
export function tagOf(controller: object): Tag | undefined {
  return Reflect.getMetadata(TAG, controller) as Tag | undefined;
}

/** Applies the decorators, before a document is made of them. */
export async function applyDocumentation(): Promise<Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (const apply of recorded.splice(0)) apply(swagger);
  return swagger;
}
