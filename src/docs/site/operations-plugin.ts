import {
  type Component,
  type GetComponent,
  type Immutable,
  type Plugin,
  type PluginMaker,
  type Props,
  type System,
  specState,
  type View,
} from './system.js';

type Parts = Pick<System, 'specSelectors' | 'oas3Selectors' | 'layoutSelectors' | 'layoutActions'> & {
  readonly getComponent: GetComponent;
  readonly getConfigs: unknown;
};

/**
 * The groups and their operations, all of them. From 150 rows on, Swagger UI's own list keeps only those in the page
 * that it believes to be in view. It takes for granted that the list begins at the top of the page, so that below the
 * tasks half of the window stays empty; and neither the search of the browser nor a screen reader finds what is left
 * out.
 */
export const operationsPlugin: PluginMaker = ({ React, getSystem }): Plugin => {
  const h = React.createElement;
  const Operations: Component = (props: Props): View => {
    const { specSelectors, oas3Selectors, layoutSelectors, layoutActions, getComponent, getConfigs } =
      props as unknown as Parts;
    const OperationTag = getComponent('OperationTag');
    const OperationContainer = getComponent('OperationContainer', true);
    const row = (operation: Immutable, tag: string): View => {
      const [path, method] = ['path', 'method'].map((name) => operation.get(name) as string);
      const specPath = operation.get('specPath');
      // An open operation also shows what changes in any form, such as the organization.
      const isOpened = specSelectors.specResolvedSubtree(['paths', path, method]) !== undefined;
      const state = isOpened ? specState(getSystem()) : undefined;
      return h(OperationContainer, { key: `${path}-${method}`, specPath, op: operation, state, path, method, tag });
    };
    const rows: View[] = [];
    (specSelectors.taggedOperations() as Immutable).forEach((group, tag) => {
      const operations: View[] = [];
      (group.get('operations') as Immutable).forEach((one) => operations.push(row(one, tag)));
      rows.push(
        h(
          OperationTag,
          { key: tag, tagObj: group, tag, oas3Selectors, layoutSelectors, layoutActions, getConfigs, getComponent },
          h('div', { className: 'operation-tag-content' }, operations),
        ),
      );
    });
    return h('div', null, rows);
  };
  let last: { readonly document: unknown; readonly groups: unknown } | undefined;
  return {
    components: { operations: Operations },
    statePlugins: {
      spec: {
        wrapSelectors: {
          // Swagger UI makes the groups anew with every operation that is opened, and then draws every row again.
          taggedOperations: (original) => () => {
            const document = getSystem().specSelectors.specJson();
            if (last?.document !== document) last = { document, groups: original() };
            return last?.groups;
          },
        },
      },
    },
  };
};
