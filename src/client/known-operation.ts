/** What a call needs to know of an operation besides its method and path. @public */
export interface Traits {
  /** It changes nothing, and so may be repeated when the connection was lost; each GET is such. */
  readonly reads?: boolean;
  /** How the body is sent, if not as JSON; a DELETE has one only if it says so. */
  readonly sends?: 'file' | 'form' | 'json';
  /** A page for people: the response is handed on as it is, also if it redirects. */
  readonly answers?: 'page';
  /** It takes no token. */
  readonly open?: boolean;
  /** The member of the request with `offset` and `limit`. */
  readonly page?: string;
  /** The member of the request that is sent with its value in the last entry. */
  readonly cursor?: string;
  /** The member of the answer with the entries. */
  readonly items?: string;
}

/** What all operations are, whatever they take and answer. @public */
export interface AnyOperation {
  readonly method: string;
  /** The template: `/management/v1/users/{id}`. */
  readonly path: string;
  readonly traits: Traits;
}

type TypesOf<T extends AnyOperation> = T extends { readonly types?: infer All } ? NonNullable<All> : never;

/** What an operation takes. @public */
export type Input<T extends AnyOperation> = TypesOf<T> extends readonly [infer I, unknown, unknown] ? I : never;
/** What an operation answers. @public */
export type Output<T extends AnyOperation> = TypesOf<T> extends readonly [unknown, infer O, unknown] ? O : never;
/** The reasons for which an operation may be refused, as it declares them. @public */
export type Reason<T extends AnyOperation> =
  TypesOf<T> extends readonly [unknown, unknown, infer R extends string] ? R : never;
