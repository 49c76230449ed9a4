import { SetMetadata } from '@nestjs/common';

const ACCESS = 'gatehouse:access';

/** Who may call a route: everyone, with the endpoint deciding by itself, or holders of a permission. */
export type Access = { readonly kind: 'open' } | { readonly kind: 'permission'; readonly permission: string };

/**
 * Declares a route, or all routes of a controller, open: no guard, the endpoint itself decides whom it serves. A
 * route that declares nothing stops the application from starting.
 */
export function Open(): ClassDecorator & MethodDecorator {
  return declareAccess({ kind: 'open' });
}

/** Declares the access for decorators of edges, which also apply the guard. */
export function declareAccess(access: Access): ClassDecorator & MethodDecorator {
  return SetMetadata(ACCESS, access);
}

/** The access that a route declares; its method takes precedence over its controller. */
export function accessOf(controller: object, method: object): Access | undefined {
  return (Reflect.getMetadata(ACCESS, method) ?? Reflect.getMetadata(ACCESS, controller)) as Access | undefined;
}
