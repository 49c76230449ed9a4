import type { Component, GetComponent, Immutable, Plugin, PluginMaker, Props, System, View } from './system.js';

/** Above all what one came for: who one is, the search, then the tasks, then all operations. */
export const layoutPlugin: PluginMaker = ({ React }): Plugin => {
  const h = React.createElement;
  const DocsLayout: Component = (props: Props): View => {
    const { getComponent, specSelectors } = props as unknown as Pick<System, 'specSelectors'> & {
      getComponent: GetComponent;
    };
    const info = specSelectors.info() as Immutable;
    return h(
      'div',
      { className: 'swagger-ui' },
      h(getComponent('SvgAssets')),
      h(
        'header',
        { className: 'docs-head wrapper' },
        h('h1', null, info.get('title'), h('small', null, info.get('version'))),
        h(getComponent('AuthorizeBtnContainer', true)),
      ),
      h(getComponent('errors', true)),
      h(
        getComponent('DocsSearch'),
        null,
        h(
          'section',
          { className: 'docs-start wrapper', 'aria-label': 'Tasks' },
          h(getComponent('InfoContainer', true)),
        ),
        h('main', { id: 'operations', className: 'wrapper', tabIndex: -1 }, h(getComponent('operations', true))),
      ),
    );
  };
  return { components: { DocsLayout } };
};
