import { Injectable } from '@nestjs/common';
import { TokenConfig } from '../foundation/config/config.js';
import type { Form } from '../foundation/http/form.js';
import { ResourceDirectory } from '../project/resource-directory.js';
import { resourceKeyOf } from '../project/resource-uri.js';
import { refusal } from './oidc.errors.js';

/** RFC 8707 §2: the parameter may be repeated. */
export const RESOURCE = 'resource';
/** A limit, since each resource is part of the access token, which must fit into a header. */
const MOST = 5;

/** The protected resources that requests name (RFC 8707). */
@Injectable()
export class RequestedResources {
  constructor(
    private readonly directory: ResourceDirectory,
    private readonly config: TokenConfig,
  ) {}

  /**
   * The named resources as they were registered; none if the request names none, or if unknown ones are ignored.
   * @throws OAuthError invalid_target
   */
  async read(form: Form): Promise<readonly string[]> {
    const named = [...new Set(form.all(RESOURCE) ?? [])];
    if (named.length > MOST || named.some((uri) => resourceKeyOf(uri) === undefined)) throw refusal.resourceMalformed();
    const found = await Promise.all(named.map((uri) => this.directory.find(uri)));
    if (this.config.unknownResource === 'refuse' && found.includes(undefined)) throw refusal.resourceUnknown();
    return [...new Set(found.flatMap((resource) => resource?.uri ?? []))];
  }

  /** The projects that these resources belong to. */
  async projectsOf(uris: readonly string[]): Promise<string[]> {
    const found = await Promise.all(uris.map((uri) => this.directory.find(uri)));
    return found.flatMap((resource) => resource?.projectId ?? []);
  }

  /**
   * The resources for which tokens may still be issued: projects and their resources come and go.
   * @throws OAuthError invalid_target if none is left, because a token for none of them would be valid elsewhere
   */
  async stillKnown(granted: readonly string[]): Promise<readonly string[]> {
    if (granted.length === 0) return granted;
    const found = await Promise.all(granted.map((uri) => this.directory.find(uri)));
    const known = granted.filter((uri, place) => found[place]?.uri === uri);
    if (known.length === 0) throw refusal.resourceUnknown();
    return known;
  }
}
