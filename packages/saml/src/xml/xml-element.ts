import { SamlRefusal } from '../refusal.js';

/**
 * An element of a document that `readXml` has accepted. Elements are asked for by namespace and name, attributes by
 * name alone, since those of SAML have no namespace. Comments are not there.
 */
export class XmlElement {
  constructor(
    /** For what signs and verifies. */
    readonly node: Element,
    /** The document that it is in. */
    readonly source: string,
  ) {}

  /** Empty if it has none. */
  get namespace(): string {
    return this.node.namespaceURI ?? '';
  }

  get name(): string {
    return this.node.localName;
  }

  is(namespace: string, name: string): boolean {
    return this.name === name && this.namespace === namespace;
  }

  /** Undefined for the root. */
  get parent(): XmlElement | undefined {
    const { parentNode } = this.node;
    return parentNode && isElement(parentNode) ? new XmlElement(parentNode, this.source) : undefined;
  }

  get root(): XmlElement {
    return this.parent?.root ?? this;
  }

  get children(): XmlElement[] {
    return childrenOf(this.node)
      .filter(isElement)
      .map((node) => new XmlElement(node, this.source));
  }

  /** Itself and all that are in it, in the order of the document. */
  *tree(): Generator<XmlElement> {
    yield this;
    for (const child of this.children) yield* child.tree();
  }

  all(namespace: string, name: string): XmlElement[] {
    return this.children.filter((child) => child.is(namespace, name));
  }

  /** @throws SamlRefusal `element_repeated` */
  optional(namespace: string, name: string): XmlElement | undefined {
    const [child, second] = this.all(namespace, name);
    if (second) throw new SamlRefusal('element_repeated', `${name} in ${this.name}`);
    return child;
  }

  /** @throws SamlRefusal `element_missing`, `element_repeated` */
  required(namespace: string, name: string): XmlElement {
    const child = this.optional(namespace, name);
    if (!child) throw new SamlRefusal('element_missing', `${name} in ${this.name}`);
    return child;
  }

  /** Of the attribute of that name without a namespace. */
  attribute(name: string): string | undefined {
    return this.attributes.find((one) => one.name === name && one.namespace === '')?.value;
  }

  /** @throws SamlRefusal `value_malformed` if there is none or if it is empty */
  requiredAttribute(name: string): string {
    const value = this.attribute(name);
    if (!value) throw new SamlRefusal('value_malformed', `${name} of ${this.name}`);
    return value;
  }

  /** All of them but declarations of namespaces. */
  get attributes(): XmlAttribute[] {
    return attributesOf(this.node).filter(({ qualifiedName }) => !DECLARATION.test(qualifiedName));
  }

  /**
   * All the text in it: what a comment or a CDATA section divides is one text. Blanks are a part of it.
   * @throws SamlRefusal `element_unexpected` if there are elements in it
   */
  get text(): string {
    if (this.children.length > 0) throw new SamlRefusal('element_unexpected', `in ${this.name}`);
    return childrenOf(this.node)
      .filter(isText)
      .map(({ data }) => data)
      .join('');
  }

  /** For values whose type collapses blanks, such as xs:anyURI (XML Schema Part 2 §3.2.17 and §4.3.6). */
  get token(): string {
    const words = this.text.split(/[ \t\r\n]+/);
    return words.filter((word) => word !== '').join(' ');
  }
}

export interface XmlAttribute {
  readonly namespace: string;
  readonly name: string;
  readonly qualifiedName: string;
  readonly value: string;
}

const DECLARATION = /^xmlns(?::|$)/;

export function attributesOf(node: Element): XmlAttribute[] {
  return Array.from(node.attributes, ({ namespaceURI, localName, name, value }) => ({
    namespace: namespaceURI ?? '',
    name: localName,
    qualifiedName: name,
    value,
  }));
}

export function isDeclaration({ qualifiedName }: XmlAttribute): boolean {
  return DECLARATION.test(qualifiedName);
}

function childrenOf(node: Element): Node[] {
  return Array.from(node.childNodes);
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}

/** Text and CDATA sections. */
function isText(node: Node): node is Text {
  return node.nodeType === 3 || node.nodeType === 4;
}
